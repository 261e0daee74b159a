"""Options of the commands, made of the models of the flows' parameters, and parameters read from them and from YAML.

Typer reads a command's signature. It is written when the command is called, so that a list of the commands loads no model.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup

from flows.parameters.options import OPTIONS
from ragset.errors import InputError

if TYPE_CHECKING:
    from flows.parameters.models import Parameters

    P = TypeVar("P", bound=Parameters)

Command = Callable[..., None]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for scripts.")]
Config = Annotated[
    Path | None,
    typer.Option("--config", help="YAML file with any of the parameters; options given here go first.", metavar="FILE"),
]

_signed: dict[str, Callable[[], Command]] = {}
"""Commands by name, with what writes their signature."""


class Commands(TyperGroup):
    """Commands of which those of a flow get their options when they are called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As in click, with the options of a flow's parameters."""
        name, command, rest = super().resolve_command(ctx, args)
        if name in _signed:
            alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")
            alone.command(name)(_signed[name]())
            command = typer.main.get_command(alone)
            self.add_command(command, name)
        return name, command, rest


def takes(*models: str, arguments: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> Callable[[Command], Command]:
    """A command that takes the parameters of these models, after its own options, as the keyword argument `given`.

    `arguments` are typed without an option's name; `without` are parameters and groups of them that cannot be typed.
    """

    def decorate(command: Command) -> Command:
        def signed() -> Command:
            from flows.parameters import models as all_models

            kinds = [getattr(all_models, name) for name in models]
            paths = _paths(kinds, without)
            own = [one for name, one in inspect.signature(command).parameters.items() if name != "given"]

            def run(**options: Any) -> None:
                given = {paths[name]: options.pop(name) for name in paths}
                command(**options, given={path: value for path, value in given.items() if value not in (None, [])})

            typed = [_parameter(name, path, kinds, path in arguments) for name, path in paths.items()]
            signature = [*typed, *(one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own)]
            vars(run)["__signature__"] = inspect.Signature(signature)
            run.__annotations__ = {one.name: one.annotation for one in signature}
            run.__doc__ = command.__doc__
            return run

        _signed[command.__name__.replace("_", "-")] = signed

        def listed() -> None: ...

        listed.__name__, listed.__doc__ = command.__name__, command.__doc__
        return listed

    return decorate


def _paths(kinds: "list[type[Parameters]]", without: tuple[str, ...]) -> dict[str, str]:
    """The parameter behind each option of a command; of two with the same option the first counts."""
    paths: dict[str, str] = {}
    for path, option in OPTIONS.items():
        left_out = any(path == one or path.startswith(f"{one}.") for one in without)
        if not left_out and any(_way(kind, path) for kind in kinds):
            paths.setdefault(option.replace("-", "_"), path)
    return paths


def _way(model: "type[Parameters]", path: str) -> list[dict[str, Any]]:
    """The schemas of a parameter and, before it, of the groups it is in; none where the model has no such parameter."""
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
def _schema(model: "type[Parameters]") -> dict[str, Any]:
    return model.model_json_schema()


def _type(field: dict[str, Any]) -> str:
    """As JSON schema calls it; `string` where a value may be of several types."""
    types = {one.get("type", "string") for one in field.get("anyOf", (field,))} - {"null"}
    return types.pop() if len(types) == 1 else "string"


def _parameter(name: str, path: str, kinds: "list[type[Parameters]]", is_argument: bool) -> inspect.Parameter:
    """The keyword argument that Typer makes an option or an argument of."""
    way = next(way for kind in kinds if (way := _way(kind, path)))
    kind = _type(way[-1])
    typed: Any = {"integer": int, "number": float, "boolean": bool, "array": list[str]}.get(kind, str)
    option = f"--{OPTIONS[path]}"
    if is_argument:
        how: Any = typer.Argument(help=_help(way).removesuffix(" Again for more."), show_default=False)
    elif kind == "boolean":
        how = typer.Option(f"{option}/--no-{OPTIONS[path]}" if way[-1]["default"] else option, help=_help(way))
    else:
        metavar = (
            "NAME" if path.endswith(".model") else "MIX" if kind == "object" else option.rpartition("-")[2].upper()
        )
        how = typer.Option(option, help=_help(way), metavar=None if typed in (int, float) else metavar)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[typed | None, how]
    )


def _help(way: list[dict[str, Any]]) -> str:
    """What the model says of a parameter, its choices and its default."""
    *groups, field = way
    # What a model is for, and what documents are read for, is said of their group.
    said = [groups[-1]["description"]] if groups and field["title"] in {"Model", "Sources"} else []
    said.append(field["description"] or "")
    kinds = [*field.get("properties", {})]
    choices: list[str] = kinds or field.get("enum", [])
    if not all(choice in said[-1] for choice in choices):
        said.append(f"{'Kinds' if kinds else 'One of'}: {', '.join(choices)}.")
    if kinds:
        said.append(f"Typed as in {kinds[0]}=2,{kinds[1]}=1.")
    if _type(field) == "array":
        said.append("Again for more.")
    optional = any(group.get("default", "") is None for group in groups)
    if shown := "" if optional else _shown(field.get("default")):
        said.append(f"(default: {shown})")
    return " ".join(said).replace("[", r"\[")


def _shown(default: Any) -> str:
    if isinstance(default, dict):
        weights: dict[str, float] = default
        return ",".join(f"{kind}={weight:g}" for kind, weight in weights.items())
    if default is None or default is False or default in ("", []):
        return ""
    return "on" if default is True else str(default)


def parameters(model: "type[P]", config: Path | None, given: Mapping[str, object]) -> "P":
    """What a flow is called with. `given` was typed, by dotted name as in `chunking.size`, and goes before the file.

    Raises:
        InputError: the file cannot be read, or a value is not allowed; the message names each field.
    """
    from flows.parameters.validity import valid

    values = _read(config) if config else {}
    for name, value in given.items():
        if value is None or value == []:
            continue
        way = _way(model, name)
        mix = isinstance(value, str) and bool(way) and _type(way[-1]) == "object"
        _put(values, name.split("."), weights(OPTIONS[name], str(value)) if mix else value)
    return valid(model, values, f"{config}: " if config else "")


def weights(option: str, text: str) -> dict[str, float]:
    """Weights of kinds, as typed: `open=2,factoid=1`, or `open` alone.

    Raises:
        InputError: a weight that is no number.
    """
    mix: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        kind, _, weight = part.partition("=")
        try:
            mix[kind.strip()] = float(weight) if weight else 1.0
        except ValueError:
            raise InputError(f"--{option}: {weight!r} is no weight; write for example open=2,factoid=1") from None
    return mix


def _read(config: Path) -> dict[str, Any]:
    from ragset.settings.yaml_text import read_yaml

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
