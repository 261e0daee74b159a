"""Reads parameters from a YAML file, options or a form into their model; an error names each fault."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from flows.parameters.faults import Place, faults, groups_in
from ragset.errors import InputError
from ragset.settings import Settings
from ragset.settings.writing import Thresholds
from ragset.settings.yaml_text import read_yaml_file, yaml_lines

P = TypeVar("P", bound=Settings)


def read_parameters(model: type[P], config: Path | None, given: Mapping[str, Any]) -> P:
    """The parameters in the file, and in a file of thresholds that it names, overridden by those `given` by dotted name, as in `chunking.size`."""
    values: Any = (read_yaml_file(config) or {}) if config else {}
    if not isinstance(values, dict):
        raise InputError(f"{config}: holds a {type(values).__name__}; write names and values, one a line")
    values = _with_thresholds(values)
    for name, value in given.items():
        *groups, last = name.split(".")
        place: dict[str, Any] = values
        group: type[Settings] = model
        for part in groups:
            (group,) = groups_in(group.model_fields[part].annotation)
            inner = group.in_full(place.get(part))
            place[part] = dict(inner) if isinstance(inner, Mapping) else {}
            place = place[part]
        place[last] = value
    return valid(model, values, _File(config, given).origin) if config else valid(model, values)


def _with_thresholds(values: dict[str, Any]) -> dict[str, Any]:
    """The values with thresholds read from the file that they name, as `calibrate-critic` writes it."""
    writing: Any = values.get("writing")
    file: Any = writing.get("thresholds") if isinstance(writing, dict) else None
    if not isinstance(file, str):
        return values
    found = read_yaml_file(Path(file))
    if not isinstance(found, dict):
        raise InputError(f"{file}: is no file of thresholds; write a score and its lowest value on each line")
    thresholds = valid(Thresholds, found, _File(Path(file)).origin).model_dump(exclude_unset=True)
    return {**values, "writing": {**writing, "thresholds": thresholds}}


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


def valid(model: type[P], values: Any, origin: Callable[[Place], str] = lambda _: "") -> P:
    """The `values` as a `model`; each line of the message begins with the `origin` of the value that is wrong."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InputError("\n".join(faults(error, model, origin))) from None


class _File:
    """The file that values were read from, without those that options gave."""

    def __init__(self, path: Path, given: Iterable[str] = ()) -> None:
        self._path = path
        self._given = [tuple(name.split(".")) for name in given]

    def origin(self, place: Place) -> str:
        """File and line of the innermost key of the file that leads to the place; empty where an option gave the value."""
        if any(place[: len(one)] == one for one in self._given):
            return ""
        lines = yaml_lines(self._path)
        line = next((lines[key] for length in range(len(place), 0, -1) if (key := place[:length]) in lines), None)
        return f"{self._path}:{line}: " if line else f"{self._path}: "
