import importlib
import pkgutil
from pathlib import Path
from types import NoneType, SimpleNamespace
from typing import Any, get_args, get_type_hints

import pytest
from prefect import Task
from prefect.client.schemas.objects import State
from prefect.states import Failed

import tasks
from ragset.errors import LLMUnavailable, ProviderRefused, StoreError, StoreUnavailable
from ragset.llm.prompts import load_prompt
from ragset.settings import ModelSettings
from tasks.run.caching import Keyed, code_digest, digest, keyed_by, worth_asking_again, worth_going_on


def key(policy: Any, arguments: dict[str, Any], *, name: str = "grow") -> str:
    return policy.compute_key(SimpleNamespace(task=SimpleNamespace(name=name)), arguments, {})


def test_the_key_is_of_the_named_arguments_alone() -> None:
    policy = keyed_by("model")
    model = ModelSettings(model="m")
    assert key(policy, {"model": model, "run": 1}) == key(policy, {"model": model.model_copy(), "run": 2})
    assert key(policy, {"model": model}) != key(policy, {"model": ModelSettings(model="other")})


def test_a_name_may_go_on_into_an_argument() -> None:
    policy = keyed_by("path.name")
    assert key(policy, {"path": Path("/a/x")}) == key(policy, {"path": Path("/b/x")})


def test_of_an_argument_that_is_none_everything_is_none() -> None:
    policy = keyed_by("index.generation")
    assert key(policy, {"index": None}) == key(policy, {"index": None})
    assert key(policy, {"index": None}) != key(policy, {"index": SimpleNamespace(generation="g")})
    with pytest.raises(AttributeError):
        key(policy, {"index": SimpleNamespace()})


def test_the_tasks_name_is_part_of_the_key() -> None:
    policy = keyed_by("x")
    assert key(policy, {"x": 1}, name="a") != key(policy, {"x": 1}, name="b")


def test_a_model_counts_by_its_server_and_by_what_its_replies_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://user:secret@a/v1/")
    model, offline = ModelSettings(model="m"), ModelSettings()
    keys, rules = {digest(model)}, digest(offline)
    assert digest(ModelSettings(model="m", timeout=5, max_retries=1, max_concurrency=2)) in keys
    keys |= {digest(ModelSettings(model="m", temperature=0)), digest(ModelSettings(model="m", max_tokens=99))}
    monkeypatch.setenv("OPENAI_BASE_URL", "http://other:key@a/v1")
    assert digest(model) in keys
    monkeypatch.setenv("OPENAI_BASE_URL", "http://b/v1")
    assert len({*keys, digest(model)}) == 4
    assert digest(offline) == rules


def test_code_is_known_by_every_file_but_compiled_and_hidden_ones(tmp_path: Path) -> None:
    for name in ("a.py", "below/prices.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    found = [code_digest(tmp_path)]
    for other in ("__pycache__/a.pyc", ".a.py.swp"):
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).write_text("")
        assert code_digest(tmp_path) == found[0]
    for name in ("a.py", "below/prices.yaml", "below/b.py"):
        (tmp_path / name).write_text("changed")
        found.append(code_digest(tmp_path))
    assert len(set(found)) == 4


def tasks_with_keys() -> list[Any]:
    modules = [importlib.import_module(f"tasks.{found.name}") for found in pkgutil.iter_modules(tasks.__path__)]
    found = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, Task)}
    return [task for task in found.values() if isinstance(task.cache_policy, Keyed)]


def test_every_key_names_what_its_task_is_given() -> None:
    """Where a key cannot be made, Prefect logs that and goes on without a cache."""
    assert len(tasks_with_keys()) > 4
    for task in tasks_with_keys():
        given = get_type_hints(task.fn)
        for name in task.cache_policy.names:
            argument, *attributes = name.split(".")
            kinds = [given[argument]]
            for attribute in attributes:
                kinds = [one for kind in kinds for one in get_args(kind) or [kind] if one is not NoneType]
                kinds = [_type_of(kind, attribute) for kind in kinds]


def _type_of(kind: Any, attribute: str) -> Any:
    if attribute in kind.model_fields:
        return kind.model_fields[attribute].annotation
    return get_type_hints(getattr(kind, attribute).fget)["return"]


def test_a_prompt_counts_by_its_digest() -> None:
    prompt = load_prompt("judge_chunk")
    renamed = prompt.model_copy(update={"purpose": "another purpose, the same text for the model"})
    assert digest(prompt) == digest(renamed)
    assert digest(prompt) != digest(prompt.model_copy(update={"system": prompt.system + " More."}))


def test_the_order_of_names_in_a_mapping_is_no_difference() -> None:
    assert digest({"a": 1, "b": (2, 3)}) == digest({"b": [2, 3], "a": 1})


@pytest.mark.parametrize("thing", [object(), {1, 2}, b"bytes", lambda: None])
def test_what_has_no_content_to_hash_is_an_error_and_not_a_cache_switched_off(thing: object) -> None:
    with pytest.raises(TypeError, match="no content"):
        digest({"x": thing})


def failed(error: Exception) -> State[Any]:
    return Failed(data=error)


def test_only_who_cannot_be_reached_is_worth_another_try() -> None:
    task: Any = None
    run: Any = None
    assert worth_asking_again(task, run, failed(LLMUnavailable("gone")))
    assert worth_asking_again(task, run, failed(StoreUnavailable("gone")))
    assert not worth_asking_again(task, run, failed(StoreError("damaged")))
    assert not worth_asking_again(task, run, failed(ProviderRefused("wrong key")))
    assert not worth_asking_again(task, run, failed(ValueError("a bug")))


def test_an_outage_is_waited_for_twice_and_a_single_call_without_a_reply_in_every_stage() -> None:
    task: Any = None
    tries: list[Any] = [SimpleNamespace(run_count=count) for count in (1, 2, 3, 18)]
    outage, alone, refused = LLMUnavailable("gone"), LLMUnavailable("gone", alone=True), ProviderRefused("wrong key")
    assert [worth_going_on(task, run, failed(outage)) for run in tries] == [True, True, False, False]
    assert [worth_going_on(task, run, failed(alone)) for run in tries] == [True, True, True, True]
    assert [worth_going_on(task, run, failed(refused)) for run in tries] == [False, False, False, False]
