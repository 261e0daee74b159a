"""Where sentences begin, by sentencex: rules and abbreviations of some 300 languages."""

import re
from collections.abc import Iterator
from functools import lru_cache

from ragset.text.tokens import without_surrogates

PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
# Ends of sentences in scripts that put no space behind them.
UNSPACED_STOP = re.compile(r"[。！？｡．؟۔।॥።։][。！？｡．…]*[」』】）〉》”’]*")

_BLOCK = 20_000  # characters given to sentencex at once: its time grows faster than the length
_SEAM = re.compile(r"(?<![.?!\"'”’»)\]}\s])\s+(?=\S)")  # white space behind a character that ends no sentence
WIKI_HEADING = r" {0,3}(?P<marks>=(?: ?=){0,5})[ \t]*(?P<title>[^=\s](?:.*[^=\s])?)[ \t]*(?P=marks)[ \t]*"
"""A heading as wikis write it: `== Title ==`, `= = Title = =`."""
_TITLE = rf"(?:#{{1,6}} \S.*|{WIKI_HEADING})"
_HEADING = re.compile(f"{_TITLE}$")
_HEADING_LINE = re.compile(rf"\s*{_TITLE}\n\s*")
_LONGEST_HEADING = 200
_ITEM = re.compile(r"\n[ \t]*(?=[-*+•][ \t]+\S)|(?<=[.:;!?\n])\n[ \t]*(?=\d{1,3}[.)][ \t]+\S)")
"""In front of an item of a list. A number may also begin a line within a sentence, so there the line above must end one."""


def sentences(text: str, language: str) -> list[int]:
    """Where sentences begin, except the first; ascending. A heading belongs to the sentence below it."""
    from sentencex import get_sentence_boundaries  # pyright: ignore[reportAttributeAccessIssue]

    found = {match.end() for match in PARAGRAPH.finditer(text)}
    for start, end in _blocks(text):
        block = without_surrogates(text[start:end])
        for boundary in get_sentence_boundaries(language, block):
            sentence = boundary["text"]
            if boundary["start_index"] and not sentence.isspace():
                found.add(start + boundary["start_index"] + len(sentence) - len(sentence.lstrip()))
    return sorted(place for place in found if 0 < place < len(text) and not parts_heading(text, place))


@lru_cache(maxsize=1024)  # each stage of a pipeline asks about the same passage
def sure_sentences(text: str, language: str) -> tuple[int, ...]:
    """As `sentences`, and items of lists; without those in lower case or digits within a paragraph: "e.g." and "No." end none."""
    sure = {match.end() for of in (PARAGRAPH, _ITEM) for match in of.finditer(text)}
    found = {place for place in sentences(text, language) if not (text[place].islower() or text[place].isdigit())}
    return tuple(sorted(found | {place for place in sure if 0 < place < len(text) and not parts_heading(text, place)}))


def below_headings(text: str, start: int, end: int) -> int:
    """Where what is under the headings begins that a sentence opens with; `start` if there is none."""
    while heading := _HEADING_LINE.match(text, start, end):
        start = heading.end()
    return start


def parts_heading(text: str, place: int) -> bool:
    """Whether a cut at `place` would part a heading from what is under it."""
    before = text[max(0, place - _LONGEST_HEADING) : place].rstrip()
    return bool(_HEADING.match(before, before.rfind("\n") + 1))


def _blocks(text: str) -> Iterator[tuple[int, int]]:
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
