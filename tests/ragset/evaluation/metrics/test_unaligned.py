"""What a system could score whose passages or replies are not all known."""

import pandas as pd
import pytest

from ragset.evaluation.metrics.scores import Bounds, Score
from ragset.evaluation.results.standings import conclude
from ragset.evaluation.scoring import score_retrieval
from ragset.models import Span
from ragset.retrieval.fusion import Hit

GOLD = {"g": (((Span(doc_id="d", start=0, end=100),),),)}
"""One piece of evidence in one place."""


def scored(*ids: str, cutoffs: tuple[int, ...] = (3,), budgets: tuple[int, ...] = (50,)) -> dict[str, Score]:
    run = {"g": [Hit(id_, 1.0) for id_ in ids]} if ids else {}
    found = score_retrieval(
        run, GOLD, None, cutoffs=cutoffs, budgets=budgets, tokens=lambda span: (span.end - span.start) // 4
    )
    return {one.metric: one for one in found}


def test_without_unaligned_passages_nothing_is_in_doubt() -> None:
    assert {one.bounds for one in scored("d:0-50", "d:200-300").values()} == {None}


def test_an_unaligned_passage_is_irrelevant_at_worst_and_evidence_at_best() -> None:
    found = scored("d:200-300", "unaligned-1:0-60", "d:0-100")
    bounds = {metric: score.bounds and (score.bounds.worst, score.bounds.best) for metric, score in found.items()}
    # the passage at rank 3 is relevant; at best that at rank 2 is, too
    assert bounds["mrr"] == (pytest.approx(1 / 3), pytest.approx(1 / 2))
    assert bounds["precision@3"] == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert bounds["hit_rate@3"] == (1.0, 1.0)
    # 25 + 15 tokens, then 10 of 25: 40 of the 100 characters, and at best 60 more
    assert bounds["recall@50tokens"] == (pytest.approx(0.4), pytest.approx(1.0))
    # all 100 were found; of the 260 retrieved, 60 more could be
    assert bounds["span_recall@3"] == (1.0, 1.0)
    assert bounds["span_precision@3"] == (pytest.approx(100 / 260), pytest.approx(160 / 260))


def test_no_metric_is_better_than_its_best() -> None:
    unaligned = tuple(f"unaligned-{number}:0-60" for number in range(3))
    found = scored("d:0-40", *unaligned, "d:60-100", cutoffs=(1, 3, 5))
    # had the first, or the first two, or all three of them been relevant
    for places in ("d:0-100", "d:10-20"):
        for count in (1, 2, 3):
            ids = [f"{places}+{id_}" for id_ in unaligned[:count]] + list(unaligned[count:])
            for metric, score in scored("d:0-40", *ids, "d:60-100", cutoffs=(1, 3, 5)).items():
                bounds = found[metric].bounds or Bounds(worst=found[metric].value, best=found[metric].value)
                if metric.startswith(("hit_rate", "recall@", "ndcg", "mrr", "map", "span_recall")):
                    assert score.value <= bounds.best + 1e-9, (metric, count)


def test_a_golden_without_a_reply_counts_nothing_and_could_be_anything() -> None:
    found = scored()
    assert {one.value for name, one in found.items() if name != "gold_rank"} == {0.0}
    assert {one.bounds for name, one in found.items() if name != "gold_rank"} == {Bounds(worst=0.0, best=1.0)}
    assert found["gold_rank"].bounds is None


def test_a_passage_in_several_places_is_one_hit() -> None:
    # 20 + 20 of its 40 characters are evidence: relevant, at rank 1, and the next is at rank 2
    found = scored("d:0-20+d:60-80", "d:0-100")
    assert found["precision@3"].value == pytest.approx(2 / 3)
    assert found["span_recall@3"].value == 1.0
    # 10 of its 60 characters are: not half of the shorter, though each place alone would be
    assert scored("d:90-100+d:200-250")["mrr"].value == 0.0
    assert scored("d:90-100")["mrr"].value == 1.0


def test_added_text_takes_room_and_is_no_doubt() -> None:
    found = scored("added:0-100+d:0-100")
    # 25 tokens of a title, then 25 of the evidence
    assert found["recall@50tokens"] == Score("g", "recall@50tokens", 1.0)
    assert scored("added:0-100+d:0-100", budgets=(25,))["recall@25tokens"].value == 0.0


@pytest.mark.parametrize(("second", "tied"), [("d:200-300", False), ("unaligned-1:0-100", True)])
def test_no_winner_is_named_that_an_unaligned_passage_could_turn(second: str, tied: bool) -> None:
    gold = {f"g{number}": (((Span(doc_id="d", start=0, end=100),),),) for number in range(30)}
    rows = [
        (name, one.golden, one.metric, one.value, one.bounds and one.bounds.worst, one.bounds and one.bounds.best)
        for name, id_ in (("ours", "d:0-100"), ("theirs", second))
        for one in score_retrieval(
            {key: [Hit(id_, 1.0)] for key in gold}, gold, None, cutoffs=(1,), budgets=(50,), tokens=lambda _: 10
        )
    ]
    frame = pd.DataFrame(rows, columns=["configuration", "golden", "metric", "value", "worst", "best"])
    frame = frame.astype({"value": float, "worst": float, "best": float})
    found = conclude(frame, {golden: golden for golden in gold}, primary="hit_rate@1")
    assert {one.tied for one in found.standings if one.metric == "hit_rate@1"} == {tied}
    [compared] = found.comparisons
    assert (compared.p_holm < 0.05) is not tied
