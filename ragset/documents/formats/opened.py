"""An opened file and what a reader makes of it: texts with titles and metadata, still to be cleaned."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, BinaryIO, NamedTuple

from ragset.documents.decoding import decode
from ragset.errors import DocumentError


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
