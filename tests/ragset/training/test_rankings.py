"""Scores of positives against those that Milvus Lite gives them."""

from pathlib import Path

import pytest

from ragset.models import Chunk
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.index import build_index
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, Environment
from ragset.training.negatives import rank_queries

TEXTS = (
    "The water clock of Athens ran for six minutes.",
    "An incense clock burns evenly and smells of sandalwood.",
    "The sundial shows the local time of its meridian.",
)


def test_positives_have_the_scores_that_the_searches_give_them(tmp_path: Path) -> None:
    made = [Chunk(doc_id="d", start=100 * n, end=100 * n + len(text), text=text) for n, text in enumerate(TEXTS)]
    env = Environment(_env_file=None, ragset_home=tmp_path, milvus_uri=None)  # type: ignore[call-arg]
    queries, embedder = ["water clock of Athens", "xylophone"], OfflineEmbedder()
    with open_store(env) as store:
        index = build_index(
            made, corpus="c", chunking=ChunkingSettings(), embedder=embedder, home=tmp_path, store=store
        )
        store.load(index.collection)
        positives = [index.ids[:2], index.ids[2:]]
        (words, dense), (no_words, _) = rank_queries(index, store, queries, embedder.embed(queries), positives)
    assert (words.source, dense.source) == ("bm25", "dense")
    assert words.hits[0].id == dense.hits[0].id == made[0].id
    assert words.positive == pytest.approx(words.hits[0].score, rel=1e-5)
    assert dense.positive == pytest.approx(dense.hits[0].score, abs=1e-5)
    assert no_words.hits == []
    assert no_words.positive == 0
