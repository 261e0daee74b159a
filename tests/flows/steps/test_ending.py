"""What a run that has ended says of itself in its state."""

from typing import Any

import pytest

from flows.steps.ending import ended
from ragset.dataset import FunnelRow
from ragset.dataset.manifest import Totals
from tasks.dataset import DatasetSummary


def summary(kept: int, wanted: int | None, ended: str, *funnel: FunnelRow) -> DatasetSummary:
    return DatasetSummary(
        kind="single-chunk",
        folder="out",
        report="out/report.html",
        kept=kept,
        cross_document=0,
        wanted=wanted,
        ended=ended,
        documents=1,
        unread=(),
        chunks=9,
        funnel=funnel,
        totals=Totals.of(()),
        generator="some-model",
        critic="some-model",
    )


def test_a_run_with_all_that_was_asked_for_returns_its_summary_alone() -> None:
    made = summary(5, 5, "complete")
    assert ended(made) is made


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (summary(0, 5, "budget spent"), "0 of 5 goldens: the budget is spent"),
        (summary(1_204, 2_000, "budget spent"), "1,204 of 2,000 goldens: the budget is spent"),
        (summary(3, None, "budget spent"), "3 goldens: the budget is spent"),
        (
            summary(2, 8, "corpus used up", FunnelRow(stage="keep", entered=6, left=2)),
            "2 of 8 goldens: the whole corpus was tried, and 4 of 6 were lost at keep",
        ),
        (
            summary(0, 5, "corpus used up", FunnelRow(stage="chunk", entered=1, left=1)),
            "0 of 5 goldens: every chunk has too few characters to be asked about: lower --min-chars",
        ),
        (
            summary(
                3, 9, "corpus used up", FunnelRow(stage="expand", entered=200, left=90, rejected={"not_drawn": 110})
            ),
            "3 of 9 goldens: hardly any of the last contexts gave a golden",
        ),
        (
            summary(
                185,
                200,
                "corpus used up",
                FunnelRow(stage="draft", entered=410, left=298, rejected={"names_title": 65, "nothing_to_ask": 47}),
            ),
            "185 of 200 goldens: the whole corpus was tried, and 112 of 410 were lost at draft; most of these name their",
        ),
        (summary(0, 1, "corpus used up"), "0 of 1 goldens: the whole corpus was tried; add documents"),
    ],
)
def test_one_with_less_is_completed_and_says_how_much_and_why(made: DatasetSummary, message: str) -> None:
    state: Any = ended(made)
    assert state.is_completed()
    assert state.message.startswith(message)
    assert state.data == made


def test_what_the_flow_returns_may_be_another_summary() -> None:
    returned = object()
    assert ended(summary(5, 5, "complete"), returned) is returned
    assert ended(summary(4, 5, "budget spent"), returned).data is returned
