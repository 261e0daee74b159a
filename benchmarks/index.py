"""How fast chunks become an index, and how search in Milvus compares with brute force over the same vectors.

    python -m benchmarks.index [--chunks 20000] [--queries 2000]

Ratios compare things measured in one run on one machine; the seconds beside them are for orientation only.
"""

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from ragset.generation.sampling import sample_order
from ragset.models import Chunk
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.index import Index, build_index
from ragset.retrieval.stores import open_store
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings, Environment, SamplingSettings
from ragset.text.words import tokenise

CHARS = 1_000
TOP = 10


def invented(count: int) -> Iterator[Chunk]:
    """Chunks of about 1,000 characters whose words are as unevenly frequent as those of a language."""
    rng = random.Random(0)
    words = ["".join(rng.choices("etaoinshrdlucmfw", k=rng.randint(2, 11))) for _ in range(30_000)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    cumulated = np.cumsum(weights).tolist()
    for number in range(count):
        text = " ".join(rng.choices(words, cum_weights=cumulated, k=CHARS // 7))
        document, place = f"{number // 20:016x}", (number % 20) * 2 * CHARS
        yield Chunk(doc_id=document, start=place, end=place + len(text), text=text)


@contextmanager
def timed(what: str, count: int) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds = time.perf_counter() - start
    print(f"{what:<44} {seconds:8.2f} s   {count / seconds:10,.0f} a second")


def seconds_of(run: object, times: int = 3) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        run()  # type: ignore[operator]
        best = min(best, time.perf_counter() - start)
    return best


def build(chunks: list[Chunk], home: Path, store: VectorStore) -> Index:
    return build_index(
        chunks,
        corpus="benchmark",
        chunking=ChunkingSettings(),
        embedder=OfflineEmbedder(),
        home=home,
        store=store,
    )


def brute_force(vectors: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """The exact top of each query, in slabs that fit the cache as numpy users write it."""
    found = []
    for start in range(0, len(queries), 1_024):
        scores = queries[start : start + 1_024] @ vectors.T
        top = np.argpartition(-scores, TOP, axis=1)[:, :TOP]
        order = np.argsort(-np.take_along_axis(scores, top, axis=1), axis=1)
        found.append(np.take_along_axis(top, order, axis=1))
    return np.concatenate(found)


def search(index: Index, store: VectorStore, count: int) -> None:
    vectors = np.array(index.vectors)
    rows = np.sort(np.random.default_rng(0).permutation(len(index))[:count])
    queries = vectors[rows]
    store.search_dense(index.collection, queries[:1], TOP)
    ours = seconds_of(lambda: store.search_dense(index.collection, queries, TOP))
    numpys = seconds_of(lambda: brute_force(vectors, queries))
    print(f"\n{count:,} dense searches for the best {TOP} of {len(index):,}")
    print(f"  Milvus in batches {ours:.2f} s, numpy brute force {numpys:.2f} s: {ours / numpys:.2f} times numpy")

    found = [[index.rows[hit.id] for hit in hits] for hits in store.search_dense(index.collection, queries, TOP)]
    exact = brute_force(vectors, queries).tolist()
    overlap = np.mean([len(set(a) & set(b)) / TOP for a, b in zip(found, exact, strict=True)])
    print(f"  share of numpy's hits that Milvus found: {overlap:.4f}")

    few = index.chunks(rows[:200].tolist())
    weights = [index.statistics.query_weights(tokenise(chunk.text)[:8]) for chunk in few]
    store.search_sparse(index.collection, weights[:1], TOP)
    sparse = seconds_of(lambda: store.search_sparse(index.collection, weights, TOP), 1)
    print(f"  BM25: {len(weights)} queries of 8 words in {sparse:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=2_000)
    options = parser.parse_args()
    chunks = list(invented(options.chunks))
    print(f"{len(chunks):,} chunks of about {CHARS:,} characters, offline embedding\n")
    with timed("embedding alone", len(chunks)):
        OfflineEmbedder().embed([chunk.text for chunk in chunks])
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        env = Environment(_env_file=None, ragset_home=home, milvus_uri=None)  # type: ignore[call-arg]
        with open_store(env) as store:
            with timed("index: embed, write files, fill Milvus", len(chunks)):
                index = build(chunks, home, store)
            with timed("index again, nothing new", len(chunks)):
                build(chunks, home, store)
            fewer = chunks[: len(chunks) * 99 // 100]
            with timed("index again, 1 % gone", len(chunks)):
                build(fewer, home, store)
            with timed("index again, 1 % new", len(chunks)):
                index = build(chunks, home, store)
            with timed("sample order, diverse", len(chunks)):
                sample_order(index.doc_ids, index.chars, index.vectors, SamplingSettings(), 0)
            search(index, store, min(options.queries, len(chunks)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    print(f"\npeak memory {peak:,.0f} MB, the chunks made up for the benchmark included")


if __name__ == "__main__":
    main()
