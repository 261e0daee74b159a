from pathlib import Path

import pytest

from flows.steps.past_runs import past_rates_of, remember_run
from ragset.settings import ModelSettings, WritingSettings
from ragset.settings.writing import Thresholds
from tasks.batches import Recipe

MODEL = ModelSettings(model="m")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path))


def recipe(writing: WritingSettings) -> Recipe:
    return Recipe(writing=writing, generator=MODEL, critic=MODEL, seed=0)


def test_runs_with_an_audience_are_not_pooled_with_runs_without() -> None:
    remember_run(recipe(WritingSettings()), "a", {"draft": (10, 8), "critique": (8, 6)})
    assert past_rates_of(recipe(WritingSettings(language="de"))).stages == {"draft": (10, 8), "critique": (8, 6)}
    for other in (
        WritingSettings(audience="clockmakers"),
        WritingSettings(thresholds=Thresholds(relevance=3)),
        WritingSettings(evolutions={"deepen": 1.0}),
    ):
        assert past_rates_of(recipe(other)).runs == 0


def test_a_run_that_asked_nobody_is_not_kept() -> None:
    remember_run(recipe(WritingSettings()), "a", {"draft": (0, 0)})
    assert past_rates_of(recipe(WritingSettings())).runs == 0
