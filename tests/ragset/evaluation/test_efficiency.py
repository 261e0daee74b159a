"""What a query takes, worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.errors import LLMUnavailable
from ragset.evaluation.efficiency import (
    ANSWERING,
    MOST_ALONE,
    REPLY,
    RETRIEVAL,
    Efficiency,
    Effort,
    Percentiles,
    effort_scores,
    time_alone,
)
from ragset.llm.protocol import Completion
from ragset.llm.usage import Price, Prices

PRICES = Prices(models={"small": Price(input=1.0, output=10.0, cached_input=0.5)})


def reply(
    seconds: float | None, *, sent: int = 1_000, cached: int = 0, replied: int = 100, model: str = "small"
) -> Completion:
    counts = {"prompt_tokens": sent, "cached_tokens": cached, "completion_tokens": replied}
    return Completion(text="", model=model, seconds=seconds, **counts)


def scores_of(efforts: dict[str, dict[str, Effort]]) -> dict[tuple[str, str], float]:
    return {(score.golden, score.metric): score.value for score in effort_scores(efforts, PRICES)}


def test_percentiles_are_by_nearest_rank() -> None:
    # of 1 … 200: 100 took 100 or less, 190 took 190 or less, 198 took 198 or less
    found = Percentiles.of([float(n) for n in range(200, 0, -1)])
    assert found == Percentiles(p50=100.0, p95=190.0, p99=198.0, queries=200)
    # of three the second is half-way, and 95 % of them are all three
    assert Percentiles.of([3.0, 1.0, 2.0]) == Percentiles(p50=2.0, p95=3.0, p99=3.0, queries=3)
    assert Percentiles.of([]) is None


@given(st.lists(st.floats(0, 1e3), min_size=1))
def test_so_many_queries_stay_within_a_percentile(seconds: list[float]) -> None:
    found = Percentiles.of(seconds)
    assert found is not None
    for percent, value in ((50, found.p50), (95, found.p95), (99, found.p99)):
        assert sum(one <= value + 1e-5 for one in seconds) >= percent / 100 * len(seconds)


def test_a_call_that_was_asked_again_counts_with_both_tries() -> None:
    effort = Effort.of([reply(0.5), reply(0.25, cached=400)])
    assert (effort.seconds, effort.tokens) == (0.75, 2_200)
    # 1,600 fresh at $1, 400 cached at $0.5 and 200 replied at $10 a million
    assert effort.money(PRICES) == pytest.approx((1_600 * 1 + 400 * 0.5 + 200 * 10) / 1e6)


def test_a_reply_by_batch_has_no_latency_and_a_model_without_a_price_no_cost() -> None:
    effort = Effort.of([reply(None, model="other")])
    assert (effort.seconds, effort.tokens, effort.money(PRICES)) == (None, 1_100, None)


def test_no_call_takes_nothing() -> None:
    assert (Effort.of([]).seconds, Effort.of([]).tokens, Effort.of([]).money(PRICES)) == (0.0, 0, 0.0)


def test_a_query_takes_the_sum_of_its_steps_where_all_are_known() -> None:
    steps = {
        RETRIEVAL: {"a": Effort(seconds=0.02), "b": Effort()},
        ANSWERING: {"a": Effort.of([reply(1.5)]), "b": Effort.of([reply(2.0)])},
    }
    assert scores_of(steps) == {
        ("a", "retrieval_seconds"): 0.02,
        ("a", "answering_seconds"): 1.5,
        ("b", "answering_seconds"): 2.0,
        ("a", "seconds"): pytest.approx(1.52),  # b was not searched for alone
        ("a", "tokens"): 1_100.0,
        ("b", "tokens"): 1_100.0,
        ("a", "cost"): pytest.approx(0.002),  # 1,000 at $1 and 100 at $10 a million
        ("b", "cost"): pytest.approx(0.002),
    }


def test_what_another_system_says_it_cost_goes_before_the_price_list() -> None:
    priced = Effort.of([reply(0.3)])
    said = {"a": priced.model_copy(update={"cost": 0.5}), "b": priced, "c": Effort(seconds=1.0, usage=None)}
    found = scores_of({REPLY: said})
    assert {golden: found.get((golden, "cost")) for golden in said} == {"a": 0.5, "b": pytest.approx(0.002), "c": None}
    assert ("c", "tokens") not in found
    assert not [metric for _, metric in found if metric == "reply_seconds"]


def test_a_configuration_has_means_of_money_and_percentiles_of_time() -> None:
    of = {"a": Effort.of([reply(1.0)]), "b": Effort.of([reply(3.0, replied=0)])}
    found = Efficiency.of(effort_scores({ANSWERING: of}, PRICES))
    assert found is not None
    assert found.seconds["answering"] == found.seconds["total"] == Percentiles(p50=1.0, p95=3.0, p99=3.0, queries=2)
    # (1,100 + 1,000) / 2 tokens; ($0.002 + $0.001) / 2
    assert (found.tokens, found.cost) == (1_050.0, pytest.approx(0.0015))
    assert Efficiency.of([]) is None


def test_up_to_a_hundred_queries_are_timed_alone_and_the_first_is_asked_before() -> None:
    asked: list[str] = []
    found = time_alone({number: f"q{number}" for number in range(250)}, asked.append)
    # every third of 250, from the first
    assert list(found) == list(range(0, 250, 3))
    assert len(found) <= MOST_ALONE
    assert asked[:3] == ["q0", "q0", "q3"]
    assert time_alone({}, asked.append) == {}


def test_a_failure_ends_the_timing_and_loses_nothing() -> None:
    def ask(query: str) -> None:
        if query == "c":
            raise LLMUnavailable("gone")

    assert list(time_alone({one: one for one in "abcd"}, ask)) == ["a", "b"]
