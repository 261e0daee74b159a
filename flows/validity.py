"""Parameters read into their model, or told one by one what is wrong with them."""

from typing import Any, TypeVar

from pydantic import ValidationError

from flows.arguments import FIELDS
from ragset.errors import InputError
from ragset.settings import Settings

_BRANCHES = {"int", "constrained-int", "literal['all']"}
"""How pydantic names the two kinds of a count."""

_ARGUMENTS = {"dataset", "datasets", "documents", "read_documents", "now_documents"}
_SPELT = {
    "results_out": "out",
    "version_out": "out",
    "benchmark_critic": "critic",
    "new_critic": "critic",
    "new_model": "model",
    "splits": "split",
}
"""Options that two commands spell alike and explain otherwise."""

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
    for problem in error.errors(include_url=False, include_input=False):
        field = ".".join(str(part) for part in problem["loc"] if part not in _BRANCHES)
        said = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            said = "there is no such parameter"
        elif problem["type"] == "missing":
            said = "is missing"
        if field == "n":
            said = "must be a whole number from 1, or all"
        elif field == "datasets" and problem["type"] in {"missing", "too_short"}:
            said = "name at least one dataset"
        elif field in {"documents", "documents.sources"} and problem["type"] in {"missing", "too_short"}:
            said = "name at least one file, folder or http(s) address"
        lines.append(f"{_name(field)}: {said}" if field else said)
    return list(dict.fromkeys(lines))


def _name(field: str) -> str:
    """A parameter, with the option that sets it."""
    option = next((option for option, behind in FIELDS.items() if behind == field and option not in _ARGUMENTS), None)
    return f"{field} (--{_SPELT.get(option, option).replace('_', '-')})" if option else field
