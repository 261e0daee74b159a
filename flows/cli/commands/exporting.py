"""The command that writes test sets for other tools."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.cli.app import Config, Json, takes


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
    from flows.cli.results.exports import print_export, print_formats
    from flows.cli.terminal import print_result
    from flows.cli.what_next import after_export

    if list_:
        print_formats(json=json)
        return
    from flows.parameters.models import ExportParameters
    from flows.parameters.places import with_copies
    from flows.parameters.reading import read_parameters
    from tasks.export import export_dataset

    named = read_parameters(ExportParameters, config, given)
    asked = with_copies(named)
    results = Path(asked.results) if asked.results else None
    done = asyncio.run(export_dataset(Path(asked.dataset), asked, results))
    print_result(done, lambda: print_export(done), json=json, then=after_export(done, named.dataset))
