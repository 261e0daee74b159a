"""A store that holds BM25 weights, as Milvus servers from 2.4 on do: Milvus Lite can, and ragset does not ask it to."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from ragset.retrieval.milvus.store import MilvusStore, open_milvus
from ragset.settings import Environment


@contextmanager
def sparse_store(home: Path) -> Generator[MilvusStore]:
    with closing(open_milvus(Environment(_env_file=None, ragset_home=home, milvus_uri=None))) as store:  # type: ignore[call-arg]
        store.takes_sparse = True
        yield store
