"""Text as it is kept: one form for each character, one line end, nothing that cannot be seen.

Offsets count in the cleaned text, so cleaning it again must change nothing.
"""

import re
import unicodedata

from ragset.documents.references import cut_references

_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Controls, soft hyphens, zero-width spaces and byte order marks; not the joiners that scripts and emoji need.
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufffe\uffff]")
_TRAILING = re.compile(r"(?<![^\S\n])[^\S\n]++$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")
_LETTERS = r"[^\W\d_]"
_BROKEN = re.compile(rf"(?<![\w-])({_LETTERS}+)-\n[ \t]*(?=({_LETTERS}+))")
_SPACED = re.compile(rf"(?<![\w-])({_LETTERS}{{2,}})- (?=({_LETTERS}{{2,}})(?![\w-]))")
_WORD = re.compile(rf"{_LETTERS}+")
_COMPOUND = re.compile(rf"(?<!{_LETTERS})(?=({_LETTERS}++-{_LETTERS}+))")


def clean_text(text: str, *, drop_references: bool = False) -> str:
    """`text` in Unicode NFC with one-character line ends, without control characters or the hyphens of line breaks.

    At most one blank line in a row, no white space at the ends of lines or of the text. `drop_references` also takes
    out what a wiki leaves between the words, and cuts a trailing section of references.
    """
    # One join or cut can make room for another.
    while (cleaned := _clean_once(text, drop_references=drop_references)) != text:
        text = cleaned
    return text


def _clean_once(text: str, *, drop_references: bool) -> str:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))
    text = _TRAILING.sub("", unicodedata.normalize("NFC", text))
    text = _join_words(text)
    if drop_references:
        text = cut_references(text)
    return unicodedata.normalize("NFC", _BLANK_LINES.sub("\n\n", _TRAILING.sub("", text)).strip())


def _join_words(text: str) -> str:
    """Words that a line end or a typesetter's space has parted, whole again; compounds keep their hyphen."""
    if "-\n" in text:
        compounds = {compound.lower() for compound in _COMPOUND.findall(text)}

        def join(match: re.Match[str]) -> str:
            left, right = match[1], match[2]
            if f"{left}-{right}".lower() in compounds:
                return f"{left}-"
            return left if right[0].islower() else match[0]

        text = _BROKEN.sub(join, text)
    if "- " in text:
        words = {word.lower() for word in _WORD.findall(text)}
        text = _SPACED.sub(lambda match: match[1] if (match[1] + match[2]).lower() in words else match[0], text)
    return text
