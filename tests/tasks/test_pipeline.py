import pytest

from ragset.llm.usage import Price, Prices
from ragset.settings import Budget, ModelSettings, WritingSettings
from tasks.batches import Recipe
from tasks.pipeline import affordable


@pytest.mark.parametrize(
    ("limits", "candidates"),
    [
        ({"max_calls": 300}, 100),  # draft, answer and critique
        ({"max_tokens": 330_000}, 100),  # 1,100 a call
        ({"max_cost": 0.33}, 100),  # (1000 * 2 + 100 * 2) / 1,000,000 / 2 = 0.0011 a call
        ({"max_calls": 30, "max_cost": 0.33}, 10),
    ],
)
def test_a_budget_takes_so_many_candidates_through_all_stages(limits: dict[str, float], candidates: int) -> None:
    model = ModelSettings(model="m", mode="batch")
    recipe = Recipe.load(WritingSettings(), model, model, 0)
    recipe = recipe.model_copy(update={"prices": Prices(models={"m": Price(input=2, output=2)})})
    assert affordable(Budget.model_validate(limits), recipe) == candidates
    assert affordable(Budget(), recipe) > 10**8
