"""Real queries of users, whose way of writing is imitated: read from a file, and drawn near to a passage."""

import csv
import hashlib
import io
import json
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from ragset.errors import InputError
from ragset.models import Model
from ragset.retrieval.embedding.vectors import Vectors

MOST = 10_000
"""Distinct queries of a file: each is embedded, and compared with every passage."""
LONGEST = 2_000
"""Characters of a query."""
COLUMN = "query"
SHOWN = 3
_ALIKE = 0.6
"""Cosine, of the offline embedding, from which two queries show the same thing."""
_MOST_BYTES = 50_000_000
_TO_SPACES = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")
_UNSEEN = "\u200b\u2060\ufeff"
"""Characters of no width that join nothing, so that a line of them alone says nothing."""
_TABLES = {".csv": ",", ".tsv": "\t"}
_LINES = (".jsonl", ".ndjson")

_embedding = Lock()


class Samples(Model):
    """Distinct queries, in the order of their file."""

    queries: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Of the queries, wherever they were read from; 16 hexadecimal digits, and empty where there are none."""
        said = json.dumps(self.queries, ensure_ascii=False).encode()
        return hashlib.sha256(said).hexdigest()[:16] if self.queries else ""

    def near(self, text: str, count: int = SHOWN) -> tuple[str, ...]:
        """The queries most similar to a text, best first, at most `count` and no two of them much alike.

        Similar by words and parts of words: it needs no model. There are fewer where the rest are all alike.
        """
        if not self.queries:
            return ()
        with _embedding:  # one thread embeds the samples, the others find them in the cache
            vectors = _vectors(self.queries)
        # Rounded, as machines add up in different orders.
        order = (-(vectors @ _embedder().embed([text])[0]).round(5)).argsort(kind="stable").tolist()
        chosen: list[int] = []
        for row in order:
            if not chosen or float((vectors[chosen] @ vectors[row]).max()) < _ALIKE:
                chosen.append(row)
                if len(chosen) == count:
                    break
        return tuple(self.queries[row] for row in chosen)


def read_samples(path: Path) -> Samples:
    """The queries of a file: a line each, or the column or field `query` of `.csv`, `.tsv` and `.jsonl`.

    White space and control characters count as one space; empty lines and repeats are left out, and so is a first line
    that is a title.

    Raises:
        InputError: it is not there, is no UTF-8 text, or a line of it is no query; the message names the line.
    """
    text = _text(path)
    kind = path.suffix.lower()
    if kind == ".json":
        raise InputError(f"{path}: write samples as .txt (a query a line), .csv or .jsonl (each with `{COLUMN}`)")
    if kind in _TABLES:
        lines = _table(path, text, _TABLES[kind])
    else:
        lines = _json_lines(path, text) if kind in _LINES else _text_lines(text)
    found: dict[str, None] = {}
    for number, said in lines:
        query = _plain(said)
        if len(query) > LONGEST:
            raise InputError(
                f"{path}, line {number}: has {len(query):,} characters, and a query at most {LONGEST:,}; "
                "give queries, not documents"
            )
        if query:
            found[query] = None
        if len(found) > MOST:
            raise InputError(f"{path}: holds more than {MOST:,} queries; draw some of them")
    if not found:
        raise InputError(f"{path}: holds no query; write one a line")
    return Samples(queries=tuple(found))


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(f"{path}: is larger than {_MOST_BYTES // 1_000_000} MB; draw some of its queries")
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    try:
        text = content.decode("utf-8-sig")
        fault, place = "is binary", content.find(0)
    except UnicodeDecodeError as error:
        text, fault, place = "", "is not UTF-8", error.start
    if place >= 0:
        line = content.count(b"\n", 0, place) + 1
        raise InputError(f"{path}, line {line}: {fault}; save the queries as UTF-8 text")
    return text if path.suffix.lower() in _TABLES else text.replace("\r\n", "\n").replace("\r", "\n")


def _text_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        # Cut from a table, it has the name of its column yet.
        if number > 1 or _plain(line).strip("\"'").lower() != COLUMN:
            yield number, line


def _table(path: Path, text: str, delimiter: str) -> Iterator[tuple[int, str]]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = [name.strip().lower() for name in next(rows, [])]
        if COLUMN not in header:
            raise InputError(f"{path}, line 1: has no column `{COLUMN}`; name the column that holds the queries so")
        place = header.index(COLUMN)
        begins = rows.line_num + 1
        for row in rows:
            if row and len(row) <= place:
                raise InputError(f"{path}, line {begins}: has {len(row)} of {len(header)} columns, and no `{COLUMN}`")
            yield begins, row[place] if row else ""
            begins = rows.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {rows.line_num}: is no table ({error})") from None


def _json_lines(path: Path, text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        query = row.get(COLUMN) if isinstance(row, dict) else None
        if not isinstance(query, str):
            fault = f"has no text in the field `{COLUMN}`" if isinstance(row, dict) else "is no JSON object"
            raise InputError(f'{path}, line {number}: {fault}; write {{"{COLUMN}": "…"}}')
        yield number, query


def _plain(text: str) -> str:
    """In one line. Halves of surrogate pairs, which JSON can name and no request can hold, are question marks."""
    spaced = " ".join(text.translate(_TO_SPACES).split()).strip(_UNSEEN + " ")
    return unicodedata.normalize("NFC", spaced).encode(errors="replace").decode()


@lru_cache(maxsize=1)
def _embedder() -> Any:
    from ragset.retrieval.embedding.offline import OfflineEmbedder

    return OfflineEmbedder()


@lru_cache(maxsize=4)
def _vectors(queries: tuple[str, ...]) -> Vectors:
    return _embedder().embed(queries)
