"""A configuration file of a flow with all its parameters, made from the models: what is required is set, the rest stands in comments."""

import textwrap
from collections.abc import Iterator
from typing import Any, cast

import yaml
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from flows.parameters.faults import groups_in
from flows.parameters.options import ARGUMENTS, OPTIONS
from flows.parameters.table import FLOWS, values
from ragset.settings import Settings
from ragset.settings.base import plain
from ragset.settings.command_line import command

_WIDTH = 118


def commented_yaml(flow: str) -> str:
    """The text of the file. As it is, it says the defaults, and examples of what has none; `#` before a name takes the default too."""
    model = FLOWS[flow]
    head = (
        f"Parameters of {command(flow, '--config', 'FILE')}. A name with # before it has its default: take the # away to set "
        "another. Options of the command line go before this file. Groups have short forms, such as documents: docs, chunking: "
        "sentence and critic: gpt-4o."
    )
    return "\n".join([*_comment(head), *_fields(model, "", {})]) + "\n"


def _fields(model: type[Settings], path: str, seen: dict[type[Settings], str], live: str = "") -> Iterator[str]:
    """The lines of the fields of a group at a dotted path; the one called `live` is set to its default.

    A group of a class that is `seen` elsewhere is not written out again.
    """
    schema = model.model_json_schema()
    names: list[str] = getattr(model, "in_order", lambda: list(model.model_fields))()
    for name in names:
        field = model.model_fields[name]
        key = field.alias or name
        full = f"{path}{key}"
        shown: dict[str, Any] = schema["properties"][key]
        if not path:
            yield ""
        groups = groups_in(field.annotation)
        if groups and shown.get("type") != "array":
            yield from _group(key, groups[0], field, full, seen)
        else:
            each = f"Each has {', '.join(groups[0].model_fields)}." if groups else ""
            yield from _comment(" ".join(filter(None, [shown["description"], each, _limits(full, shown, groups)])))
            required = field.is_required()
            value = field.examples[0] if required and field.examples else field.get_default(call_default_factory=True)
            yield f"{'' if required or name == live else '#'}{key}: {_written(_plain(value))}"


def _group(
    key: str, group: type[Settings], field: FieldInfo, path: str, seen: dict[type[Settings], str]
) -> Iterator[str]:
    said = plain(field.description or "")
    if group in seen:
        yield from _comment(f"{said} A group as {seen[group]}.")
        yield f"#{key}:{f' {getattr(group(), group.stands_for)}' if group.stands_for else ''}"
        return
    seen[group] = path
    yield from _comment(said)
    may_be_empty, given = field.annotation is not group, field.default not in (None, PydanticUndefined)
    # Where an empty group has a meaning of its own, something in it has to be set.
    first = next(iter(group.model_fields)) if may_be_empty and given else ""
    inside = [f"{key}:", *(f"  {line}" for line in _fields(group, f"{path}.", seen, first))]
    yield from (f"#{line}" for line in inside) if may_be_empty and not given else inside


def _limits(path: str, shown: dict[str, Any], groups: list[type[Settings]]) -> str:
    kind = "" if groups else values(shown).replace("`", "")
    option = f"--{OPTIONS[path]}" if path in OPTIONS and path not in ARGUMENTS else ""
    told = "; ".join(one for one in (option, kind) if one not in {"", "text"})
    return f"({told})" if told else ""


def _plain(value: Any) -> Any:
    """The value as YAML has it, groups in their short form where that says all."""
    if value is PydanticUndefined:
        return None
    if isinstance(value, Settings):
        given = value.model_dump(mode="json", exclude_defaults=True)
        short = type(value).stands_for
        return getattr(value, short) if short and set(given) <= {short} else given
    if isinstance(value, tuple | list):
        return [_plain(one) for one in cast("tuple[Any, ...]", value)]
    return dict(cast("dict[str, Any]", value)) if isinstance(value, dict) else value


def _written(value: Any) -> str:
    return (
        yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True, sort_keys=False)
        .removesuffix("...\n")
        .strip()
    )


def _comment(text: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False
    )
