import random
from pathlib import Path

import pytest

from ragset.errors import InputError
from ragset.llm.protocol import Completion
from ragset.llm.usage import Meter, Metered, Price, Prices, add_usage, load_prices, total_cost
from ragset.models import Usage
from tests.clients import request_of
from tests.scripted import Scripted


def completion(model: str = "m", prompt: int = 0, cached: int = 0, reply: int = 0) -> Completion:
    return Completion(text="{}", model=model, prompt_tokens=prompt, cached_tokens=cached, completion_tokens=reply)


def prices(**models: Price) -> Prices:
    return Prices(models=models)


def test_cost_counts_cached_tokens_at_their_own_price() -> None:
    found = prices(m=Price(input=2, cached_input=0.5, output=8))
    # 600 * 2 + 400 * 0.5 + 100 * 8 = 1200 + 200 + 800 = 2200 millionths
    assert found.cost("m", completion(prompt=1000, cached=400, reply=100)) == pytest.approx(0.0022)


def test_cached_tokens_cost_as_much_as_others_where_nothing_else_is_said() -> None:
    found = prices(m=Price(input=2, output=8))
    assert found.cost("m", completion(prompt=1000, cached=400)) == pytest.approx(0.002)


@pytest.mark.parametrize(
    ("model", "like"),
    [
        ("gpt-4o-mini", "gpt-4o-mini"),
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("gpt-4o-2024-11-20", "gpt-4o"),
        ("gpt-4.1-nano-2025-04-14", "gpt-4.1-nano"),
        ("gpt-4oh", None),
        ("gpt-4o-audio-preview", None),
        ("llama3", None),
        ("", None),
    ],
)
def test_price_is_that_of_the_longest_name_with_a_date_behind(model: str, like: str | None) -> None:
    found = load_prices()
    assert found.of(model) == (found.models[like] if like else None)


def test_longest_name_wins() -> None:
    found = prices(**{"m": Price(input=1, output=1), "m:2b": Price(input=2, output=2)})
    assert found.of("m:2b:q4") == Price(input=2, output=2)


def test_unknown_price_is_none_and_offline_is_free() -> None:
    assert load_prices().cost("nobody-knows", completion(prompt=5)) is None
    assert load_prices().cost("offline", completion("offline", prompt=5)) == 0


def test_prices_of_the_user_stand_before_the_built_in_ones(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text("models:\n  gpt-4o: {input: 1, output: 2}\n  mine: {input: 3, output: 4}\n")
    found = load_prices(path)
    assert found.of("gpt-4o") == Price(input=1, output=2)
    assert found.of("mine") == Price(input=3, output=4)
    assert found.of("gpt-4o-mini") == load_prices().of("gpt-4o-mini")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("models:\n  mine: {input: -1, output: 2}\n", "models.mine.input"),
        ("models:\n  mine: {input: .nan, output: 2}\n", "models.mine.input"),
        ("models:\n  mine: {input: 1}\n", "models.mine.output"),
        ("models:\n", "models"),
        ("", "should be a valid dictionary.*write `models:`"),
        ("as_of: 2026-01\n", "models: Field required; write `models:`"),
        ("models: 3\n", "models: "),
        ("llama3.1:8b: {input: 0.1, output: 0.2}\n", "llama3.1:8b: Extra inputs are not permitted"),
        ("models:\n  mine: 0.1\n", r"models\.mine: .*NAME: \{input: 0\.10, output: 0\.20\}"),
        ("models:\n  mine: {input: 1, output: 2, currency: EUR}\n", "models.mine.currency"),
        ("models:\n  4: {input: 1, output: 2}\n", "models.4"),
        ("- a\n", "should be a valid dictionary"),
        ("models: {", "is not YAML that can be read.*write `models:`"),
        ("models: " + "[" * 5_000, "is nested too deeply"),
    ],
)
def test_prices_that_cannot_be_read_name_the_file_and_the_field(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=named) as caught:
        load_prices(path)
    assert str(path) in str(caught.value)


def test_missing_file_of_prices_names_the_variable(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="RAGSET_PRICES"):
        load_prices(tmp_path / "none.yaml")


def test_rows_are_sorted_sums_in_whatever_order_replies_come() -> None:
    found = prices(m=Price(input=0.1, output=0.3))
    said = [("judge", "judge_chunk", 7 * n) for n in range(50)] + [("draft", "open", 3 * n) for n in range(50)]
    rows: list[tuple[Usage, ...]] = []
    for seed in range(3):
        random.Random(seed).shuffle(said)
        meter = Meter(found)
        for stage, prompt, tokens in said:
            meter.add(stage, prompt, completion(prompt=tokens, reply=1))
        rows.append(meter.rows())
    assert rows[0] == rows[1] == rows[2]
    assert [(row.stage, row.calls, row.prompt_tokens) for row in rows[0]] == [
        ("draft", 50, 3 * 1225),
        ("judge", 50, 7 * 1225),
    ]
    # 8575 * 0.1 + 50 * 0.3 = 872.5 millionths
    assert rows[0][1].cost == pytest.approx(872.5e-6)


def test_added_rows_are_the_same_sums_in_whatever_order() -> None:
    rows = [Usage(stage="s", prompt="p", model="m", calls=1, cost=0.1 * n) for n in range(100)]
    (forwards,), (backwards,) = add_usage(rows), add_usage(reversed(rows))
    assert forwards == backwards
    assert forwards.calls == 100


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    rows = [Usage(stage="s", prompt="p", model=model, cost=cost) for model, cost in (("a", 0.5), ("b", None))]
    assert total_cost(rows) is None
    assert total_cost(rows[:1]) == 0.5
    assert total_cost([]) == 0


async def test_metered_model_counts_what_it_answers() -> None:
    meter = Meter(prices())
    llm = Metered(Scripted({"judge_chunk": ["{}"]}), meter)
    await llm.complete(request_of())
    await llm.complete(request_of())
    assert llm.model == "scripted"
    assert [(row.stage, row.prompt, row.model, row.calls, row.prompt_tokens, row.cost) for row in meter.rows()] == [
        ("judge", "judge_chunk", "scripted", 2, 200, None)
    ]


def test_replies_by_batch_cost_half_and_stand_in_a_row_of_their_own() -> None:
    meter = Meter(prices(m=Price(input=2, output=8)))
    live = completion(prompt=1000, reply=100)
    meter.add("judge", "judge_chunk", live)
    meter.add("judge", "judge_chunk", live.model_copy(update={"batch": True}))
    # 1000 * 2 + 100 * 8 = 2800 millionths, and half of them
    assert [(row.batch, row.cost) for row in meter.rows()] == [(False, 0.0028), (True, 0.0014)]
    assert [row.calls for row in add_usage([*meter.rows(), *meter.rows()])] == [2, 2]
