from typing import Any

import pytest

from ragset.llm.usage import Price, Prices
from ragset.models import Candidate, Chunk
from ragset.settings import Budget, ModelSettings, WritingSettings
from tasks.batches import Recipe
from tasks.pipeline import StageRun, affordable
from tasks.run.models import Account


@pytest.mark.parametrize(
    ("limits", "candidates"),
    [
        ({"max_calls": 248}, 100),  # draft and critique, and of a hundred two answers and 45 queries judged alone
        ({"max_tokens": 272_800}, 100),  # 1,100 a call
        ({"max_cost": 0.2728}, 100),  # (1000 * 2 + 100 * 2) / 1,000,000 / 2 = 0.0011 a call
        ({"max_calls": 30, "max_cost": 0.33}, 12),
    ],
)
def test_a_budget_takes_so_many_candidates_through_all_stages(limits: dict[str, float], candidates: int) -> None:
    model = ModelSettings(model="m", mode="batch")
    recipe = Recipe.load(WritingSettings(), model, model, 0)
    recipe = recipe.model_copy(update={"prices": Prices(models={"m": Price(input=2, output=2)})})
    assert affordable(Budget.model_validate(limits), recipe) == candidates
    assert affordable(Budget(), recipe) > 10**8


@pytest.mark.parametrize(
    ("candidates", "max_calls", "sizes"),
    [
        (70, None, [32, 32, 6]),
        (400, None, [50] * 8),  # 400 / 8
        (1_100, None, [128] * 8 + [76]),  # 1,100 / 8 = 137, and 128 at most
        (400, 1_000, [32] * 12 + [16]),  # a budget is for few batches at once
    ],
)
def test_batches_are_larger_in_a_run_of_many_candidates_without_a_budget(
    candidates: int, max_calls: int | None, sizes: list[int]
) -> None:
    model = ModelSettings(model="m")
    index: Any = None
    account = Account(run="r", budget=Budget(max_calls=max_calls))
    run = StageRun(Recipe.load(WritingSettings(), model, model, 0), account, index)
    several = [Candidate(chunks=(Chunk(doc_id="d", start=n, end=n + 1, text="t"),)) for n in range(candidates)]
    batches = run.batches(several, first=5)
    assert [len(batch.candidates) for batch in batches] == sizes
    assert [one for batch in batches for one in batch.candidates] == several
    assert batches[1].label == f"{5 + sizes[0]}-{4 + sizes[0] + sizes[1]}"
