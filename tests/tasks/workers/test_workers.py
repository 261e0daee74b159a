"""What is sent to workers, and how it is divided; the clusters themselves are in tests/engines."""

import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import ragset.errors
from ragset.errors import DocumentError, InputError, LLMUnavailable, RagsetError
from ragset.settings import ModelSettings, RunnerSettings, WritingSettings
from tasks.batches import Recipe, ask_stages
from tasks.run.progress import Progress
from tasks.workers import cluster
from tasks.workers.cluster import in_slabs, on_worker, over_workers, parallel
from tasks.workers.work import name_of


def errors() -> Iterator[type[RagsetError]]:
    return (kind for kind in vars(ragset.errors).values() if isinstance(kind, type) and issubclass(kind, RagsetError))


@pytest.mark.parametrize("kind", [*errors()])
def test_an_error_comes_from_a_worker_as_it_was(kind: type[RagsetError]) -> None:
    given: Any = ("a.pdf", "is empty") if kind is DocumentError else ("no reply",)
    error = kind(*given)
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), vars(back)) == (kind, str(error), vars(error))


def test_whether_others_were_answered_is_kept() -> None:
    assert pickle.loads(pickle.dumps(LLMUnavailable("gone", alone=True))).alone


def test_a_recipe_with_prompts_that_were_used_can_be_sent() -> None:
    recipe = Recipe.load(WritingSettings(), ModelSettings(model="m"), ModelSettings(model="m"), 0)
    assert [stage.name for stage in recipe.stages()]
    back = pickle.loads(pickle.dumps(recipe))
    assert (back, back.identity) == (recipe, recipe.identity)


def test_a_task_is_sent_by_the_name_that_a_worker_imports() -> None:
    assert name_of(ask_stages) == "tasks.batches:ask_stages"


async def negative(number: int) -> int:
    return -number


async def test_without_a_cluster_all_is_done_here_at_once() -> None:
    assert await parallel() == 1
    assert await on_worker(negative, 3) == -3
    assert await over_workers(negative, [(1,), (2,), (3,)]) == [-1, -2, -3]
    assert await in_slabs([1, 2, 3], 1) == [[1, 2, 3]]


@given(st.lists(st.integers(), max_size=40), st.integers(1, 8), st.integers(1, 6))
async def test_slabs_are_in_order_and_none_is_larger_than_its_share(items: list[int], most: int, workers: int) -> None:
    class Some:
        async def workers(self) -> int:
            return workers

    before = cluster._current.set(Some())  # type: ignore[arg-type]
    try:
        slabs = await in_slabs(items, most)
    finally:
        cluster._current.reset(before)
    assert [item for slab in slabs for item in slab] == items
    assert max(map(len, slabs), default=0) <= min(most, -(-len(items) // workers) or 1)


def test_progress_of_a_worker_is_added() -> None:
    here, there = (
        Progress(kept=1, calls_made=2, cost_made=0.5),
        Progress(kept=3, rejected=1, calls_made=4, cost_made=0.25),
    )
    here.add(there)
    assert (here.kept, here.rejected, here.calls_made, here.cost_made) == (4, 1, 6, 0.75)
    here.add(Progress(cost_made=None))
    assert here.cost_made is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"workers": 2}, "kind"),
        ({"kind": "ray", "address": "tcp://head:10001"}, "address"),
        ({"kind": "dask", "address": "tcp://head:8786", "workers": 2}, "workers"),
        ({"kind": "dask", "address": "head:8786"}, "address"),
    ],
)
def test_settings_that_do_not_fit_each_other_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        RunnerSettings(**given)


def test_a_server_that_only_this_machine_reaches_is_no_server_for_workers_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster.get_current_settings().api, "url", "http://127.0.0.1:4200/api")
    with pytest.raises(InputError, match="PREFECT_API_URL"):
        cluster._check_reachable(RunnerSettings(kind="dask", address="tcp://head:8786"))
    cluster._check_reachable(RunnerSettings(kind="dask", address="tcp://127.0.0.1:8786"))
