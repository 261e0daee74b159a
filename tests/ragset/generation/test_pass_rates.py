import pytest

from ragset.generation.checks import CheckSettings
from ragset.generation.pass_rates import FILTERED, PASS_RATES, expected_share, pass_rate
from ragset.generation.pipeline import pipeline
from ragset.generation.stage import Setup
from ragset.settings import ContextWritingSettings, ConversationSettings, WritingSettings

EVERYTHING = CheckSettings(judge_chunks=True, score_chunks=True, judge_queries=True, holes=True, closed_book="filter")


def test_a_filter_lets_fewer_through_than_a_label() -> None:
    labels, filters = (Setup(WritingSettings(), CheckSettings(closed_book=use)) for use in ("label", "filter"))
    assert pass_rate("closed_book", labels) == 1 > pass_rate("closed_book", filters)


def test_only_queries_that_become_conversations_may_fail_to() -> None:
    half = Setup(ContextWritingSettings(conversations=ConversationSettings(share=0.5)))
    # a half passes anyway, and of the other half 0.92: 0.5 + 0.46
    assert pass_rate("converse", half) == pytest.approx(0.96)


def test_the_share_expected_is_the_product_over_the_stages() -> None:
    setup = Setup(WritingSettings(), CheckSettings(closed_book="filter"))
    rates = PASS_RATES["single-chunk"].items()
    passed = 1.0
    for stage, rate in rates:
        if stage in {one.name for one in pipeline(setup)}:
            passed *= rate
    assert expected_share(pipeline(setup), setup) == pytest.approx(passed * FILTERED["closed_book"])


@pytest.mark.parametrize(
    ("kind", "writing"), [("single-chunk", WritingSettings), ("multi-chunk", ContextWritingSettings)]
)
def test_every_rate_is_that_of_a_stage_there_is(
    kind: str, writing: type[WritingSettings] | type[ContextWritingSettings]
) -> None:
    setup = Setup(writing(evolutions={"reasoning": 1}, audience="clockmakers"), EVERYTHING)
    assert set(PASS_RATES[kind]) <= {stage.name for stage in pipeline(setup)}
    assert all(0 < rate <= 1 for rate in PASS_RATES[kind].values())
