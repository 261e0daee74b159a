"""Answers compared with the reference word by word, without a model.

Token F1 and exact match are those of SQuAD (Rajpurkar et al. 2016): lower case, no punctuation, no English articles.
As in MLQA (Lewis et al. 2020) punctuation is what Unicode calls so, and in scripts without spaces, such as Chinese and
Thai, each character is a word.
"""

import re
import string
import unicodedata
from collections import Counter

from ragset.text.words import writes_without_spaces

LONGEST = 2_000
"""Words of either text that ROUGE-L looks at."""

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_WORDS = re.compile(r"\w+")


def token_f1(answer: str, reference: str, language: str = "en") -> float:
    """Harmonic mean of precision and recall of the answer's words, counted with repeats, 0 to 1.

    Where one text has no words left, 1 if the other has none either and else 0, as in SQuAD 2.0.
    """
    found, wanted = _normalised(answer, language), _normalised(reference, language)
    if not found or not wanted:
        return float(found == wanted)
    shared = (Counter(found) & Counter(wanted)).total()
    return 2 * shared / (len(found) + len(wanted))


def exact_match(answer: str, reference: str, language: str = "en") -> float:
    """1 if both texts have the same words in the same order, otherwise 0."""
    return float(_normalised(answer, language) == _normalised(reference, language))


def rouge_l(answer: str, reference: str) -> float:
    """ROUGE-L: harmonic mean of precision and recall of the longest common subsequence of words, 0 to 1.

    Lin, "ROUGE" (2004), with beta = 1 and without stemming, over words of letters, digits and underscores in lower case,
    articles among them; of either text the first 2,000. Where one text has no words, 1 if the other has none either
    and else 0.
    """
    from rapidfuzz.distance import LCSseq

    found, wanted = _words(answer)[:LONGEST], _words(reference)[:LONGEST]
    if not found or not wanted:
        return float(found == wanted)
    return 2 * LCSseq.similarity(found, wanted) / (len(found) + len(wanted))


def _normalised(text: str, language: str) -> list[str]:
    """The words that SQuAD compares."""
    # Composed, as the same letter may be written in two ways.
    text = "".join(c for c in unicodedata.normalize("NFC", text).lower() if not _is_punctuation(c))
    if language.lower().split("-")[0] == "en":
        text = _ARTICLES.sub(" ", text)
    return _apart(text).split()


def _words(text: str) -> list[str]:
    return _WORDS.findall(_apart(unicodedata.normalize("NFC", text).lower()))


def _apart(text: str) -> str:
    """Characters of scripts without spaces as words of their own."""
    return "".join(f" {c} " if not c.isascii() and writes_without_spaces(c) else c for c in text)


def _is_punctuation(character: str) -> bool:
    # SQuAD's own list has ASCII symbols, such as + and $, that Unicode counts as something else.
    return character in string.punctuation or unicodedata.category(character).startswith("P")
