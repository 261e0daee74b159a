"""Addresses such as `s3://bucket/folder`: a flow gets the paths of local copies, and its result names the addresses."""

from typing import Any, TypeVar, cast

from pydantic import BaseModel

from ragset.evaluation.grid import LEARNED
from ragset.settings import Names, Settings
from ragset.storage import local_copy, with_addresses

S = TypeVar("S", bound=Settings)

_FOLDERS = {"folder", "out", "before"}
"""Fields of results that name a folder. Reports stay paths of copies, which a browser opens."""


def with_copies(settings: S) -> S:
    """The settings with the path of an up-to-date copy wherever a file or folder is named by its address.

    Sources of documents stay: the name of their corpus is the same on every machine.

    Raises:
        InputError: there is no such file or folder, or the keys are refused.
        StorageUnavailable: a server does not answer.
    """
    found: dict[str, Any] = {}
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        items = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)
        new = tuple(_with_copy(one, field.metadata, to_write=name == "out") for one in items)
        if any(one is not before for one, before in zip(new, items, strict=True)):
            found[name] = new if isinstance(value, tuple) else new[0]
    return settings.model_copy(update=found) if found else settings


def _with_copy(value: Any, kinds: list[Any], *, to_write: bool) -> Any:
    if isinstance(value, Settings):
        return with_copies(value)
    learned = LEARNED if Names.MODEL in kinds and str(value).startswith(LEARNED) else ""
    if (Names.PATH in kinds or learned) and "://" in value:
        return learned + str(local_copy(value.removeprefix(learned), to_write=to_write))
    return value


def without_copies(result: Any) -> Any:
    """The result of a flow, with the address of each folder that is a copy."""
    if isinstance(result, tuple):
        return tuple(map(without_copies, cast("tuple[Any, ...]", result)))
    if not isinstance(result, BaseModel):
        return result
    values = {name: getattr(result, name) for name in type(result).model_fields}
    return result.model_copy(
        update={
            name: with_addresses(value) if name in _FOLDERS and isinstance(value, str) else without_copies(value)
            for name, value in values.items()
        }
    )
