from pathlib import Path

import pytest

from ragset.models import Chunk
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import build_index
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, Environment
from ragset.training.negatives import HardNegative, NegativeSettings, Ranking, hard_negatives, rank_queries


def hits(**scores: float) -> list[Hit]:
    return [Hit(*pair) for pair in scores.items()]


def chosen(*rankings: Ranking, refused: str = "", most: int = 10, margin: float = 0.05) -> list[str]:
    found = hard_negatives(rankings, lambda chunk: chunk in refused, NegativeSettings(most=most, margin=margin))
    return [one.chunk for one in found]


def test_what_scores_above_the_share_of_the_positive_is_left_out() -> None:
    # 0.8 less 5 % is 0.76
    dense = Ranking("dense", hits(a=0.9, b=0.77, c=0.75, d=0.3), 0.8)
    assert chosen(dense) == ["c", "d"]
    # with 10 % the limit is 0.72
    assert chosen(dense, margin=0.1) == ["d"]
    # -0.2 less 5 % is -0.21
    assert chosen(Ranking("dense", hits(a=-0.205, b=-0.22), -0.2)) == ["b"]


def test_searches_take_turns_and_one_vetoes_the_others_hits() -> None:
    words = Ranking("bm25", hits(a=9.0, b=4.0, c=3.0), 5.0)
    dense = Ranking("dense", hits(a=0.5, d=0.4, b=0.2), 0.6)
    # a is above the margin of bm25 (4.75), though not of dense
    found = hard_negatives([words, dense], lambda _: False, NegativeSettings())
    assert found == (
        HardNegative(chunk="b", score=4.0, source="bm25"),
        HardNegative(chunk="d", score=0.4, source="dense"),
        HardNegative(chunk="c", score=3.0, source="bm25"),
    )
    assert chosen(words, dense, most=2) == ["b", "d"]
    assert chosen(words, dense, refused="bd") == ["c"]
    assert chosen(words, dense, most=0) == []


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
