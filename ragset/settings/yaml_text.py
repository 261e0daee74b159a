"""YAML that people write, a file or the head of a text: a key that stands twice is an error, and every error names the file."""

import re
from pathlib import Path
from typing import Any

import yaml

from ragset.errors import InputError

_HEAD = re.compile(r"---\n(.*?\n)---\n(.*)", re.DOTALL)


class _Loader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            key = str(key_node.value)
            if key in seen:
                raise yaml.MarkedYAMLError(problem=f"{key} is there twice", problem_mark=key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


_HINTS = {
    "found character '\\t' that cannot start any token": "; indent with spaces, not with tabs",
    "mapping values are not allowed here": "; put a text with a colon in quotation marks, and indent names of one group alike",
}


def read_yaml_file(path: Path) -> Any:
    """The content of a YAML file; raises InputError if it cannot be read."""
    try:
        return read_yaml(path.read_text(encoding="utf-8"), path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8") from None


def read_headed(path: Path) -> tuple[dict[Any, Any], str]:
    """The YAML head of a Markdown file, and the text after it; raises InputError where there is none, and what reading raises."""
    found = _HEAD.fullmatch(path.read_text(encoding="utf-8-sig"))
    head = read_yaml(found[1], path) if found else None
    if found is None or not isinstance(head, dict):
        raise InputError(f"{path}: must begin with a YAML head between two lines of ---")
    return head, found[2]


def yaml_lines(path: Path) -> dict[tuple[str | int, ...], int]:
    """The line, from 1, of each key and item of a YAML file that `read_yaml_file` has read, by the keys and indices that lead to it."""
    lines: dict[tuple[str | int, ...], int] = {}
    seen: set[int] = set()

    def add(node: yaml.Node | None, place: tuple[str | int, ...]) -> None:
        if id(node) in seen:  # an alias, which may stand for what it is in
            return
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                lines[*place, key.value] = key.start_mark.line + 1
                add(value, (*place, key.value))
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                lines[*place, index] = item.start_mark.line + 1
                add(item, (*place, index))

    add(yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader), ())
    return lines


def read_yaml(text: str, path: Path) -> Any:
    """The content of a YAML text; raises InputError, with `path`, if it is not YAML or has the same key twice."""
    try:
        return yaml.load(text, _Loader)  # noqa: S506 (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f" (line {error.problem_mark.line + 1} of the YAML)" if error.problem_mark else ""
        hint = _HINTS.get(str(error.problem), "")
        raise InputError(f"{path}: is not YAML that can be read: {error.problem}{line}{hint}") from None
    except yaml.YAMLError:
        raise InputError(f"{path}: holds characters that YAML does not allow") from None
    except RecursionError:
        raise InputError(f"{path}: is nested too deeply") from None
    except ValueError as error:  # of a date such as 2024-13-01, or a number of thousands of digits
        raise InputError(f"{path}: a value cannot be read ({error}); put it in quotation marks") from None
