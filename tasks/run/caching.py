"""Cache keys of tasks, and which failures are retried.

Prefect's own policies include the run's id, or hash the task's source, which leaves out prompts and the library.
"""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from prefect import Task
from prefect.cache_policies import CachePolicy
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import TaskRunContext
from prefect.serializers import CompressedSerializer, JSONSerializer
from prefect.tasks import exponential_backoff
from prefect.utilities.annotations import quote
from pydantic import BaseModel

from ragset.dataset import versions
from ragset.errors import LLMUnavailable, StorageUnavailable, StoreUnavailable
from ragset.llm.endpoint import model_identity, server_of
from ragset.llm.prompts import Prompt
from ragset.settings import Environment, ModelSettings
from tasks.run.home import results_folder

T = TypeVar("T")

_JSON = CompressedSerializer(serializer=JSONSerializer(), compressionlib="zlib")
"""How results are kept: readable by any version of Python, and by people."""


def unsearched(value: T) -> T:
    """An argument that Prefect need not search for futures: for a large one that would cost more than the task."""
    return quote(value)  # pyright: ignore[reportReturnType]


def code_digest(*folders: Path) -> str:
    """A digest of every file below the folders, compiled and hidden ones apart."""
    whole = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = path.relative_to(folder)
            if "__pycache__" not in name.parts and not any(part.startswith(".") for part in name.parts):
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                whole.update(f"{folder.name}/{name.as_posix()} {content}\n".encode())
    return whole.hexdigest()


@dataclass
class Keyed(CachePolicy):
    """What `keyed_by` makes."""

    names: tuple[str, ...] = ()

    def compute_key(self, task_ctx: TaskRunContext, inputs: dict[str, Any], *_: object, **__: object) -> str:
        """The key of one run of a task."""
        content: dict[str, Any] = {}
        for name in self.names:
            argument, *attributes = name.split(".")
            content[name] = inputs[argument]
            for attribute in attributes:
                content[name] = None if content[name] is None else getattr(content[name], attribute)
        key = f"{task_ctx.task.name}-{digest([_MAKERS, content])}"
        with suppress(OSError):  # there may be no result yet
            os.utime(results_folder() / key)  # says when it was last used
        return key


def keyed_by(*names: str) -> Keyed:
    """A cache key of the named arguments' content, the task's name, and the code and packages that make the result.

    A name may go on into an argument, `batch.candidates`; the attributes of None are None. Content without canonical
    JSON is a TypeError when the key is made: Prefect logs it, and keeps no result.
    """
    return Keyed(names=names)


def made_by() -> str:
    """A digest of the code and packages that make results."""
    return digest(_MAKERS)


def digest(content: object) -> str:
    """32 hexadecimal digits of the SHA-256 of `content` as canonical JSON."""
    text = json.dumps(_plain(content), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _plain(value: object) -> Any:
    match value:
        case Prompt():
            return value.id
        case ModelSettings():
            return model_identity(value, server_of(Environment().openai_base_url))
        case BaseModel():
            return value.model_dump(mode="json")
        case Mapping():
            return {str(name): _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case Path():
            return str(value)
        case None | str() | int() | float() | bool():
            return value
        case _:
            raise TypeError(f"a {type(value).__name__} has no content to key a cache by")


def worth_asking_again(task: Task[..., Any], run: TaskRun, state: State[Any]) -> bool:  # noqa: ARG001
    """Only who could not be reached may be reached later; anything else would fail the same way."""
    return isinstance(state.data, LLMUnavailable | StorageUnavailable | StoreUnavailable)


def worth_going_on(task: Task[..., Any], run: TaskRun, state: State[Any]) -> bool:
    """As `worth_asking_again` for a task of many stages: an outage is waited for twice, a single call that got no reply in each."""
    alone = isinstance(state.data, LLMUnavailable) and state.data.alone
    return worth_asking_again(task, run, state) and (run.run_count <= 2 or alone)


_MAKERS = [code_digest(*(Path(sys.modules[name].__path__[0]) for name in ("ragset", "tasks"))), dict(versions())]
"""The code and the packages that make results. Read on import: a file that is edited later is not the code that runs."""

RETRIED: dict[str, Any] = {
    "retries": 2,
    "retry_delay_seconds": exponential_backoff(backoff_factor=2),
    "retry_jitter_factor": 0.5,
    "retry_condition_fn": worth_asking_again,
}
"""How every task that asks somebody over a network is tried again."""
KEPT: dict[str, Any] = {"persist_result": True, "result_serializer": _JSON, **RETRIED}
"""The same of a task whose result is kept."""

KEPT_BY_STAGES: dict[str, Any] = {**KEPT, "retries": 18, "retry_delay_seconds": 4, "retry_condition_fn": worth_going_on}
"""Of a task that takes a batch through several stages: two tries more for each. What was answered is not asked again."""
