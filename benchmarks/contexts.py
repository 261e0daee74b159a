"""What growing seeds into contexts takes, beside the batched search in the vector store that it cannot do without.

    python -m benchmarks.contexts [--chunks 20000] [--seeds 2000]

Ratios compare things measured in one run on one machine; the seconds beside them are for orientation only.
"""

import numpy as np

from benchmarks.index import invented
from benchmarks.shared import fastest, options, temporary_index
from ragset.generation.contexts import Near, expand
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.similarity import least_similarity
from ragset.settings import ContextSettings


def main() -> None:
    asked = options(__doc__, chunks=20_000, seeds=2_000)
    with temporary_index(invented(asked.chunks), OfflineEmbedder()) as (index, store):

        def search(vectors: Vectors, limit: int) -> list[Near]:
            found = store.search_dense(index.collection, vectors, limit)
            return [[(index.rows[hit.id], hit.score) for hit in hits] for hits in found]

        seeds = np.random.default_rng(0).permutation(len(index))[: asked.seeds].tolist()
        vectors = np.array(index.vectors[np.asarray(seeds)])
        least = least_similarity(index.vectors)
        settings = ContextSettings()
        store.search_dense(index.collection, vectors[:1], settings.top_k + 1)
        alone = fastest(lambda: store.search_dense(index.collection, vectors, settings.top_k + 1))
        whole = fastest(lambda: expand(index, search, seeds, settings, least=least, min_chars=200))
        contexts, _ = expand(index, search, seeds, settings, least=least, min_chars=200)
    print(f"{asked.seeds:,} seeds by top-{settings.top_k} over {asked.chunks:,} chunks: {len(contexts):,} contexts")
    print(f"  batched search alone {alone:.2f} s, contexts {whole:.2f} s: {whole / alone:.2f} times the search")


if __name__ == "__main__":
    main()
