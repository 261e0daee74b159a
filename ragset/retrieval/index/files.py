"""What an index is on disk.

`<home>/collections/<collection>/meta.json` names a generation, which is complete before. Its files are
`chunks-*.parquet`, `vectors-*.npy` (memory-mapped, a row for each chunk, in the same order) and `bm25-*.npz`. Earlier
generations that a run still uses are kept, each with its `meta-*.json`. `words-*.arrow`, the weights of all words, is made
by the first search for words that no vector store does. `dropped-*-*.jsonl` are chunks that were left out.
"""

import hashlib
import heapq
import re
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragset.errors import InputError, StoreError
from ragset.models import Chunk, Model, Span
from ragset.retrieval.bm25 import Statistics
from ragset.retrieval.embedding.vectors import Vectors
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index.table import Keys, read_keys, read_rows, read_texts
from ragset.retrieval.index.uses import in_use
from ragset.retrieval.keyword_matrix import KeywordMatrix, write_matrix
from ragset.settings.lock import waited_for
from ragset.settings.whole_file import replace_text
from ragset.text.words import TOKENS

META = "meta.json"
_first_search = threading.Lock()
KINDS = {"chunks": ".parquet", "vectors": ".npy", "bm25": ".npz"}
WORDS, DROPPED = "words", "dropped"


class Meta(Model):
    """What `meta.json` holds."""

    version: int = TOKENS  # of the words that its BM25 statistics count
    corpus: str
    chunking: str
    embedding: str
    embedded_by: str  # the identity of the embedder
    corpus_hash: str = ""  # of the documents that the chunks were cut from, where the caller gave it
    rows: int
    dimensions: int
    digest: str  # of the rows; it names the files of the generation


class Report(Model):
    """How many chunks one indexing added, kept and removed."""

    added: int = 0
    kept: int = 0
    removed: int = 0


@dataclass(frozen=True)
class Index(Keys):
    """The chunks of one corpus, strategy and embedding, by document id, start and end; texts stay on disk."""

    folder: Path
    meta: Meta
    vectors: Vectors  # memory-mapped; row for row with `ids`, of length 1
    report: Report = field(default_factory=Report)
    stored_as: str = ""  # the name of this generation's own collection; empty: the collection is named like the folder

    @property
    def collection(self) -> str:
        """Its name in the vector store."""
        return self.stored_as or self.folder.name

    @property
    def chars(self) -> NDArray[np.int64]:
        """Characters of each chunk."""
        return self.ends - self.starts

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each id."""
        return {key: row for row, key in enumerate(self.ids)}

    @cached_property
    def statistics(self) -> Statistics:
        """For the BM25 weights of queries."""
        return Statistics.load(self.folder / f"bm25-{self.meta.digest}.npz")

    @cached_property
    def _keywords(self) -> KeywordMatrix:
        path = self.folder / f"{WORDS}-{self.meta.digest}.arrow"
        partial = self.folder / f"{WORDS}.partial"
        with waited_for(self.folder / f"{WORDS}.lock"):  # of several processes one writes
            if not path.exists():
                write_matrix(partial, read_texts(self.chunk_file), self.statistics)
                partial.replace(path)
        return KeywordMatrix.open(path, len(self))

    @property
    def chunk_file(self) -> Path:
        """Of this generation."""
        return self.folder / f"chunks-{self.meta.digest}.parquet"

    def __len__(self) -> int:
        return len(self.ids)

    def span(self, row: int) -> Span:
        """The place of the chunk in a row."""
        return Span(doc_id=self.doc_ids[row], start=int(self.starts[row]), end=int(self.ends[row]))

    def rows_over(self, span: Span) -> list[int]:
        """The rows of the chunks that share characters with the span."""
        rows = range(bisect_left(self.doc_ids, span.doc_id), bisect_right(self.doc_ids, span.doc_id))
        return [row for row in rows if self.starts[row] < span.end and self.ends[row] > span.start]

    def search_words(self, queries: Sequence[Mapping[int, float]], limit: int) -> list[list[Hit]]:
        """As `VectorStore.search_sparse`, without a store; the first search of a generation reads all of its chunks."""
        found: list[list[Hit]] = []
        with _first_search:  # of several threads one reads
            keywords = self._keywords
        for query in queries:
            scores = keywords.scores(query)
            least = np.partition(scores, -limit)[-limit] if limit < len(scores) else scores.dtype.type(0)
            best = [Hit(self.ids[row], float(scores[row])) for row in np.flatnonzero(scores > least).tolist()]
            # Chunks made from one template tie by the thousand.
            tied = np.flatnonzero(scores == least).tolist() if least > 0 else ()
            first = heapq.nsmallest(limit - len(best), map(self.ids.__getitem__, tied))
            found.append(sorted(best, key=lambda hit: (-hit.score, hit.id)) + [Hit(key, float(least)) for key in first])
        keywords.release()
        return found

    def chunks(self, rows: Sequence[int] | NDArray[np.int64]) -> list[Chunk]:
        """The chunks of these rows, in the order asked for, read from disk."""
        places = [range(len(self))[int(row)] for row in rows]
        found = read_rows(self.chunk_file, places)
        if [chunk.id for chunk in found] != [self.ids[place] for place in places]:
            raise StoreError(f"{self.chunk_file}: was changed while a run read it; index the documents again")
        return found


def collection_name(corpus: str, chunking: str, embedding: str, identity: str = "") -> str:
    """Names the folder and the collection of each combination: letters, digits and `_`, at most 255 of them."""
    key = "\n".join([corpus, chunking, identity or embedding])
    words = re.sub(r"[^A-Za-z0-9]+", "_", f"{corpus}_{chunking}_{embedding}").strip("_")
    return f"ragset_{words[:200]}_{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def index_folder(home: Path, collection: str) -> Path:
    """Where the files of a collection are."""
    return home / "collections" / collection


def open_index(home: Path, name: str, digest: str = "") -> Index:
    """The index in the folder of that name: its current generation, or the one of that digest.

    Raises:
        InputError: there is none yet.
        StoreError: its files are damaged, and indexing again mends them; or the generation is not kept.
    """
    folder = index_folder(home, name)
    if not (folder / META).exists():
        raise InputError(f"{folder}: there is no index yet; index the documents first")
    try:
        meta = Meta.model_validate_json((folder / META).read_bytes())
        if digest not in {"", meta.digest}:
            if not (earlier := folder / f"meta-{digest}.json").exists():
                raise StoreError(f"{folder}: has other chunks now ({meta.rows:,}); index the documents again")
            meta = Meta.model_validate_json(earlier.read_bytes())
        files = [folder / f"{kind}-{meta.digest}{suffix}" for kind, suffix in KINDS.items()]
        if missing := [path.name for path in files if not path.exists()]:
            raise StoreError(f"{folder}: {missing[0]} is missing; index the documents again")
        keys = read_keys(files[0])
        vectors = np.load(files[1], mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:  # pyarrow's and pydantic's errors are ValueErrors
        raise StoreError(f"{folder}: a file is damaged ({type(error).__name__}); index the documents again") from error
    if keys.digest != meta.digest or vectors.shape != (meta.rows, meta.dimensions):
        raise StoreError(f"{folder}: its files do not belong together; index the documents again")
    return Index(**vars(keys), folder=folder, meta=meta, vectors=vectors)


def write_meta(folder: Path, meta: Meta, before: Meta | None = None) -> None:
    """Make `meta`'s generation the current one, in place of `before`, and remove the files of those that no run uses."""
    used = in_use(folder) - {meta.digest}
    if before is not None and before.digest in used:
        replace_text(folder / f"meta-{before.digest}.json", before.model_dump_json(indent=2) + "\n")
    replace_text(folder / META, meta.model_dump_json(indent=2) + "\n")
    for kind, suffix in {**KINDS, WORDS: ".arrow", DROPPED: ".jsonl", "meta": ".json"}.items():
        kept = used if kind == "meta" else used | {meta.digest}
        for path in folder.glob(f"{kind}-*{suffix}"):
            if path.stem.split("-")[1] not in kept:
                path.unlink()
