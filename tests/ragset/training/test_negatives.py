from ragset.retrieval.fusion import Hit
from ragset.training.negatives import HardNegative, NegativeSettings, Ranking, hard_negatives


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
