"""The card of a published test set: what is in it, how it was made and checked, and what is known against it."""

from collections import Counter
from importlib.resources import files
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet
from ragset.settings import OFFLINE


def card_text(given: ExportSet, usage: str = "") -> str:
    """The card in Markdown, without the YAML head; `usage` is a section on how else to load it."""
    # Imported here, as the command line lists formats without it.
    from jinja2 import Environment, StrictUndefined

    manifest = given.manifest
    template = (files("ragset.dataset.exporters") / "card.md.jinja").read_text(encoding="utf-8")
    markdown = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)  # noqa: S701
    page = markdown.from_string(template)
    return page.render(
        given=given,
        manifest=manifest,
        usage=usage,
        kinds=Counter(golden.kind for golden in given.goldens),
        splits=Counter(golden.split for golden in given.goldens),
        graded=sum(bool(golden.grades) for golden in given.goldens),
        judgements=sum(1 for _ in given.judgements()),
        checks=_checks(manifest.parameters.get("checks") or {}),
        offline=OFFLINE in (manifest.models.generator, manifest.models.critic),
        cell=_cell,
    )


def _checks(given: dict[str, Any]) -> dict[str, str]:
    """The checks of the run that were on, with their values."""
    return {name: _cell(value) for name, value in given.items() if value not in (None, False, "", [], "none", "off")}


def _cell(value: object) -> str:
    """A text that ends no cell or line of a Markdown table, and opens no tag."""
    said = "yes" if value is True else ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return " ".join(said.split()).replace("|", "\\|").replace("<", "&lt;")
