"""The base of all groups of parameters: closed, frozen, and with descriptions that a form can print."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict


class Names(StrEnum):
    """The kinds of things that a parameter's text can name. Runs of a service may name only those that their operator allows."""

    PATH = "path"
    """A file or a folder, to read or to write."""
    SOURCE = "source"
    """A file, a folder or an http(s) address, to read."""
    ADDRESS = "address"
    """An http(s) address to which queries are sent."""
    FUNCTION = "function"
    """`module:function`, which is called."""
    MODEL = "model"
    """A model; one with the prefix `local:` or `cross-encoder:` is loaded into the process, and may bring code."""


OFFLINE = "offline"  # the name of the built-in rules and of the built-in embedding: no key, no network
LOCAL = "local:"  # the prefix of the name or folder of an embedding model that runs on this machine


def plain(text: str) -> str:
    """The text in one line, without the backticks that forms and help would print as they are."""
    return text.replace("`", "").replace("\n", " ")


def _plain(schema: dict[str, Any]) -> None:
    for part in (schema, *schema.get("properties", {}).values()):
        if "description" in part:
            part["description"] = plain(part["description"])


def either(*names: str) -> Callable[[dict[str, Any]], None]:
    """Names of a field's alternatives in a form, which would otherwise call them `int` and `None`."""

    def name(schema: dict[str, Any]) -> None:
        for alternative, title in zip(schema["anyOf"], names, strict=True):
            alternative["title"] = title

    return name


class Settings(BaseModel):
    """A closed group of parameters: an unknown name is an error that says so."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra=_plain,
        hide_input_in_errors=True,  # an address may hold a password
    )
