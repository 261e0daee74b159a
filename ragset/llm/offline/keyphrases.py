"""Key phrases of a text: runs of words between small words, scored as RAKE does (Rose et al., 2010)."""

import re
from collections import Counter

from ragset.rules.marks import FUNCTION_WORDS

_PIECE = re.compile(r"[.,;:!?()\[\]\"“”«»|\n]+|\s[–—-]\s")
_WORD = re.compile(r"[^\W_][\w'’-]*")
_WEAK = frozenset(
    """not very can may must will would could should did does do done made make makes used use uses also however therefore
    because while during within without through until since though although each every any all many several few least
    less much own same still even just first second later often usually about against both either how what why
    called known said like well become became get got take took give gave having being its it's is are was were""".split()  # noqa: SIM905
)
_MOST = 6


def keyphrases(text: str) -> tuple[str, ...]:
    """At most six, best first: two to four words each where there are such, in the case of the text."""
    counted: Counter[str] = Counter()
    shown: dict[str, str] = {}
    degree: Counter[str] = Counter()
    frequency: Counter[str] = Counter()
    for piece in _PIECE.split(text):
        for run in _runs(_WORD.findall(piece)):
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

    phrases = [phrase for phrase in counted if len(phrase) >= 5 and (" " in phrase or counted[phrase] > 1)]
    best = sorted(phrases, key=lambda phrase: (-score(phrase), phrase))
    return tuple(shown[phrase] for phrase in best[:_MOST])


def _runs(words: list[str]) -> list[list[str]]:
    """Neighbouring words without a small word or a number between them."""
    runs: list[list[str]] = [[]]
    for word in words:
        lower = word.lower()
        if lower in FUNCTION_WORDS or lower in _WEAK or word[0].isdigit() or len(word) < 2:
            runs.append([])
        else:
            runs[-1].append(word)
    return [run for run in runs if run]
