"""YAML that people write, read within limits: nothing nested without end, no key twice, no alias that grows."""

from pathlib import Path
from typing import Any

import yaml

from ragset.errors import InputError

_DEEPEST = 50
"""Levels of lists and maps in one another."""
_MOST = 100_000
"""Values, with every alias counted as often as what it stands for."""


class _Loader(yaml.SafeLoader):
    """YAML in which the same key twice is an error rather than the last one's."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """As the safe loader's, with distinct keys."""
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = str(key_node.value)
            if key in seen:
                raise _fault(f"{key} is there twice", key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


def read_yaml(text: str, path: Path) -> Any:
    """The content of a YAML text of `path`.

    Raises:
        InputError: it is not YAML, has the same key twice, or is nested or repeated beyond all need.
    """
    try:
        _check_size(text)
        return yaml.load(text, _Loader)  # noqa: S506 (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f" (line {error.problem_mark.line + 1} of the YAML)" if error.problem_mark else ""
        raise InputError(f"{path}: is not YAML that can be read: {error.problem}{line}") from None
    except yaml.YAMLError:
        raise InputError(f"{path}: holds characters that YAML does not allow") from None
    except ValueError as error:  # of a date such as 2024-13-01, or a number of thousands of digits
        raise InputError(f"{path}: a value cannot be read ({error}); put it in quotation marks") from None


def _check_size(text: str) -> None:
    """Refuse what is too deep or too much, before anything is built of it: the parser alone does not recurse."""
    sizes: dict[str, int] = {}
    opened: list[tuple[str | None, int]] = []
    total = 0
    for event in yaml.parse(text, _Loader):
        anchor, size = getattr(event, "anchor", None), 1
        if isinstance(event, yaml.CollectionStartEvent):
            opened.append((anchor, total))
            total += 1
            if len(opened) > _DEEPEST:
                raise _fault(f"it is nested more than {_DEEPEST} levels deep", event.start_mark)
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, before = opened.pop()
            size = total - before
        elif isinstance(event, yaml.AliasEvent):
            if any(anchor == name for name, _ in opened):
                raise _fault(f"*{anchor} stands inside of what it names", event.start_mark)
            total += (size := sizes.get(anchor or "", 1))
            anchor = None
        elif isinstance(event, yaml.ScalarEvent):
            total += 1
        if anchor:
            sizes[anchor] = size
        if total > _MOST:
            raise _fault(f"it holds more than {_MOST:,} values, aliases written out", event.start_mark)


def _fault(problem: str, mark: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)
