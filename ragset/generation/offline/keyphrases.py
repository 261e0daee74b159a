"""Key phrases of a text: runs of words between small words, scored as RAKE does (Rose et al., 2010), without verbs."""

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from ragset.generation.offline.language import guess_language
from ragset.generation.offline.nouns import PRONOUNS
from ragset.generation.offline.spanish_clause import is_verb as is_spanish_verb
from ragset.generation.offline.verbs import AUXILIARIES, BASES, PARTICIPLE, PAST, SINGULAR, is_participle
from ragset.text.rules.boilerplate import FUNCTION_WORDS

_PIECE = re.compile(r"[.,;:!?()\[\]\"“”«»|\n]+|\s[–—-]\s")
_WORD = re.compile(r"[^\W_][\w'’-]*")
_WEAK = (
    frozenset(
        """not very cannot can may must will would could should did does do done made make makes used use uses also however therefore
    because while during within without through until since though although each any every all many several few least
    less much own same still even just first second later often usually about against both either how what why
    called known said like well become became get got take took give gave having being its it's is are was were
    others around instead thus despite once along back away ahead together too rather quite almost ever never again soon
    half way already below above behind beyond across per such other greater less toward towards among under upon off up down out
    sehr sondern um weil da seit bis rund etwa damit dabei wenn wodurch sowie je ab gegen ohne unter vor zwischen jede jeder jedes
    según cada este esta estos estas ese esa tras hasta desde porque mientras ambos mismo misma otros otras durante después además
    parce toute toutes tous tout chaque depuis après avant lors puis ainsi sans sous entre chez dès""".split()  # noqa: SIM905
    )
    | PRONOUNS
    | AUXILIARIES
)
_OBJECT_ONLY = frozenset(
    "the a an its their his her this these those no all both each every one two three four five six seven eight nine ten once".split()  # noqa: SIM905
)
"""What follows a verb and no noun."""
_BEFORE_BASE = frozenset("to can could may might must will would shall should cannot not".split())  # noqa: SIM905
_NO_NOUNS = frozenset(
    """comes goes becomes exists occurs happens depends consists includes contains requires makes keeps begins lies sits gives takes
    gets sees says tells allows provides receives produces loses follows adds arrives brings sends prevents""".split()  # noqa: SIM905
)
"""Of verbs of the present those whose form is no plural."""
_FRENCH_VERB = re.compile(r"[a-zà-ÿ]+(?:ait|aient|èrent|irent|urent|a été)")
_GERMAN_ADJECTIVE = re.compile(r"[a-zäöüß-]{3,}(?:e|en|er|es|em)")
_MOST = 6


def keyphrases(text: str) -> tuple[str, ...]:
    """At most six, best first: two to four words each where there are such, in the case of the text."""
    return _counted(text)[0][:_MOST]


def ranked(text: str) -> tuple[str, ...]:
    """All of them, best first, and after them the single words that are said once."""
    phrases, words = _counted(text)
    return (*phrases, *words)


def _counted(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    counted: Counter[str] = Counter()
    shown: dict[str, str] = {}
    degree: Counter[str] = Counter()
    frequency: Counter[str] = Counter()
    cut = _CUTS.get(guess_language(text) or "", _as_it_is)
    for piece in _PIECE.split(text):
        for run in _runs(_WORD.findall(piece), cut):
            lowers = [word.lower() for word in run]
            for word in lowers:
                frequency[word] += 1
                degree[word] += len(run)
            if len(run) <= 4:
                phrase = " ".join(lowers)
                counted[phrase] += 1
                shown.setdefault(phrase, " ".join(run))

    def score(phrase: str) -> float:
        words = phrase.split()
        return sum(degree[word] / frequency[word] for word in words) / len(words) * counted[phrase]

    long = [phrase for phrase in counted if len(phrase) >= 5]
    best = sorted(long, key=lambda phrase: (-score(phrase), phrase))
    phrases = tuple(shown[phrase] for phrase in best if " " in phrase or counted[phrase] > 1)
    return phrases, tuple(shown[phrase] for phrase in best if " " not in phrase and counted[phrase] == 1)


class _Around(NamedTuple):
    """The words before and after a run, in lower case; nothing at either end of a piece."""

    before: str
    after: str


def _runs(words: list[str], cut: Callable[[list[str], _Around], list[list[str]]]) -> list[list[str]]:
    """Neighbouring words without a small word, a number or a verb between them."""
    runs: list[list[str]] = []
    run: list[str] = []
    before = ""
    for word in [*words, ""]:
        lower = word.lower()
        if not word or lower in FUNCTION_WORDS or lower in _WEAK or word[0].isdigit() or len(word) < 2:
            runs += cut(run, _Around(before, lower)) if run else []
            run, before = [], lower
        else:
            run.append(word)
    return [run for run in runs if run]


def _as_it_is(run: list[str], around: _Around) -> list[list[str]]:
    del around
    return [run]


def _without_english_verbs(run: list[str], around: _Around) -> list[list[str]]:
    """Cut at each; "coiled mainspring" is one, "Edinburgh added" is a name and a verb."""
    verbs = [
        _is_english_verb(word, run[place - 1] if place else "", (*run[place + 1 :], around.after)[0], around)
        for place, word in enumerate(run)
    ]
    last = len(run) - 1
    # In "company pays full salary" what stands in the middle is a verb, though it may be a plural elsewhere.
    verbs = [
        found or (word in SINGULAR and place < last and not run[place + 1][0].isupper())
        for place, (word, found) in enumerate(zip(run, verbs, strict=True))
    ]
    return _parts(run, verbs)


def _is_english_verb(word: str, before: str, after: str, around: _Around) -> bool:
    if word[0].isupper() and before:
        return False
    if word.endswith("ly") and word.islower():
        return True
    if word in PAST and word not in PARTICIPLE:
        return True
    if is_participle(word):
        return bool(before) or after == around.after
    if word in _NO_NOUNS:
        return True
    if not before and around.before in _BEFORE_BASE and word in BASES:
        return True
    sure = after in _OBJECT_ONLY or after[:1].isdigit() or after in PRONOUNS
    return sure and (word in SINGULAR or (word in BASES and (before.endswith("s") or not before)))


def _without_spanish_verbs(run: list[str], around: _Around) -> list[list[str]]:
    del around
    return _cut_where(run, lambda word: is_spanish_verb(word) or (word.endswith("mente") and word.islower()))


def _without_french_verbs(run: list[str], around: _Around) -> list[list[str]]:
    del around
    return _cut_where(run, lambda word: _FRENCH_VERB.fullmatch(word) is not None)


def _cut_where(run: list[str], is_verb: Callable[[str], bool]) -> list[list[str]]:
    return _parts(run, [is_verb(word) for word in run])


def _parts(run: list[str], verbs: list[bool]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word, is_one in zip(run, verbs, strict=True):
        if is_one:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _german_nouns(run: list[str], around: _Around) -> list[list[str]]:
    """Nouns, which German writes with a capital, and the adjectives before them."""
    del around
    parts: list[list[str]] = [[]]
    for word in run:
        if word[0].isupper():
            parts[-1].append(word)
            continue
        if parts[-1] and parts[-1][-1][0].isupper():
            parts.append([])
        if _GERMAN_ADJECTIVE.fullmatch(word):
            parts[-1].append(word)
        else:
            parts.append([])
    return [part for part in parts if part and part[-1][0].isupper()]


_CUTS: dict[str, Callable[[list[str], _Around], list[list[str]]]] = {
    "en": _without_english_verbs,
    "es": _without_spanish_verbs,
    "de": _german_nouns,
    "fr": _without_french_verbs,
}
