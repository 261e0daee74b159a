"""Reads parameters from a YAML file, options or a form into their model; an error names each fault."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from flows.parameters.options import ARGUMENTS, OPTIONS
from ragset.errors import InputError
from ragset.settings import Settings
from ragset.settings.writing import Thresholds
from ragset.settings.yaml_text import read_yaml_file

P = TypeVar("P", bound=Settings)

_EMPTY = {"missing", "too_short"}


def read_parameters(model: type[P], config: Path | None, given: Mapping[str, Any]) -> P:
    """The parameters in the file, and in a file of thresholds that it names, overridden by those `given` by dotted name, as in `chunking.size`."""
    values: Any = (read_yaml_file(config) or {}) if config else {}
    if not isinstance(values, dict):
        raise InputError(f"{config}: holds a {type(values).__name__}; write names and values, one a line")
    values = _with_thresholds(values)
    for name, value in given.items():
        *groups, last = name.split(".")
        place: dict[str, Any] = values
        for group in groups:
            inner = place.get(group)
            place[group] = dict(inner) if isinstance(inner, Mapping) else {}
            place = place[group]
        place[last] = value
    return valid(model, values, f"{config}: " if config else "")


def _with_thresholds(values: dict[str, Any]) -> dict[str, Any]:
    """The values with thresholds read from the file that they name, as `calibrate-critic` writes it."""
    writing: Any = values.get("writing")
    file: Any = writing.get("thresholds") if isinstance(writing, dict) else None
    if not isinstance(file, str):
        return values
    found = read_yaml_file(Path(file))
    if not isinstance(found, dict):
        raise InputError(f"{file}: is no file of thresholds; write a score and its lowest value on each line")
    return {
        **values,
        "writing": {**writing, "thresholds": valid(Thresholds, found, f"{file}: ").model_dump(exclude_unset=True)},
    }


def weights(option: str, text: str) -> dict[str, float]:
    """Weights of kinds, as typed: `open=2,factoid=1`, or `open` alone."""
    mix: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        kind, _, weight = part.partition("=")
        try:
            mix[kind.strip()] = float(weight) if weight else 1.0
        except ValueError:
            raise InputError(f"--{option}: {weight!r} is no weight; write for example open=2,factoid=1") from None
    return mix


def valid(model: type[P], values: Mapping[str, Any], origin: str = "") -> P:
    """The `values` as a `model`; lines of the message begin with `origin`."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InputError("\n".join(origin + line for line in _complaints(error))) from None


def _complaints(error: ValidationError) -> list[str]:
    lines: list[str] = []
    # How pydantic names the branches of a count, and of settings that may be left empty.
    branches = {"int", "constrained-int", "literal['all']", *_names(Settings)}
    problems = error.errors(include_url=False, include_input=False)
    for problem in problems:
        place, kind = problem["loc"], problem["type"]
        # pydantic does not count refused items, so it calls a list of them too short as well.
        inside = any(place == other["loc"][: len(place)] != other["loc"] for other in problems)
        # The other branch of a parameter that may be left empty says what is wrong with what was given.
        if (kind == "too_short" and inside) or kind == "none_required":
            continue
        parts = (str(part) for part in place)
        field = ".".join(part for part in parts if part not in branches and not part.startswith("function-"))
        said = problem["msg"].removeprefix("Value error, ")
        if kind == "extra_forbidden":
            lines.append(f"{field}: there is no such parameter")
            continue
        if field == "n":
            said = "must be a whole number from 1, or all"
        elif field == "datasets" and kind in _EMPTY:
            said = "name at least one dataset"
        elif field in {"documents", "documents.sources"} and kind in _EMPTY:
            said = "name at least one file, folder or http(s) address"
        elif kind == "missing":
            said = "is missing"
        elif kind == "model_type":
            said = "must be names with values, such as {name: value}"
        option = f" (--{OPTIONS[field]})" if field in OPTIONS and field not in ARGUMENTS else ""
        lines.append(f"{field}{option}: {said}" if field else said)
    return list(dict.fromkeys(lines))


def _names(model: type[Settings]) -> set[str]:
    return {model.__name__}.union(*(_names(kind) for kind in model.__subclasses__()))
