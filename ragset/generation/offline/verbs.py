"""The verbs that a question can be made from: base, past and participle."""

from typing import NamedTuple


class Verb(NamedTuple):
    """`write`, `wrote`, `written`."""

    base: str
    past: str
    participle: str


_IRREGULAR = (
    "build built built", "write wrote written", "make made made", "choose chose chosen", "begin began begun",
    "win won won", "sell sold sold", "buy bought bought", "find found found", "give gave given", "take took taken",
    "cast cast cast", "lose lost lost", "hold held held", "run ran run", "leave left left", "become became become",
    "keep kept kept", "grow grew grown", "rise rose risen", "fall fell fallen", "rebuild rebuilt rebuilt",
    "see saw seen", "meet met met", "send sent sent", "bring brought brought", "sink sank sunk", "swing swung swung",
    "teach taught taught", "cut cut cut", "spread spread spread", "split split split", "set set set", "draw drew drawn", "lead led led", "break broke broken", "come came come", "go went gone",
)  # fmt: skip
_DONE = """abolish adopt annex announce appoint assassinate award build cancel cast commission complete compose conquer
    construct create crown dedicate defeat define demolish design destroy discover dissolve elect enact erect establish
    execute expand finish form found inaugurate incorporate install introduce invent launch make name open ordain order
    paint pass patent print produce propose publish ratify rebuild release rename repeal replace restore sign translate
    write coin describe formulate develop devise open"""
_SUFFERED = "die begin start end close open collapse retire graduate arrive move"
_MADE = """build cast coin commission compose construct create design develop devise discover erect establish formulate
    found introduce invent make paint patent print produce propose publish rebuild translate write conquer launch"""
_FIRST_TIME = "invent discover patent coin devise formulate develop introduce propose"
_OTHER = """change keep need use cost fail lose win give take run grow rise fall replace refuse reject support oppose attack
    remain stay stop work expand decline decrease increase cause differ vary turn become leave resist join want visit
    choose prefer abandon require allow act appear come go carry hold resign marry invade enter reach occupy seize
    grant receive extend divide unite ban legalize declare defend arrest appeal object ask vote send bring return draw
    lead break meet see swing drift err gain adjust order cut drop set last measure prove sink climb travel separate
    lack suffer struggle benefit migrate emigrate settle merge split follow serve study teach spread"""


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base[-1] == "y" and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + (base[-1] + "ed" if base in {"stop", "drop", "ban", "prefer"} else "ed")


def _third(base: str) -> str:
    if base[-1] == "y" and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "o")) else "s")


_FORMS = {base: Verb(base, past, done) for base, past, done in (row.split() for row in _IRREGULAR)}


def _verbs(bases: str) -> tuple[Verb, ...]:
    return tuple(_FORMS.get(base) or Verb(base, _past(base), _past(base)) for base in bases.split())


# "Found" is taken for the past of "find", so that "founded" alone is that of "found".
DONE = {verb.participle: verb for verb in _verbs(_DONE)}
"""Participles of what is done once, so that it has a date."""
MADE = {verb.past: verb for verb in _verbs(_MADE)}
"""Pasts of what somebody does who can be asked for by name."""
HAPPENED = {verb.past: verb for verb in _verbs(_SUFFERED)}
"""Pasts of what happens to a thing, with a date."""
FIRST_TIME = frozenset(_FIRST_TIME.split())
"""What is done to a kind of thing and not to one of them: "the pendulum clock" needs no name with these."""
_CLAUSE = _verbs(f"{_DONE} {_SUFFERED} {_OTHER}")
PAST = {verb.past: verb.base for verb in _CLAUSE}
THIRD = {_third(verb.base): verb.base for verb in _CLAUSE}
"""Forms by which the verb of a clause is known, with the base that a question has instead."""

EVENTS = {
    "invented": "invention", "discovered": "discovery", "founded": "founding", "established": "establishment",
    "built": "construction", "constructed": "construction", "completed": "completion", "finished": "completion",
    "opened": "opening", "closed": "closure", "published": "publication", "introduced": "introduction",
    "adopted": "adoption", "signed": "signing", "created": "creation", "launched": "launch", "made": "making",
    "restored": "restoration", "abolished": "abolition", "destroyed": "destruction", "cast": "casting", "died": "death",
    "dissolved": "dissolution", "ratified": "ratification", "written": "writing", "installed": "installation",
    "proposed": "proposal", "released": "release", "inaugurated": "inauguration", "defined": "definition",
    "described": "description", "demolished": "demolition", "passed": "passing", "rebuilt": "rebuilding", "erected": "erection",
}  # fmt: skip
"""What a dated deed is called, by its participle."""
