"""What growing seeds into contexts takes, beside the batched search in Milvus that it cannot do without.

    python -m benchmarks.contexts [--chunks 20000] [--seeds 2000]

Ratios compare things measured in one run on one machine; the seconds beside them are for orientation only.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.index import build, invented, seconds_of
from ragset.generation.contexts import Near, expand
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.similarity import least_similarity
from ragset.retrieval.stores import open_store
from ragset.settings import ContextSettings, Environment


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=2_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        env = Environment(_env_file=None, ragset_home=home, milvus_uri=None)  # type: ignore[call-arg]
        with open_store(env) as store:
            index = build(list(invented(options.chunks)), home, store)

            def search(vectors: Vectors, limit: int) -> list[Near]:
                found = store.search_dense(index.collection, vectors, limit)
                return [[(index.rows[hit.id], hit.score) for hit in hits] for hits in found]

            seeds = np.random.default_rng(0).permutation(len(index))[: options.seeds].tolist()
            vectors = np.array(index.vectors[np.asarray(seeds)])
            least = least_similarity(index.vectors)
            settings = ContextSettings()
            store.search_dense(index.collection, vectors[:1], settings.top_k + 1)
            alone = seconds_of(lambda: store.search_dense(index.collection, vectors, settings.top_k + 1))
            whole = seconds_of(lambda: expand(index, search, seeds, settings, least=least, min_chars=200))
            contexts = expand(index, search, seeds, settings, least=least, min_chars=200).contexts
    print(f"{options.seeds:,} seeds by top-{settings.top_k} over {options.chunks:,} chunks: {len(contexts):,} contexts")
    print(f"  batched search alone {alone:.2f} s, contexts {whole:.2f} s: {whole / alone:.2f} times the search")


if __name__ == "__main__":
    main()
