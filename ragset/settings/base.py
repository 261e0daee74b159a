"""The base of all groups of parameters: closed, frozen, and with descriptions that a form can print."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar, cast, get_origin

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Names(StrEnum):
    """The kinds of things that a parameter can name; runs of a service may name only what their operator allows."""

    PATH = "path"  # a file or a folder, to read or to write
    SOURCE = "source"  # a file, a folder or an http(s) address, to read
    ADDRESS = "address"  # an address to which queries are sent, or the work of a run
    STORE = "store"  # a vector store to read: an address that is asked, or a file
    FUNCTION = "function"  # `module:function`, which is called
    CLASS = "class"  # `llamaindex:` and a class, which is imported; anything else names no code
    MODEL = "model"  # a model; `local:` and `cross-encoder:` ones are loaded into the process, and may bring code


OFFLINE = "offline"  # the name of the built-in rules and of the built-in embedding: no key, no network
AUTO = "auto"  # the embedding that fits the models of a run (ragset.retrieval.embedding.auto)
LOCAL = "local:"  # the prefix of the name or folder of an embedding model that runs on this machine


def plain(text: str) -> str:
    """The text in one line without backticks, which forms and help would print."""
    return text.replace("`", "").replace("\n", " ")


def _plain(schema: dict[str, Any]) -> None:
    for part in (schema, *schema.get("properties", {}).values()):
        if "description" in part:
            part["description"] = plain(part["description"])


def optional(title: str, given: str, empty: str, **limits: Any) -> Any:
    """A field that may be None. A form calls its alternatives `given` and `empty`, instead of `int` and `None`."""

    def name(schema: dict[str, Any]) -> None:
        for alternative, shown in zip(schema["anyOf"], (given, empty), strict=True):
            alternative["title"] = shown

    return Field(default=None, title=title, json_schema_extra=name, **limits)


class Settings(BaseModel):
    """A closed group of parameters: an unknown name is an error that says so.

    Short forms: text in place of the group is the value of its field `stands_for`, as in `chunking: sentence`, and one value in place
    of a list is a list of that one.
    """

    stands_for: ClassVar[str] = ""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra=_plain,
        hide_input_in_errors=True,  # an address may hold a password
    )

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, value: Any) -> Any:
        return cls.in_full(value)

    @classmethod
    def in_full(cls, value: Any) -> Any:
        """The value with its short forms written out; anything else as it is."""
        many = isinstance(value, list | tuple) and cls.stands_for and cls._is_list(cls.stands_for)
        if cls.stands_for and (isinstance(value, str) or many):
            value = {cls.stands_for: value}
        if not isinstance(value, Mapping):
            return value
        given = cast("Mapping[Any, Any]", value)
        return {
            name: one if one is None or isinstance(one, list | tuple) or not cls._is_list(name) else [one]
            for name, one in given.items()
            if one is not None or not cls._is_group(name)  # a name in a YAML file with nothing below it
        }

    @classmethod
    def _is_group(cls, name: str) -> bool:
        kind = cls.model_fields[name].annotation if name in cls.model_fields else None
        return isinstance(kind, type) and issubclass(kind, Settings)

    @classmethod
    def _is_list(cls, name: str) -> bool:
        return name in cls.model_fields and get_origin(cls.model_fields[name].annotation) is tuple
