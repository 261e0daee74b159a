"""Text as it is kept, cleaned so that cleaning it again changes nothing: offsets count in the cleaned text."""

import re
import unicodedata
from collections.abc import Callable

from ragset.documents.references import cut_references

_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Controls, soft hyphens, zero-width spaces and byte order marks; not the joiners that scripts and emoji need.
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufffe\uffff]")
_BLANK_LINES = re.compile(r"\n{3,}")
_LETTERS = r"[^\W\d_]"
_BROKEN = re.compile(rf"[-\u2010]\n[ \t]*(?=({_LETTERS}+))")  # man pages have a hyphen of their own (U+2010)
_SPACED = re.compile(rf"- (?=({_LETTERS}{{2,}})(?![\w-]))")
_HYPHEN = re.compile(rf"-(?=({_LETTERS}+))")
_WORD = re.compile(rf"{_LETTERS}+")


def clean_text(text: str, *, drop_references: bool = False) -> str:
    """`text` in Unicode NFC with one-character line ends, without control characters or the hyphens of line breaks.

    Blank lines stand alone, and no line ends in white space. `drop_references` removes references and the marks of wikis.
    """
    # One join or cut can make room for another.
    while (cleaned := _clean_once(text, drop_references)) != text:
        text = cleaned
    return text


def _clean_once(text: str, drop_references: bool) -> str:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))
    text = _join_words(_without_trailing(unicodedata.normalize("NFC", text)))
    if drop_references:
        text = cut_references(text)
    text = _BLANK_LINES.sub("\n\n", _without_trailing(text))
    return unicodedata.normalize("NFC", text.strip())


def _without_trailing(text: str) -> str:
    return "\n".join([line.rstrip() for line in text.split("\n")])


def _join_words(text: str) -> str:
    """Words that a line end or a typesetter's space has parted, whole again; compounds keep their hyphen."""
    broken = [_Parted(text, match) for match in _BROKEN.finditer(text)]
    if any(parted.left for parted in broken):
        hyphens = (_Parted(text, match) for match in _HYPHEN.finditer(text))
        compounds = {f"{one.left}-{one.right}".lower() for one in hyphens if one.left}
        text = _joined(text, [one for one in broken if one.left], lambda one: one.after_line_end(compounds))
    spaced = [one for match in _SPACED.finditer(text) if len((one := _Parted(text, match)).left) > 1]
    if spaced:
        words = {word.lower() for word in _WORD.findall(text)}
        text = _joined(text, spaced, lambda one: "" if (one.left + one.right).lower() in words else None)
    return text


class _Parted:
    def __init__(self, text: str, match: re.Match[str]) -> None:
        self.start, self.end = match.span()
        first = self.start
        # Patterns begin with the hyphen, which is found at once; one that began with a word would try every word.
        while first and text[first - 1].isalnum() and not text[first - 1].isdecimal():
            first -= 1
        self.left, self.right = text[first : self.start], match[1]
        if match.re is not _HYPHEN and first and (text[first - 1].isalnum() or text[first - 1] in "_-"):
            self.left = ""  # not a whole word

    def after_line_end(self, compounds: set[str]) -> str | None:
        """What takes the place of hyphen and line end; None: they stay."""
        if f"{self.left}-{self.right}".lower() in compounds:
            return "-"
        return "" if self.right[0].islower() else None


def _joined(text: str, parted: list[_Parted], choose: Callable[[_Parted], str | None]) -> str:
    pieces: list[str] = []
    place = 0
    for one in parted:
        if (between := choose(one)) is not None:
            pieces += (text[place : one.start], between)
            place = one.end
    return "".join((*pieces, text[place:]))
