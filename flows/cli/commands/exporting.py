"""The command that writes test sets for other tools."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.app import Config, Json, takes

if TYPE_CHECKING:
    from ragset.dataset.exporters import Exported


@takes("ExportParameters", arguments=("dataset",), runs=False)
def export(
    *,
    list_: Annotated[
        bool, typer.Option("--list", help="List the formats, with what each keeps and loses, and write nothing.")
    ] = False,
    config: Config = None,
    json: Json = False,
    given: dict[str, Any],
) -> None:
    """Write a test set in the format of another tool."""
    from flows.cli.terminal import print_result
    from flows.cli.what_next import after_export

    if list_:
        print_formats(json=json)
        return
    from flows.parameters.models import ExportParameters
    from flows.parameters.places import with_copies
    from flows.parameters.reading import read_parameters
    from ragset.dataset import read_manifest
    from tasks.export import export_dataset

    named = read_parameters(ExportParameters, config, given)
    asked = with_copies(named)
    results = Path(asked.results) if asked.results else None
    done = asyncio.run(export_dataset(Path(asked.dataset), asked, results))
    kind = read_manifest(Path(asked.dataset)).kind
    print_result(done, lambda: print_export(done), json=json, then=after_export(done, named.dataset, kind))


def print_export(done: "Exported") -> None:
    """Print where the goldens are now, and what the format has no place for."""
    from flows.cli.terminal import notice, say
    from ragset.dataset.exporters import PARTS

    said = f"{done.goldens:,} goldens of {done.dataset} written as {done.to}"
    say(f"{said}, passages by {done.chunking}" if done.chunking else said, "bold")
    say(f"Export: {done.out}")
    for what, number in done.lost.items():
        notice(f"lost: {number:,} {PARTS[what].is_ if what in PARTS else what}")


def print_formats(*, json: bool) -> None:
    """Print each format with what it writes, keeps and loses."""
    from flows.cli.terminal import output, print_json, table
    from ragset.dataset.exporters import EXPORTERS

    if json:
        print_json({one.name: {"is": one.is_, "keeps": one.keeps, "loses": one.loses} for one in EXPORTERS.values()})
        return
    shown = table("format", "writes", "keeps", "loses")
    for one in EXPORTERS.values():
        shown.add_row(one.name, one.is_, ", ".join(one.keeps), ", ".join(one.loses))
    output.print(shown)
