"""Weighted sums of what the index says, by hand; files that are not a reranker's."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from ragset.errors import InputError
from ragset.models import Chunk
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import Index, build_index
from ragset.retrieval.learned_reranker import (
    FEATURES,
    FILE,
    LearnedReranker,
    Weights,
    passage_features,
    read_reranker,
    reranker_name,
    write_reranker,
)
from ragset.retrieval.search import retrieve
from ragset.retrieval.stores import open_store
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings, Environment, RetrievalSettings

TEXTS = (
    "The water clock of Athens ran for six minutes.",
    "An incense clock burns evenly and smells of sandalwood.",
    "The sundial shows the local time of its meridian.",
)
QUERIES = ["What does the incense clock of Athens smell of?", "the of and"]


@contextmanager
def indexed(home: Path) -> Iterator[tuple[Index, VectorStore]]:
    made = [Chunk(doc_id="d", start=100 * n, end=100 * n + len(text), text=text) for n, text in enumerate(TEXTS)]
    env = Environment(_env_file=None, ragset_home=home, milvus_uri=None)  # type: ignore[call-arg]
    embedder = OfflineEmbedder()
    with open_store(env) as store:
        index = build_index(made, corpus="c", chunking=ChunkingSettings(), embedder=embedder, home=home, store=store)
        store.load(index.collection)
        yield index, store


def reranker(**weights: float) -> LearnedReranker:
    given = {**dict.fromkeys(FEATURES, 0.0), **weights}
    return LearnedReranker(embedding="offline-512", language="en", weights=Weights(**given))


def test_features_are_the_scores_of_the_searches_and_the_share_of_words_found(tmp_path: Path) -> None:
    with indexed(tmp_path) as (index, store):
        vectors = OfflineEmbedder().embed(QUERIES)
        first, second = passage_features(index, QUERIES, vectors, [index.ids] * 2, "en")
        for place, mode in ((0, "dense"), (1, "bm25")):
            hits = retrieve(index, store, QUERIES, vectors, RetrievalSettings(mode=mode), 3)[0]
            scores = dict(zip(index.ids, first[:, place].tolist(), strict=True))
            assert {hit.id: pytest.approx(hit.score, abs=1e-4) for hit in hits} == {
                hit.id: scores[hit.id] for hit in hits
            }
    # incense, clock, athens and smell are asked: the first text has clock and athens, the second all but athens
    assert first[:, 2].tolist() == [0.5, 0.75, 0.0]
    assert second[:, 2].tolist() == [0.0, 0.0, 0.0]  # no word of content


def test_passages_go_by_the_weighted_sum_and_equals_stay(tmp_path: Path) -> None:
    with indexed(tmp_path) as (index, _):
        vectors = OfflineEmbedder().embed(QUERIES)
        found = [[Hit(id_, 1.0) for id_ in index.ids]] * 2
        by_words, as_it_was = reranker(coverage=1.0).rerank(index, QUERIES, vectors, found)
        assert [hit.id for hit in by_words] == [index.ids[place] for place in (1, 0, 2)]
        assert [hit.id for hit in as_it_was] == list(index.ids)
        [none] = reranker(dense=1.0).rerank(index, QUERIES[:1], vectors[:1], [[]])
        assert none == []
        features = passage_features(index, QUERIES[:1], vectors[:1], [index.ids], "en")[0]
        [mixed] = reranker(dense=2.0, bm25=0.5, coverage=1.0).rerank(index, QUERIES[:1], vectors[:1], found[:1])
        wanted = features @ np.array([2.0, 0.5, 1.0])
        assert {hit.id: hit.score for hit in mixed} == pytest.approx(dict(zip(index.ids, wanted, strict=True)))


def test_the_index_of_another_embedding_is_refused(tmp_path: Path) -> None:
    with indexed(tmp_path) as (index, _):
        other = reranker().model_copy(update={"embedding": "local-mini"})
        with pytest.raises(InputError, match=r"trained with the embedding local-mini, and this index has offline-512"):
            other.rerank(index, [], np.empty((0, 512), np.float32), [])


def test_a_folder_reads_back_and_is_named_by_its_content(tmp_path: Path) -> None:
    write_reranker(tmp_path / "a" / "learned", reranker(dense=1 / 3))
    write_reranker(tmp_path / "b" / "learned", reranker(dense=1 / 3))
    write_reranker(tmp_path / "c" / "learned", reranker(dense=1 / 4))
    assert read_reranker(tmp_path / "a" / "learned") == reranker(dense=1 / 3)
    one, same, other = (reranker_name(tmp_path / place / "learned") for place in "abc")
    assert one == same != other


def test_other_and_damaged_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere: is no folder of a learned reranker, .* train-reranker"):
        read_reranker(tmp_path / "nowhere")
    for text in ("", "{}", '{"weights": {"dense": NaN}}', reranker().model_dump_json().replace("learned", "other")):
        (tmp_path / FILE).write_text(text)
        with pytest.raises(InputError, match=rf"{FILE}: is damaged .* train-reranker"):
            read_reranker(tmp_path)
