"""Real queries of users, whose way of writing is imitated: read from a file, and drawn near to a passage."""

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ragset.errors import InputError
from ragset.generation.labelling.queries import LONGEST, read_queries
from ragset.models import Model
from ragset.retrieval.embedding import Embedder, Vectors
from ragset.text.languages import guess_language
from ragset.text.query_forms import FormMix, QueryForm, form_of, mix_of

MOST = 10_000
"""Distinct queries of a file: each is embedded, and compared with every passage."""
SHOWN = 3


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
    """The queries of a file, each once, as `read_queries` finds them.

    Raises:
        InputError: it cannot be read, holds no query or more than `MOST`, or a query is too long.
    """
    found = read_queries(path)
    for one in found.rejects:
        if one.reason == "too_long":
            raise InputError(f"{path}: {one.detail} is longer than a query may be, {LONGEST:,} characters")
        if one.reason == "no_query" and path.suffix.lower() in {
            ".json",
            ".jsonl",
        }:  # in a table, empty cells are common
            raise InputError(f"{path}: {one.detail} has no query; mend or remove it")
    if len(found.queries) > MOST:
        raise InputError(f"{path}: holds more than {MOST:,} queries; draw some of them")
    return Samples(queries=tuple(one.query for one in found.queries))


@lru_cache(maxsize=4)
def _forms(queries: tuple[str, ...], language: str) -> tuple[QueryForm, ...]:
    language = language or guess_language(" ".join(queries[:100])) or "en"
    return tuple(form_of(query, language) for query in queries)


@lru_cache(maxsize=4)
def _embedded(queries: tuple[str, ...]) -> tuple[Embedder, Vectors]:
    from ragset.retrieval.embedding.offline import OfflineEmbedder

    embedder = OfflineEmbedder()
    return embedder, embedder.embed(queries)
