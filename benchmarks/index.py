"""How fast chunks become an index, and how search in Milvus compares with brute force over the same vectors.

    python -m benchmarks.index [--chunks 20000] [--queries 2000]

Growing seeds into contexts is shown beside the batched search that it cannot do without. Ratios compare things measured
in one run on one machine; the seconds beside them are for orientation only.
"""

import random
import resource
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.shared import fastest, options, temporary_store
from ragset.generation.contexts import expand
from ragset.generation.links import MOST_LINKS, Near
from ragset.generation.sampling import sample_order
from ragset.models import Chunk
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.index import Index, build_index
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings, ContextSettings, SamplingSettings
from ragset.text.words import tokenise

CHARS = 1_000
TOP = 10


def invented(count: int) -> Iterator[Chunk]:
    """Chunks of about 1,000 characters whose words have the frequencies of a natural language."""
    rng = random.Random(0)
    words = ["".join(rng.choices("etaoinshrdlucmfw", k=rng.randint(2, 11))) for _ in range(30_000)]
    cumulated = np.cumsum([1 / (rank + 2) for rank in range(len(words))]).tolist()
    for number in range(count):
        text = " ".join(rng.choices(words, cum_weights=cumulated, k=CHARS // 7))
        document, place = f"{number // 20:016x}", (number % 20) * 2 * CHARS
        yield Chunk(doc_id=document, start=place, end=place + len(text), text=text)


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
    ours = fastest(lambda: store.search_dense(index.collection, queries, TOP))
    numpys = fastest(lambda: brute_force(vectors, queries))
    print(f"\n{count:,} dense searches for the best {TOP} of {len(index):,}")
    print(f"  Milvus in batches {ours:.2f} s, numpy brute force {numpys:.2f} s: {ours / numpys:.2f} times numpy")

    found = [[index.rows[hit.id] for hit in hits] for hits in store.search_dense(index.collection, queries, TOP)]
    exact = brute_force(vectors, queries).tolist()
    overlap = np.mean([len(set(a) & set(b)) / TOP for a, b in zip(found, exact, strict=True)])
    print(f"  share of numpy's hits that Milvus found: {overlap:.4f}")

    few = index.chunks(rows[:200].tolist())
    weights = [index.statistics.query_weights(tokenise(chunk.text)[:8]) for chunk in few]
    first = fastest(lambda: index.search_words(weights[:1], TOP), 1)
    words = fastest(lambda: index.search_words(weights, TOP))
    print(
        f"  BM25: {len(weights)} queries of 8 words in {words:.2f} s; {first:.2f} s before the first, to read all chunks"
    )


def contexts(index: Index, store: VectorStore, count: int) -> None:
    def near(vectors: Vectors, limit: int) -> list[Near]:
        found = store.search_dense(index.collection, vectors, limit)
        return [[(index.rows[hit.id], hit.score) for hit in hits] for hits in found]

    settings = ContextSettings()
    seeds = np.random.default_rng(0).permutation(len(index))[:count].tolist()
    vectors = np.array(index.vectors[np.asarray(seeds)])
    alone = fastest(lambda: store.search_dense(index.collection, vectors, MOST_LINKS + 1))
    whole = fastest(lambda: expand(index, near, seeds, settings, min_chars=200))
    found, _ = expand(index, near, seeds, settings, min_chars=200)
    print(f"\n{count:,} seeds over {len(index):,} chunks: {len(found):,} contexts")
    print(f"  batched search alone {alone:.2f} s, contexts {whole:.2f} s: {whole / alone:.2f} times the search")


def main() -> None:
    asked = options(__doc__, chunks=20_000, queries=2_000)
    chunks = list(invented(asked.chunks))
    fewer = chunks[: len(chunks) * 99 // 100]
    print(f"{len(chunks):,} chunks of about {CHARS:,} characters, offline embedding\n")

    def show(what: str, run: Callable[[], object]) -> None:
        seconds = fastest(run, 1)
        print(f"{what:<44} {seconds:8.2f} s   {len(chunks) / seconds:10,.0f} a second")

    show("embedding alone", lambda: OfflineEmbedder().embed([chunk.text for chunk in chunks]))
    with temporary_store() as (home, store):

        def build(some: list[Chunk]) -> Index:
            settings, embedder = ChunkingSettings(), OfflineEmbedder()
            return build_index(some, corpus="b", chunking=settings, embedder=embedder, home=home, store=store)

        show("index: embed, write files, fill Milvus", lambda: build(chunks))
        show("index again, nothing new", lambda: build(chunks))
        show("index again, 1 % gone", lambda: build(fewer))
        show("index again, 1 % new", lambda: build(chunks))
        index = build(chunks)
        settings = SamplingSettings()
        show("sample order, diverse", lambda: sample_order(index.doc_ids, index.chars, index.vectors, settings, 0))
        search(index, store, min(asked.queries, len(chunks)))
        contexts(index, store, min(asked.queries, len(chunks)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    print(f"\npeak memory {peak:,.0f} MB, the chunks made up for the benchmark included")


if __name__ == "__main__":
    main()
