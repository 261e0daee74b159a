"""Makes options of commands from the JSON schemas of the flows' parameters."""

import inspect
from collections.abc import Sequence
from functools import cache, partial
from keyword import iskeyword
from typing import Annotated, Any

import typer

from flows.parameters.options import OPTIONS
from flows.parameters.reading import weights
from flows.parameters.table import FLOWS


def options_of(
    models: Sequence[str], arguments: Sequence[str], without: Sequence[str]
) -> tuple[dict[str, str], list[inspect.Parameter]]:
    """The parameter behind each option of a command that takes `models`, and the arguments of its function, for Typer."""
    paths: dict[str, str] = {}
    typed: list[inspect.Parameter] = []
    for path, option in OPTIONS.items():
        name = option.replace("-", "_") + "_" * iskeyword(option)
        if name in paths or any(path == one or path.startswith(f"{one}.") for one in without):
            continue
        if way := next(filter(None, (_way(model, path) for model in models)), []):
            paths[name] = path
            typed.append(_parameter(name, path, way, is_argument=path in arguments))
    return paths, typed


def _way(model: str, path: str) -> list[dict[str, Any]]:
    """The schemas of the groups that a parameter is in, and its own last; empty if the model has no such parameter."""
    schema = _schema(model)
    groups = schema.get("$defs", {})
    way: list[dict[str, Any]] = []
    for name in path.split("."):
        if name not in schema.get("properties", {}):
            return []
        field = schema["properties"][name]
        names = [one["$ref"].rpartition("/")[2] for one in (field, *field.get("anyOf", ())) if "$ref" in one]
        schema = groups[names[0]] if names else {}
        way.append({"description": schema.get("description"), **field})
    return way


@cache
def _schema(model: str) -> dict[str, Any]:
    return next(one for one in FLOWS.values() if one.__name__ == model).model_json_schema()


def _parameter(name: str, path: str, way: list[dict[str, Any]], *, is_argument: bool) -> inspect.Parameter:
    kind, option = _type(way[-1]), f"--{OPTIONS[path]}"
    typed: Any = {"integer": int, "number": float, "boolean": bool, "array": list[str]}.get(kind, str)
    if is_argument:
        how: Any = typer.Argument(help=_help(way).removesuffix(" Repeat the option for more."), show_default=False)
    elif kind == "boolean":
        how = typer.Option(f"{option}/--no-{OPTIONS[path]}" if way[-1]["default"] else option, help=_help(way))
    elif kind == "object":
        how = typer.Option(option, help=_help(way), metavar="MIX", parser=partial(weights, OPTIONS[path]))
    else:
        metavar = "NAME" if path.endswith(".model") else option.rpartition("-")[2].upper()
        how = typer.Option(option, help=_help(way), metavar=None if typed in (int, float) else metavar)
    kind_of = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind_of, default=None, annotation=Annotated[typed | None, how])


def _type(field: dict[str, Any]) -> str:
    """The JSON type of a field; `string` if it takes several."""
    types = {one.get("type", "string") for one in field.get("anyOf", (field,))} - {"null"}
    return types.pop() if len(types) == 1 else "string"


def _help(way: list[dict[str, Any]]) -> str:
    *groups, field = way
    # The group says what a model or the documents are for.
    said = [groups[-1]["description"]] if groups and field["title"] in {"Model", "Sources"} else []
    said.append(field["description"] or "")
    kinds = [*field.get("properties", {})]
    choices: list[str] = kinds or field.get("items", field).get("enum", [])
    if not all(choice in said[-1] for choice in choices):
        said.append(f"{'Kinds' if kinds else 'One of'}: {', '.join(choices)}.")
    if kinds:
        said.append(f"Write for example {kinds[0]}=2,{kinds[1]}=1.")
    if _type(field) == "array":
        said.append("Repeat the option for more.")
    optional = any(group.get("default", "") is None for group in groups)
    if shown := "" if optional else _shown(field.get("default")):
        said.append(f"(default: {shown})")
    return " ".join(said).replace("[", r"\[")


def _shown(default: Any) -> str:
    if isinstance(default, dict):
        mix: dict[str, float] = default
        return ",".join(f"{kind}={weight:g}" for kind, weight in mix.items())
    if default is None or default is False or default in ("", []):
        return ""
    if isinstance(default, list):
        several: list[object] = default
        return ", ".join(map(str, several))
    return "on" if default is True else str(default)
