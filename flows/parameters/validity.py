"""Parameters read into their model, or told one by one what is wrong with them."""

from typing import Any, TypeVar

from pydantic import ValidationError

from flows.parameters.options import ARGUMENTS, OPTIONS
from ragset.errors import InputError
from ragset.settings import Settings

_BRANCHES = {"int", "constrained-int", "literal['all']"}
"""How pydantic names the two kinds of a count."""

P = TypeVar("P", bound=Settings)


def valid(model: type[P], values: dict[str, Any], origin: str = "") -> P:
    """The `values` as a `model`; lines of the message begin with `origin`.

    Raises:
        InputError: a value is not allowed; the message names each field.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InputError("\n".join(origin + line for line in _complaints(error))) from None


def _complaints(error: ValidationError) -> list[str]:
    lines: list[str] = []
    branches = _BRANCHES | _names(Settings)
    problems = error.errors(include_url=False, include_input=False)
    for problem in problems:
        # Refused items are not counted, so that a list of them is called empty as well.
        place = problem["loc"]
        if problem["type"] == "too_short" and any(
            place == other["loc"][: len(place)] != other["loc"] for other in problems
        ):
            continue
        # Of a parameter that may be left empty; the other branch says what is wrong with what was given.
        if problem["type"] == "none_required":
            continue
        parts = [str(part) for part in problem["loc"]]
        field = ".".join(part for part in parts if part not in branches and not part.startswith("function-"))
        said = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            lines.append(f"{field}: there is no such parameter")
            continue
        if problem["type"] == "missing":
            said = "is missing"
        elif problem["type"] == "model_type":
            said = "must be names with values, such as {name: value}"
        if field == "n":
            said = "must be a whole number from 1, or all"
        elif field == "datasets" and problem["type"] in {"missing", "too_short"}:
            said = "name at least one dataset"
        elif field in {"documents", "documents.sources"} and problem["type"] in {"missing", "too_short"}:
            said = "name at least one file, folder or http(s) address"
        lines.append(f"{_name(field)}: {said}" if field else said)
    return list(dict.fromkeys(lines))


def _names(model: type[Settings]) -> set[str]:
    """Of all kinds of settings: how pydantic names the branch of one that may be left empty."""
    return {model.__name__}.union(*(_names(kind) for kind in model.__subclasses__()))


def _name(field: str) -> str:
    """A parameter, with the option that sets it."""
    return f"{field} (--{OPTIONS[field]})" if field in OPTIONS and field not in ARGUMENTS else field
