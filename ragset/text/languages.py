"""Which language a text is in, told by its script and its commonest small words, and whether a query is in the wrong one."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from itertools import islice

from ragset.text.rules import LANGUAGES
from ragset.text.rules.tables import rules_of

_TABLE = tomllib.loads((files("ragset.text") / "small_words.toml").read_text(encoding="utf-8"))
_SMALL_WORDS = {language: frozenset(words.split()) for language, words in _TABLE.items()}
_LANGUAGES_OF = {
    word: [language for language, small in _SMALL_WORDS.items() if word in small]
    for word in frozenset[str]().union(*_SMALL_WORDS.values())
}
# Scripts of one language; what has a kana is Japanese whatever else it has.
_SCRIPTS = (
    ("ja", re.compile(r"[\u3041-\u30ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
_WORD = re.compile(r"\b[^\W\d_]+\b")  # the letters of a part number such as E5 are no words
_LOOKED_AT = 2_000  # characters of a text; the first page decides
_SAMPLE = 200  # texts of a corpus that are looked at
_SHARE = 0.6  # of a corpus that must be in a language for it to be the corpus's
_TOLD = 3  # letters that the different small words of a language must have together
_FEWEST = 4  # words below which a query says too little about its language: names are the same in many
_FEWEST_SMALL = 2  # small words of the other language: one is often part of a name ("Tyne and Wear", "Carl von Linde")
_PLAINLY = 2  # how many times the small words of the language wanted there must be of another
_AHEAD = 1.15  # times the small words of the next best language: Danish and Norwegian differ by few


@lru_cache(maxsize=1024)  # each stage of a pipeline asks about the same passage
def guess_language(text: str) -> str | None:
    """The language of one text by its script or small words; None if it is unknown or two are too close."""
    shown = text[:_LOOKED_AT]
    letters = 0 if shown.isascii() else sum(map(str.isalpha, shown))
    for language, script in _SCRIPTS if letters else ():
        if len(script.findall(shown)) >= (0.2 if language == "ja" else 0.5) * letters:
            return language
    words = _WORD.findall(shown)
    (best, most), (_, next_most) = _count(words).most_common(2)
    if most <= next_most or most < max(_AHEAD * next_most, 0.15 * len(words)):
        return None
    # Single letters are words of Czech or Portuguese, and names in code.
    told = {word.lower() for word in words if len(word) > 1} & _SMALL_WORDS[best]
    return best if sum(map(len, told)) >= _TOLD else None


def _count(words: Iterable[str]) -> Counter[str]:
    counts = Counter(dict.fromkeys(_SMALL_WORDS, 0))
    for word in words:
        for language in _LANGUAGES_OF.get(word.lower(), ()):
            counts[language] += 1
    return counts


def detect_language(texts: Iterable[str]) -> str | None:
    """The language of at least three fifths of a corpus, by the beginnings of its first 200 texts; None if none has."""
    # A corpus is sorted by hashes, so its first texts are a fair sample.
    shares: Counter[str | None] = Counter()
    for text in islice(texts, _SAMPLE):
        shares[guess_language(text)] += min(len(text), _LOOKED_AT)
    language, share = max(shares.items(), key=lambda counted: counted[1], default=(None, 0))
    return language if share >= _SHARE * shares.total() else None


def in_another(query: str, language: str) -> str | None:
    """The language that `query` is plainly in, if it is not `language`; else None.

    A language without a list of small words is told apart from English alone, which models slip into.
    """
    if len(_WORD.findall(query)) < _FEWEST:
        return None
    found = guess_language(query)
    if found is None or found == language:
        return None
    counts = _count(_WORD.findall(query))
    if found in counts and counts[found] < _FEWEST_SMALL:
        return None
    if language not in counts:
        return "en" if found == "en" else None
    if counts[found] < _PLAINLY * counts[language] or (language == "es" and "¿" in query):
        return None
    opening = query.lstrip("¿ \"'“«").lower()
    return None if language in LANGUAGES and rules_of(language).asks.match(opening) else found
