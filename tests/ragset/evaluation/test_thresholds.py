"""What falls short by more than noise."""

import pandas as pd
import pytest

from ragset.evaluation.thresholds import check_least


def scores(*values: float, best: float | None = None) -> pd.DataFrame:
    table = pd.DataFrame({"golden": [f"g{number}" for number in range(len(values))], "value": list(values)})
    unknown = table["value"].isna()
    return table.assign(
        worst=table["value"].fillna(0.0), best=table["value"].fillna(1.0).where(~unknown, 1.0 if best is None else best)
    )


def apart(count: int) -> dict[str, str]:
    return {f"g{number}": f"d{number}" for number in range(count)}


@pytest.mark.parametrize(
    ("least", "short", "surely_short"), [(0.2, False, False), (0.5, False, True), (0.9, True, True)]
)
def test_the_interval_decides(least: float, short: bool, surely_short: bool) -> None:
    # 20 of 40: about 0.34 to 0.66
    table = scores(*[0.0, 1.0] * 20)
    assert bool(check_least("mrr", least, table, apart(40))) == short
    assert bool(check_least("mrr", least, table, apart(40), surely=True)) == surely_short


def test_unknown_scores_count_as_the_best_and_surely_as_the_worst() -> None:
    table = scores(*[1.0] * 30, *[float("nan")] * 30)
    assert not check_least("mrr", 0.9, table, apart(60))
    assert "which may be below 0.9" in check_least("mrr", 0.9, table, apart(60), surely=True)


def test_one_golden_has_no_interval() -> None:
    assert check_least("mrr", 0.5, scores(0.4), apart(1)) == "mrr is 0.400 on 1 golden, which is below 0.5"
    assert not check_least("mrr", 0.5, scores(0.6), apart(1))


def test_goldens_of_one_document_are_drawn_together() -> None:
    # 4 of 12 documents fail as a whole: 40 of 60 would be below 0.82 by more than noise if all stood alone.
    table = scores(*([1.0] * 40 + [0.0] * 20))
    assert check_least("mrr", 0.82, table, apart(60))
    assert not check_least("mrr", 0.82, table, {f"g{number}": f"d{number // 5}" for number in range(60)})
