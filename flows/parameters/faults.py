"""What is wrong with parameters, a line for each fault: where it stands, which parameter, and what to write instead."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from itertools import chain
from typing import Any, get_args

from pydantic import ValidationError

from flows.parameters.options import ARGUMENTS, OPTIONS
from ragset.settings import Settings

Place = tuple[str | int, ...]
"""The keys and indices that lead to a value."""

_EMPTY = {"missing", "too_short"}


def faults(error: ValidationError, model: type[Settings], origin: Callable[[Place], str]) -> list[str]:
    """A line for each fault that pydantic found in values of the model; a line begins with the `origin` of its value."""
    lines: list[str] = []
    # How pydantic names the branches of a count, and of settings that may be left empty.
    branches = {"int", "constrained-int", "literal['all']", *groups()}
    problems = error.errors(include_url=False, include_input=False)
    for problem in problems:
        place, kind = problem["loc"], problem["type"]
        # pydantic does not count refused items, so it calls a list of them too short as well.
        inside = any(place == other["loc"][: len(place)] != other["loc"] for other in problems)
        # The other branch of a parameter that may be left empty says what is wrong with what was given.
        if (kind == "too_short" and inside) or kind == "none_required":
            continue
        place = tuple(part for part in place if part not in branches and not str(part).startswith("function-"))
        field = ".".join(map(str, place))
        if kind == "extra_forbidden":
            meant = _meant(field, model)
            lines.append(
                f"{origin(place)}{field}: there is no such parameter{f'; did you mean {meant}?' if meant else ''}"
            )
            continue
        said = _said(field, kind, problem["msg"])
        option = f" (--{OPTIONS[field]})" if field in OPTIONS and field not in ARGUMENTS else ""
        lines.append(origin(place) + (f"{field}{option}: {said}" if field else said))
    return list(dict.fromkeys(lines))


def _said(field: str, kind: str, message: str) -> str:
    if field == "n":
        return "must be a whole number from 1, or all"
    if field == "datasets" and kind in _EMPTY:
        return "name at least one dataset"
    if field in {"documents", "documents.sources"} and kind in _EMPTY:
        return "name at least one file, folder or http(s) address"
    if kind == "missing":
        return "is missing"
    if kind == "model_type":
        return "must be names with values, such as {name: value}"
    return message.removeprefix("Value error, ")


def _meant(field: str, model: type[Settings]) -> str:
    """The parameter that an unknown name may stand for: that of an option, one beside it, or one of another group."""
    *above, name = (part for part in field.split(".") if not part.isdigit())
    known = list(dict.fromkeys(_parameters(model)))
    option = "" if above else name.replace("_", "-").removeprefix("--")
    of_option = (path for path, typed in OPTIONS.items() if typed == option and path in known)
    beside = {one.rpartition(".")[2]: one for one in known if one.split(".")[:-1] == above}
    close = map(beside.__getitem__, get_close_matches(name, beside, n=1))
    elsewhere = (one for one in known if one.rpartition(".")[2] == name)
    return next(chain(of_option, close, elsewhere), "")


def _parameters(model: type[Settings], group: str = "") -> Iterator[str]:
    """The dotted names of all parameters of a model; the entries of a list have that of the list."""
    for name, field in model.model_fields.items():
        yield f"{group}{field.alias or name}"
        for inner in groups_in(field.annotation):
            yield from _parameters(inner, f"{group}{field.alias or name}.")


def groups_in(annotation: Any) -> list[type[Settings]]:
    """The groups of parameters in an annotation, in lists and alternatives too."""
    if isinstance(annotation, type) and issubclass(annotation, Settings):
        return [annotation]
    return [group for part in get_args(annotation) for group in groups_in(part)]


def groups(base: type[Settings] = Settings) -> dict[str, type[Settings]]:
    """Every group of parameters, by the name of its class."""
    return {base.__name__: base} | {name: one for kind in base.__subclasses__() for name, one in groups(kind).items()}
