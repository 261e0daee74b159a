from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prefect.client.schemas.objects import State
from prefect.states import Failed

from ragset.errors import LLMUnavailable, ProviderRefused
from ragset.prompt import load_prompt
from ragset.settings import ModelSettings
from tasks.caching import digest, keyed_by, worth_asking_again


def key(policy: Any, arguments: dict[str, Any], *, name: str = "grow", version: str = "1") -> str:
    context = SimpleNamespace(task=SimpleNamespace(name=name, version=version))
    return policy.compute_key(context, arguments, {})


def test_the_key_is_of_the_named_arguments_alone() -> None:
    policy = keyed_by("model")
    model = ModelSettings(model="m")
    assert key(policy, {"model": model, "run": 1}) == key(policy, {"model": model.model_copy(), "run": 2})
    assert key(policy, {"model": model}) != key(policy, {"model": ModelSettings(model="other")})


def test_a_name_may_go_on_into_an_argument() -> None:
    policy = keyed_by("path.name")
    assert key(policy, {"path": Path("/a/x")}) == key(policy, {"path": Path("/b/x")})


def test_the_tasks_name_and_version_are_part_of_the_key() -> None:
    policy = keyed_by("x")
    keys = {key(policy, {"x": 1}, name=name, version=version) for name in "ab" for version in "12"}
    assert len(keys) == 4


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


def test_only_an_unreachable_provider_is_worth_another_try() -> None:
    task: Any = None
    run: Any = None
    assert worth_asking_again(task, run, failed(LLMUnavailable("gone")))
    assert not worth_asking_again(task, run, failed(ProviderRefused("wrong key")))
    assert not worth_asking_again(task, run, failed(ValueError("a bug")))
