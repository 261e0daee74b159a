"""Where sentences begin, by NLTK's Punkt and the models that llama-index carries in its files."""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ragset.errors import InputError
from ragset.text.tokens import bundled

logger = logging.getLogger(__name__)

PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
UNSPACED_STOP = re.compile(r"[。！？｡．؟۔।॥።։][。！？｡．…]*[」』】）〉》”’]*")
"""Ends of sentences that Punkt does not know, most of them in scripts that put no space behind."""

_BLOCK = 20_000
"""Characters given to Punkt at once: its matches are given up after some seconds, and a long run takes the square."""
_SEAM = re.compile(r"(?<![.?!\"'”’»)\]}\s])\s+(?=\S)")
"""White space behind what no sentence ends with: cutting there parts no two sentences."""
_HEADING = re.compile(r"#{1,6} \S|(={2,6}) .* \1$")
"""Of Markdown and of wikis."""
_LONGEST_HEADING = 200
LANGUAGES = {
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "ml": "malayalam",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sl": "slovene",
    "sv": "swedish",
    "tr": "turkish",
}


def sentences(text: str, language: str) -> list[int]:
    """Where sentences begin, the first apart, by the Punkt model of the language; rising.

    Kiss and Strunk, "Unsupervised multilingual sentence boundary detection", 2006. A paragraph always ends a
    sentence, and so does the full stop of another script (`。`, `؟`, `।`); a heading goes with the sentence under it.
    Languages without a model are read as English.
    """
    found = {match.end() for pattern in (PARAGRAPH, UNSPACED_STOP) for match in pattern.finditer(text)}
    punkt = _punkt(language)
    for start, end in _blocks(text):
        found.update(start + first for first, _ in punkt.span_tokenize(text[start:end]) if first)
    return sorted(place for place in found if 0 < place < len(text) and not parts_heading(text, place))


def parts_heading(text: str, place: int) -> bool:
    """Whether a cut at `place` would part a heading from what is under it."""
    before = text[max(0, place - _LONGEST_HEADING) : place].rstrip()
    return bool(_HEADING.match(before, before.rfind("\n") + 1))


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs, and pieces of those that are too long."""
    start = 0
    for stop in [*(match.end() for match in PARAGRAPH.finditer(text)), len(text)]:
        while stop - start > _BLOCK:
            high = start + _BLOCK
            seams = [match.end() for match in _SEAM.finditer(text, high - _BLOCK // 10, high)]
            end = seams[-1] if seams else high
            yield start, end
            start = end
        yield start, stop
        start = stop


@lru_cache(maxsize=8)
def _punkt(language: str) -> Any:
    """Read here and not by nltk, which refuses files that an installer has hard-linked (uv's default)."""
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    name = LANGUAGES.get(language)
    if name is None:
        logger.warning("there is no sentence model for language %s; sentences are found as in English", language)
    folder = bundled("nltk_cache") / "tokenizers" / "punkt_tab" / (name or "english")

    def rows(file: str) -> list[str]:
        return (folder / file).read_text(encoding="utf-8").splitlines()

    parameters: Any = PunktParameters()
    try:
        parameters.abbrev_types = set(rows("abbrev_types.txt"))
        parameters.sent_starters = set(rows("sent_starters.txt"))
        parameters.collocations = {tuple(row.split("\t")) for row in rows("collocations.tab")}
        # A Counter, because it does not grow by the words that are looked up in vain.
        parameters.ortho_context = Counter(
            {word: int(flags) for word, flags in (row.split("\t") for row in rows("ortho_context.tab"))}
        )
    except OSError:
        raise InputError(f"{folder}: the sentence model is missing; install llama-index-core again") from None
    return PunktSentenceTokenizer(parameters)
