"""Prints exports, and the formats that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flows.cli.terminal import notice, output, print_json, say, table
from ragset.dataset.exporters import EXPORTERS, PARTS

if TYPE_CHECKING:
    from ragset.dataset.exporters import Exported


def print_export(done: Exported) -> None:
    """Print where the goldens are now, and what the format has no place for."""
    said = f"{done.goldens:,} goldens of {done.dataset} written as {done.to}"
    say(f"{said}, passages by {done.chunking}" if done.chunking else said, "bold")
    say(f"Export: {done.out}")
    for what, number in done.lost.items():
        notice(f"lost: {number:,} {PARTS[what].is_ if what in PARTS else what}")


def print_formats(*, json: bool) -> None:
    """Print each format with what it writes, keeps and loses."""
    if json:
        print_json({one.name: {"is": one.is_, "keeps": one.keeps, "loses": one.loses} for one in EXPORTERS.values()})
        return
    shown = table("format", "writes", "keeps", "loses")
    for one in EXPORTERS.values():
        shown.add_row(one.name, one.is_, ", ".join(one.keeps), ", ".join(one.loses))
    output.print(shown)
