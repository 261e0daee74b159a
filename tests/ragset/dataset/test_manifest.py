from ragset import __version__
from ragset.dataset import Totals, funnel_row, versions
from ragset.models import Usage
from tests.small_dataset import JUDGED, reject_of


def test_a_funnel_row_counts_the_rejects_of_its_stage_the_most_frequent_reason_first() -> None:
    rejects = [reject_of("metadata"), reject_of("vague"), reject_of("vague"), reject_of("links", stage="rules")]
    row = funnel_row("judge", 10, 6, rejects, budget_spent=1, not_drawn=0)
    assert list(row.rejected.items()) == [("vague", 2), ("budget_spent", 1), ("metadata", 1)]


def test_totals_are_sums_and_an_unknown_price_makes_the_cost_unknown() -> None:
    # 2 + 3 calls, 90 + 10 prompt tokens
    unpriced = Usage(stage="draft", prompt="p", model="x", calls=3, prompt_tokens=10, cost=None)
    assert Totals.of((JUDGED, JUDGED)).cost == 1.0
    totals = Totals.of((JUDGED, unpriced))
    assert (totals.calls, totals.prompt_tokens, totals.cost) == (5, 100, None)


def test_versions_name_ragset_python_and_the_packages_that_are_there() -> None:
    found = versions()
    assert found["ragset"] == __version__
    assert {"python", "pymilvus", "openai"} <= set(found)
