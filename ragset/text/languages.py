"""Which language a text is in, told by its script and its commonest small words."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from itertools import islice

_TABLE = tomllib.loads((files("ragset.text") / "small_words.toml").read_text(encoding="utf-8"))
_SMALL_WORDS = {language: frozenset(words.split()) for language, words in _TABLE.items()}
_SCRIPTS = (
    ("ja", re.compile(r"[\u3041-\u30ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
"""Scripts that one language alone is written in, or nearly; what has a kana is Japanese whatever else it has."""
_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT = 2_000
"""Characters of a text; the first page decides."""
_SAMPLE = 200
"""Texts of a corpus that are looked at."""
_SHARE = 0.6
"""Of a corpus that must be in a language for it to be the corpus's."""
_AHEAD = 1.15
"""How many times the small words of the next best language there must be: Danish and Norwegian differ by few."""


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """The English names of languages, by ISO 639-1 code."""
    # Imported here: Babel takes a quarter of a second.
    from babel import Locale

    return {code: name for code, name in Locale("en").languages.items() if len(code) == 2}


def is_language(code: str) -> bool:
    """Whether it is the ISO 639-1 code of a language."""
    return code in _names()


def language_name(code: str) -> str:
    """The English name of a language; for an unknown code, words that hold the code."""
    return _names().get(code, f"the language with ISO 639-1 code {code}")


def guess_language(text: str) -> str | None:
    """The language of one text; None for an unknown language, or where two languages are too close.

    Small words tell English, Spanish, German, French and their neighbours (so that Portuguese is not taken for
    Spanish); scripts tell Japanese, Chinese, Korean, Greek, Hebrew and Thai.
    """
    shown = text[:_LOOKED_AT]
    found = [word.lower() for word in _WORD.findall(shown)]
    if not found:
        return None
    letters = sum(map(len, found))
    for language, script in _SCRIPTS:
        if len(script.findall(shown)) >= (0.2 if language == "ja" else 0.5) * letters:
            return language
    (best, most), (_, next_most) = count_small_words(shown).most_common(2)
    return best if most >= 0.15 * len(found) and most >= _AHEAD * next_most and most > next_most else None


def count_small_words(text: str) -> Counter[str]:
    """For each language told by small words: how many words of the text are among its commonest."""
    found = [word.lower() for word in _WORD.findall(text)]
    return Counter({language: sum(word in small for word in found) for language, small in _SMALL_WORDS.items()})


def detect_language(texts: Iterable[str]) -> str | None:
    """The language of at least three fifths of a corpus; None where there is no such language.

    Looks at the first page of the first 200 texts. A corpus is sorted by hashes, so they are a fair sample.
    """
    shares: Counter[str | None] = Counter()
    for text in islice(texts, _SAMPLE):
        shares[guess_language(text)] += min(len(text), _LOOKED_AT)
    if not shares:
        return None
    language, share = shares.most_common(1)[0]
    return language if share >= _SHARE * shares.total() else None
