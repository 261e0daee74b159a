"""The parts that all report pages share: a template that escapes, the one script allowed to run, parameters as text."""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ragset.settings.command_line import PORTABLE

HERE = Path(__file__).parent


class Script(NamedTuple):
    """The one script of a page."""

    text: str
    digest: str  # of the only script that the page's policy allows


def script_of(paths: Iterable[Path]) -> Script:
    """Files in this order as one script with a scope of its own."""
    parts = [path.read_text(encoding="utf-8") for path in paths]
    text = "\n".join(["(() => {", '"use strict";', *parts, "})();"])
    return Script(text, base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())


def template_of(path: Path, filters: Mapping[str, Any], *, html: bool = True) -> Any:
    """A template in which a name that is not given is an error; in a template of HTML every value is escaped.

    It can import what stands beside it, and `parts.html.jinja`.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([path.parent, HERE]),
        autoescape=html,  # noqa: S701  (the template of CHANGES.md escapes by a filter)
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=not html,
    )
    environment.filters.update({"count": "{:,}".format, "words": words, **filters})
    return environment.get_template(path.name, globals={"program": PORTABLE})


def words(code: object) -> str:
    """A code as words."""
    return str(code).replace("_", " ")


def flat(values: Any, name: str = "") -> Iterable[tuple[str, str]]:
    """Parameters by dotted name, as text; groups in a list by their number."""
    if isinstance(values, dict) and values:
        for key, value in values.items():
            yield from flat(value, f"{name}.{key}" if name else str(key))
    elif isinstance(values, list | tuple) and any(isinstance(value, dict) for value in values):
        for number, value in enumerate(values, start=1):
            yield from flat(value, f"{name}.{number}")
    elif isinstance(values, list | tuple):
        yield name, ", ".join(map(str, values)) or "–"
    else:
        yield name, "–" if values in (None, {}, "") else str(values)
