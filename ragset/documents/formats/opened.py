"""An opened file and what a reader makes of it: texts with titles and metadata, still to be cleaned."""

import codecs
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, BinaryIO, NamedTuple

from ragset.errors import DocumentError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 200_000
_UNTOLD = "undecodable: neither UTF-8 nor any encoding that can be told; save it as UTF-8"


def decode(content: bytes, source: str, declared: str | None = None) -> str:
    """The text of `content`: by its byte order mark, as UTF-8, as declared, or in the encoding it is most likely in."""
    encoding = encoding_of(content, source, declared, whole=True)
    if b"\0" in content and not encoding.startswith(("utf-16", "utf-32")):
        raise DocumentError(source, "binary: it holds NUL bytes")
    try:
        return content.decode(encoding)
    except (ValueError, LookupError):
        marked = any(content.startswith(mark) for mark, _ in _MARKS)
        fault = f"undecodable: marked as {encoding}, which it is not" if marked else _UNTOLD
        raise DocumentError(source, fault) from None


def encoding_of(content: bytes, source: str, declared: str | None = None, *, whole: bool = False) -> str:
    """The encoding of a file that begins with `content`, or is `whole` in it."""
    if marked := next((encoding for mark, encoding in _MARKS if content.startswith(mark)), None):
        return marked
    sample = content[:_SAMPLE]
    # UTF-16 without a mark: in Western text every other byte is 0.
    for encoding, zeros in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[0::2])):
        if zeros.count(0) > 0.7 * len(zeros) and len(content) % 2 == 0:
            return encoding
    for encoding in filter(None, ("utf-8", declared)):
        try:
            # What is not whole may end within a character.
            codecs.getincrementaldecoder(encoding)().decode(content, final=whole)
        except (ValueError, LookupError):  # a ValueError also where the name holds a NUL
            continue
        return encoding
    return _guess(sample, source)


def _guess(sample: bytes, source: str) -> str:
    from charset_normalizer import from_bytes

    if sum(byte < 9 or 13 < byte < 32 for byte in sample) > 0.02 * len(sample):
        raise DocumentError(source, "binary: it holds control characters")
    matches = from_bytes(sample)
    best = matches.best()
    if best is None:
        raise DocumentError(source, _UNTOLD)
    equals = [match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    # A few words look alike in many encodings, and one of these is by far the most common.
    western = any("cp1252" in match.could_be_from_charset for match in equals)
    return "cp1252" if western else best.encoding


class Read(NamedTuple):
    """One text of a file."""

    source: str
    text: str
    title: str = ""
    metadata: Mapping[str, Any] = {}


class Opened(NamedTuple):
    """A file that a reader is given, at its beginning."""

    file: BinaryIO
    source: str  # what messages call it
    kind: str  # its extension, in lower case
    charset: str | None  # what the server said of a page
    max_bytes: int  # the limit of one document
    text_field: str = "text"  # of a row or an object, where the file is a table or JSON

    def content(self) -> bytes:
        """The whole file."""
        self.file.seek(0)
        content = self.file.read(self.max_bytes + 1)
        if len(content) > self.max_bytes:
            limit = f"`max_bytes`, {self.max_bytes:,}; split the file, or raise the limit"
            raise DocumentError(self.source, f"too large: it has more than {limit}")
        if not content.strip():
            raise DocumentError(self.source, "empty")
        return content

    def text(self) -> str:
        """The whole file, decoded; raises as `content`, or where it is no text."""
        return decode(self.content(), self.source, self.charset)

    @property
    def stem(self) -> str:
        """The name of the file in words, for a document without a title."""
        return re.sub("[-_]", " ", PurePosixPath(self.source.split("?")[0].removesuffix(".gz")).stem).strip()
