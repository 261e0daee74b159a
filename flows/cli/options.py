"""Parameters from a YAML file and from the command line; what the command line says goes first."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from flows.parameters.models import MultiChunkParameters
from flows.parameters.validity import valid
from ragset.errors import InputError
from ragset.settings import OFFLINE, Environment, Settings
from ragset.settings.yaml_text import read_yaml

P = TypeVar("P", bound=Settings)


def parameters(model: type[P], config: Path | None, options: Mapping[str, object]) -> P:
    """What a flow is called with. `options` by dotted name, `chunking.size`; those that are None were not given.

    Raises:
        InputError: the file cannot be read, or a value is not allowed; the message names each field.
    """
    values = _read(config) if config else {}
    for name, value in options.items():
        if value is not None and value != []:
            _put(values, name.split("."), value)
    return valid(model, values, f"{config}: " if config else "")


def weights(field: str, text: str | None) -> dict[str, float] | None:
    """Weights of kinds, as typed: `open=2,factoid=1`, or `open` alone.

    Raises:
        InputError: a weight that is no number.
    """
    if text is None:
        return None
    mix: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        kind, _, weight = part.partition("=")
        try:
            mix[kind.strip()] = float(weight) if weight else 1.0
        except ValueError:
            raise InputError(f"--{field}: {weight!r} is no weight; write for example open=2,factoid=1") from None
    return mix


def key_without_model(model: str) -> str | None:
    """A line for someone who has set a key and named no model."""
    env = Environment()
    if model != OFFLINE or not (env.openai_api_key or env.openai_base_url):
        return None
    return (
        "OPENAI_API_KEY or OPENAI_BASE_URL is set, but no model is named: the offline rules write and judge. "
        "Name one with --model."
    )


def joining_documents(asked: object) -> str | None:
    """A line for someone who would split queries that need several documents by document."""
    if not isinstance(asked, MultiChunkParameters) or asked.split.by != "document":
        return None
    return (
        "Split by document: a query whose evidence stands in two documents joins them, and where most do, all goldens may "
        "come to one side. Split by evidence instead, unless no document may be on two sides."
    )


def _read(config: Path) -> dict[str, Any]:
    try:
        values = read_yaml(config.read_text(encoding="utf-8"), config)
    except OSError as error:
        raise InputError(f"{config}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{config}: is not UTF-8 text") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise InputError(f"{config}: holds a {type(values).__name__}; write names and values, one a line")
    return values


def _put(values: dict[str, Any], path: list[str], value: object) -> None:
    for name in path[:-1]:
        inner = values.get(name)
        values[name] = dict(inner) if isinstance(inner, Mapping) else {}
        values = values[name]
    values[path[-1]] = value
