"""Why, how, what happens if: questions that a statement of cause, means or condition answers."""

import re
from collections.abc import Iterator

from ragset.generation.offline.clause import Clause, parse
from ragset.generation.offline.nouns import standing
from ragset.generation.offline.phrase import tail_fits
from ragset.generation.offline.question import Question, asked, is_clean_tail, stated, tails
from ragset.generation.offline.verbs import BE, is_finite, is_participle

_BECAUSE = (
    r",? (?:(?:mainly |partly |largely |primarily |simply |precisely )?because(?: of)? |due to |as a result of |so that "
    r"|so as to |in order to |owing to |thanks to )|, since (?!\d)"
)
_PURPOSE = (
    r" to (?:prevent|avoid|reduce|ensure|protect|compensate|improve|allow|enable|minimi[sz]e|maximi[sz]e|keep|help|increase"
    r"|stop|save|secure|strengthen|preserve|promote|encourage|correct|counter|raise|commemorate|celebrate|honou?r|mark) "
)
_COMPLEMENT_AFTER = frozenset(
    """ability able attempt attempts plan plans effort efforts need needs way ways right rights power powers order decision
    likely unlikely designed intended used required allowed forced unable willing ready sought tried wanted began failed
    helped chance chances opportunity hard difficult easy possible necessary important enough seem seems tend tends
    continue continued agreed decided refused expected supposed said known authority obligation duty responsibility desire
    tendency going have has had asked ordered told persuaded encouraged urged led proposal proposals up""".split()  # noqa: SIM905
)
"""Words whose infinitive says what, not what for."""
_COMPLEMENT_OF = frozenset(
    """order ask tell persuade want allow enable encourage urge force advise lead cause help need require expect authorize
    authorise prompt try seek agree attempt continue begin decide refuse vote plan intend""".split()  # noqa: SIM905
)
"""Verbs whose infinitive says what, not what for."""


def why(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X did Y because …`, `so that …`, `to prevent …`, `Due to …, X did Y`."""
    del chunk
    if clause.because and not clause.date:
        tail = re.split(r"[,;:]| (?:but|which|who|while|where) ", clause.rest, maxsplit=1)[0].strip()
        if is_clean_tail(clause, tail):
            yield asked("why", clause, "Why", tail, 3.4)
    if re.match(r"(?:even |much |far |often |no )*(?:better|worse)\b", clause.rest):
        return
    place = f" {clause.place}" if clause.place else ""
    for tail, found in tails(f" {clause.rest}", _BECAUSE):
        if "so that" in found[0] and (len(tail.split()) < 2 or re.match(r"(?:so|such) ", tail)):
            return
        if is_clean_tail(clause, tail, bare=clause.kind == "present" and "because" in found[0]):
            yield asked("why", clause, "Why", tail + place, 4.0)
            return
    if clause.base.split(" ")[-1] in _COMPLEMENT_OF:
        return
    for tail, _ in tails(clause.rest, _PURPOSE):
        words = tail.split()
        last = words[-1].lower() if words else ""
        fits = len(words) >= 2 and last not in _COMPLEMENT_AFTER and not is_participle(last) and not last.isdigit()
        if fits and is_clean_tail(clause, tail):
            yield asked("why", clause, "Why", tail + place, 3.0)
            return


_MEANS = (
    r" (?:by (?!being|doing so|saying|far|spring|king|evening|morning)(?:\w+ly )?[a-z]{2,}ing|through the use of"
    r"|by means of|with the help of) "
)


_MANAGED = frozenset(
    """tell measure show keep control count regulate determine correct set adjust calculate produce detect""".split()  # noqa: SIM905
)
"""What is done by a means rather than by a doer, when "by" follows the active."""


def how(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X does Y by doing Z`."""
    del chunk
    for tail, _ in tails(" " + clause.rest, _MEANS):
        # Who was told to do it, or how it was to be done?
        if " to " in tail and clause.base in {"order", "ask", "tell", "persuade", "force", "urge", "advise"}:
            return
        if is_clean_tail(clause, tail, bare=clause.kind != "aux"):
            yield asked("how", clause, "How", tail, 3.7)
            return
    if clause.base in _MANAGED:
        for tail, _ in tails(clause.rest, r" by (?:the|an?) (?!time|year|end|factor)"):
            if is_clean_tail(clause, tail):
                yield asked("how", clause, "How", tail, 3.4)
                return


def comparison(clause: Clause, chunk: str) -> Iterator[Question]:
    """`X differs from Y in …`, `X is more accurate than Y`."""
    if clause.base == "differ":
        other = re.match(r"from (?P<other>[^,;:]{3,50}?)(?= (?:in|by|because|as)\b|,|$)", clause.rest)
        if other and standing(other["other"].split(), chunk, past=False):
            yield asked("comparison", clause, "How", other[0], 3.6)
    found = _COMPARED.match(clause.rest)
    if (
        found
        and clause.verb in BE
        and not re.search(r"\b(?:worse|better)\b", found[0])
        and standing(found["other"].split(), chunk, past=False) >= 2
    ):
        do = "did" if clause.past else "do" if clause.plural else "does"
        compares = "compared" if clause.past else "compare" if clause.plural else "compares"
        yield Question(
            "comparison",
            f"How {do} {clause.subject} compare with {found['other']}?",
            f"how {clause.subject} {compares} with {found['other']}",
            3.0,
        )


_COMPARED = re.compile(
    r"(?:also |generally |usually |often |much |far |significantly |slightly |considerably )*"
    r"(?:(?:(?:more|less) [a-z-]+|[a-z]+er) (?:[a-z]+ )?than|(?:[a-z ]{1,30} times|twice|half) as [a-z]+ as) (?P<other>(?!the (?:one|other|average))[^,;:]{3,50}?)"
    r"(?= (?:because|when|and|by|as|is|are|was|but)\b|,|;|$)"
)
_CONDITION = re.compile(r"(?P<word>If|When|Whenever|As long as) (?P<condition>[^,;:]{8,90}), (?P<main>[^;:]{8,})")


def condition(text: str, chunk: str) -> Iterator[Question]:
    """`If X happens, Y`, asked for Y."""
    found = _CONDITION.match(text.rstrip(".!"))
    if found is None or not tail_fits(found["condition"]) or re.match(r"(?:and|or|but|then,? )", found["main"]):
        return
    body = found["condition"]
    inner = parse(body[0].upper() + body[1:] + ".", chunk)
    if inner is None or inner.verb in {"could", "would", "might", "may"} or re.search(r"\bbe (?:equal|true)\b", body):
        return
    # A past condition under a past main clause; "when the clock stopped, it is wound" is neither.
    if inner.past != _is_past(found["main"]):
        return
    word = "if" if found["word"] == "If" else "when"
    yield stated(
        "condition", f"What {'happened' if inner.past else 'happens'} {word} {body}", 3.3 + 0.4 * inner.standing
    )


def _is_past(main: str) -> bool:
    verb = next((word for word in main.split() if is_finite(word)), "")
    return bool(verb) and verb not in {"is", "are", "has", "have", "can", "will", "must", "may", "should", "does", "do"}
