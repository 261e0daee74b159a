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


def token_f1(answer: str, reference: str) -> float:
    """Harmonic mean of precision and recall of the answer's words, counted with repeats, 0 to 1."""
    found, wanted = _squad_words(answer), _squad_words(reference)
    return _f1((Counter(found) & Counter(wanted)).total(), found, wanted)


def exact_match(answer: str, reference: str) -> float:
    """1 if both texts have the same words in the same order, otherwise 0."""
    return float(_squad_words(answer) == _squad_words(reference))


def rouge_l(answer: str, reference: str) -> float:
    """Harmonic mean of precision and recall of the longest common subsequence of words: Lin, "ROUGE" (2004).

    Without stemming, with articles; of either text the first 2,000 words.
    """
    from rapidfuzz.distance import LCSseq

    texts = (_apart(unicodedata.normalize("NFC", text).lower()) for text in (answer, reference))
    found, wanted = (_WORDS.findall(text)[:LONGEST] for text in texts)
    return _f1(LCSseq.similarity(found, wanted), found, wanted)


def _f1(shared: int, found: list[str], wanted: list[str]) -> float:
    """Where one text has no words, 1 if the other has none either and else 0, as in SQuAD 2.0."""
    return 2 * shared / (len(found) + len(wanted)) if found and wanted else float(found == wanted)


def _squad_words(text: str) -> list[str]:
    # Composed, as the same letter may be written in two ways. SQuAD's own list of punctuation has ASCII symbols, such as +
    # and $, that Unicode counts as something else.
    letters = (c for c in unicodedata.normalize("NFC", text).lower() if c not in string.punctuation)
    text = "".join(c for c in letters if not unicodedata.category(c).startswith("P"))
    return _apart(_ARTICLES.sub(" ", text)).split()


def _apart(text: str) -> str:
    """Characters of scripts without spaces as words of their own."""
    return "".join(f" {c} " if not c.isascii() and writes_without_spaces(c) else c for c in text)
