"""When a task may take an earlier result, and when another try can mend a failure.

Prefect's own policies will not do: the default includes the run's id, so nothing is ever reused; hashing the
task's source says nothing of prompt files; an argument that cannot be hashed silently switches caching off.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

from prefect import Task
from prefect.cache_policies import CacheKeyFnPolicy, CachePolicy
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import TaskRunContext
from prefect.serializers import CompressedSerializer, JSONSerializer
from prefect.utilities.annotations import quote
from pydantic import BaseModel

from ragset import __version__
from ragset.errors import LLMUnavailable
from ragset.prompt import Prompt

T = TypeVar("T")

JSON = CompressedSerializer(serializer=JSONSerializer(), compressionlib="zlib")
"""How results are kept: readable by any version of Python, and by people."""


def unsearched(value: T) -> T:
    """An argument that Prefect need not search for futures: for a large one that would cost more than the task."""
    marked: Any = quote(value)
    return marked


def keyed_by(*names: str) -> CachePolicy:
    """A cache key of the named arguments' content, the task's name and `version`, and the version of ragset.

    A name may go on into an argument, `batch.candidates`. Prompts count by their digests. An argument whose content has
    no canonical JSON is a TypeError when the key is made, which Prefect logs as an error.
    """

    def key(context: TaskRunContext, arguments: dict[str, Any]) -> str:
        content = {name: _look_up(arguments, name) for name in names}
        # The version stands for all code behind a task: rules, parsing, wording of complaints.
        return f"{context.task.name}-{context.task.version}-{digest([__version__, content])}"

    return CacheKeyFnPolicy(cache_key_fn=key)


def digest(content: object) -> str:
    """32 hexadecimal digits of the SHA-256 of `content` as canonical JSON.

    Raises:
        TypeError: something in it is neither plain data nor a pydantic model.
    """
    text = json.dumps(_plain(content), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _look_up(arguments: dict[str, Any], name: str) -> object:
    argument, *attributes = name.split(".")
    return reduce(getattr, attributes, arguments[argument])


def _plain(value: object) -> Any:
    match value:
        case Prompt():
            return value.id
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
    """Only a provider that could not be reached may be reached later; anything else would fail the same way."""
    return isinstance(state.data, LLMUnavailable)
