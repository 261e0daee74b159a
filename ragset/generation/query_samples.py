"""Real queries of users, whose way of writing is imitated: read from a file, and drawn near to a passage."""

import hashlib
import json
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ragset.dataset.importers.files import read_json_lines, read_table, read_text
from ragset.errors import InputError
from ragset.models import Model
from ragset.retrieval.embedding import Embedder, Vectors
from ragset.text.languages import guess_language
from ragset.text.query_forms import FormMix, QueryForm, form_of, mix_of

MOST = 10_000
"""Distinct queries of a file: each is embedded, and compared with every passage."""
LONGEST = 2_000
COLUMN = "query"
SHOWN = 3
_TO_SPACES = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")


class Samples(Model):
    """Distinct queries, in the order of their file."""

    queries: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Of the queries, wherever they were read from; 16 hexadecimal digits, and empty where there are none."""
        said = json.dumps(self.queries, ensure_ascii=False).encode()
        return hashlib.sha256(said).hexdigest()[:16] if self.queries else ""

    def near(self, text: str, count: int = SHOWN) -> tuple[str, ...]:
        """The queries most alike to a text by words and parts of words, best first, no two of them much alike."""
        if not self.queries:
            return ()
        embedder, vectors = _embedded(self.queries)
        # Rounded, as machines add up in different orders.
        order = (-(vectors @ embedder.embed([text])[0]).round(5)).argsort(kind="stable").tolist()
        chosen: list[int] = []
        for row in order:
            if len(chosen) < count and (not chosen or float((vectors[chosen] @ vectors[row]).max()) < 0.6):
                chosen.append(row)
        return tuple(self.queries[row] for row in chosen)

    def form(self, language: str, styles: Sequence[str], seed: int, case: str) -> QueryForm | None:
        """The form of a query drawn by seed and case, of those whose opening is one of `styles`, if any are named.

        None where there is none. `language` is that of the queries; empty: the one that they seem to be in.
        """
        forms = [form for form in _forms(self.queries, language) if not styles or form.opening in styles]
        if not forms:
            return None
        digest = hashlib.sha256(f"{seed}\nform\n{case}".encode()).digest()
        return forms[int.from_bytes(digest[:8], "big") % len(forms)]

    def mix(self, language: str) -> FormMix:
        """What forms the queries have; there is at least one."""
        return mix_of(_forms(self.queries, language))


NO_SAMPLES = Samples()


def read_samples(path: Path) -> Samples:
    """The queries of a file: a line each, or the column or field `query` of `.csv`, `.tsv` and `.jsonl`.

    White space and control characters count as one space; empty lines and repeats are left out.

    Raises:
        InputError: it is not there, is no UTF-8 text, or a line of it is no query; the message names the line.
    """
    found: dict[str, None] = {}
    for number, said in _lines(path):
        if not isinstance(said, str):
            raise InputError(f'{path}: line {number} has no text in the field `{COLUMN}`; write {{"{COLUMN}": "…"}}')
        query = one_line(said)
        if len(query) > LONGEST:
            raise InputError(f"{path}: line {number} has {len(query):,} characters; a query has at most {LONGEST:,}")
        if query:
            found[query] = None
        if len(found) > MOST:
            raise InputError(f"{path}: holds more than {MOST:,} queries; draw some of them")
    if not found:
        raise InputError(f"{path}: holds no query; write one a line")
    return Samples(queries=tuple(found))


def one_line(query: str) -> str:
    """A query in NFC, with one space for white space and control characters."""
    spaced = " ".join(query.translate(_TO_SPACES).split())
    # Halves of surrogate pairs, which JSON can name and no request can hold, become question marks.
    return unicodedata.normalize("NFC", spaced).encode(errors="replace").decode()


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    match path.suffix.lower():
        case ".json":
            raise InputError(f"{path}: write samples as .txt (a query a line), .csv or .jsonl (each with `{COLUMN}`)")
        case ".csv" | ".tsv":
            names, rows = read_table(path)
            column = next((name for name in names if name.lower() == COLUMN), None)
            if column is None:
                raise InputError(f"{path}: has no column `{COLUMN}`; name the column that holds the queries so")
            yield from ((row.line, row.fields[column]) for row in rows)
        case ".jsonl" | ".ndjson":
            yield from ((row.line, row.fields.get(COLUMN)) for row in read_json_lines(path))
        case _:
            text = read_text(path).replace("\r\n", "\n").replace("\r", "\n")
            yield from enumerate(text.split("\n"), start=1)


@lru_cache(maxsize=4)
def _forms(queries: tuple[str, ...], language: str) -> tuple[QueryForm, ...]:
    language = language or guess_language(" ".join(queries[:100])) or "en"
    return tuple(form_of(query, language) for query in queries)


@lru_cache(maxsize=4)
def _embedded(queries: tuple[str, ...]) -> tuple[Embedder, Vectors]:
    from ragset.retrieval.embedding.offline import OfflineEmbedder

    embedder = OfflineEmbedder()
    return embedder, embedder.embed(queries)
