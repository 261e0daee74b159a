"""Options of the commands, made of the models of the flows' parameters, and parameters read from them and from YAML.

Typer reads a command's signature. It is written when the command is called, so that a list of the commands loads no model.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import typer
from typer.core import TyperGroup

from flows.parameters.options import OPTIONS
from ragset.errors import InputError

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

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
        if not left_out and any(list(_fields(kind, path)) for kind in kinds):
            paths.setdefault(option.replace("-", "_"), path)
    return paths


def _fields(kind: Any, path: str) -> "Iterator[FieldInfo]":
    """The fields on the way to a dotted name; none where the model has no such parameter."""
    found: list[FieldInfo] = []
    for name in path.split("."):
        field = getattr(kind, "model_fields", {}).get(name)
        if field is None:
            return
        found.append(field)
        kind = next((one for one in _kinds(field.annotation) if hasattr(one, "model_fields")), None)
    yield from found


def _kinds(annotation: Any) -> Iterator[Any]:
    """The types that a value may have, without None."""
    if get_origin(annotation) is Annotated:
        yield from _kinds(get_args(annotation)[0])
    elif isinstance(annotation, type(int | str)) or get_origin(annotation) is Union:
        for one in get_args(annotation):
            yield from _kinds(one)
    elif annotation is not type(None):
        yield annotation


def _parameter(name: str, path: str, kinds: "list[type[Parameters]]", is_argument: bool) -> inspect.Parameter:
    """The keyword argument that Typer makes an option or an argument of."""
    way = next(way for kind in kinds if (way := list(_fields(kind, path))))
    types = list(_kinds(way[-1].annotation))
    listed = get_origin(types[0]) is tuple
    typed: Any = types[0] if types in ([int], [float], [bool]) else list[str] if listed else str
    option = f"--{OPTIONS[path]}"
    text, default = _help(way, types)
    if is_argument:
        how: Any = typer.Argument(help=text, show_default=False)
    elif typed is bool:
        how = typer.Option(f"{option}/--no-{OPTIONS[path]}" if default is True else option, help=text)
    else:
        metavar = "MIX" if get_origin(types[0]) is dict else None if typed in (int, float) else _metavar(path)
        how = typer.Option(option, help=text, metavar=metavar)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[typed | None, how]
    )


def _metavar(path: str) -> str:
    return "NAME" if path.endswith(".model") else OPTIONS[path].rpartition("-")[2].upper()


def _help(way: "list[FieldInfo]", types: list[Any]) -> tuple[str, Any]:
    """What the model says of a parameter, its choices and its default."""
    from ragset.settings.base import plain

    field = way[-1]
    # What a model or a document is for, is said of the group.
    said = [way[-2].description] if len(way) > 1 and field.title in {"Model", "Sources"} else []
    said.append(field.description)
    extra: dict[str, Any] = {}
    if callable(field.json_schema_extra) and (types == [str] or get_origin(types[0]) is dict):
        field.json_schema_extra(extra)  # it asks a registry
    kinds = [*extra.get("properties", {})]
    choices = (
        kinds
        or extra.get("enum")
        or [str(one) for kind in types if get_origin(kind) is Literal for one in get_args(kind)]
    )
    if not all(choice in (field.description or "") for choice in choices):
        said.append(f"One of {', '.join(choices)}." if not kinds else f"Kinds: {', '.join(kinds)}.")
    if kinds:
        said.append(f"Typed as in {kinds[0]}=2,{kinds[1]}=1.")
    default = None if field.is_required() or any(one.default is None for one in way) else field.default
    if get_origin(types[0]) is tuple:
        said.append("Again for more.")
    text = plain(" ".join(filter(None, said))).replace("[", r"\[")
    return f"{text} (default: {shown})" if (shown := _shown(default)) else text, default


def _shown(default: Any) -> str:
    if isinstance(default, dict):
        weights: dict[str, float] = default
        return ",".join(f"{kind}={weight:g}" for kind, weight in weights.items())
    if default is None or default is False or default == () or default == "":
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
        way = list(_fields(model, name))
        mix = bool(way) and get_origin(way[-1].annotation) is dict and isinstance(value, str)
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
