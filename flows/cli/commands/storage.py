"""The command that shows and frees what RAGSET_HOME holds."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import Json, app


@app.command()
def clean(
    datasets: Annotated[
        list[Path] | None, typer.Argument(help="Folders of datasets that you go on with.", show_default=False)
    ] = None,
    days: Annotated[float, typer.Option("--days", help="Keep what was used within so many days.", min=0)] = 30,
    yes: Annotated[bool, typer.Option("--yes", help="Free what can go; without this option it is only shown.")] = False,
    json: Json = False,
) -> None:
    """Show what RAGSET_HOME holds, how large it is and when it was last used; with --yes free some of it.

    Indexes and corpora of the datasets named stay, so that benchmarks on them go on quickly; all others go. Where no dataset is named, those go that were not used within --days.

    Results of tasks go if they were not used within --days. Files that killed runs and earlier releases left go.

    What was paid for (replies, embeddings) is never freed; what goes is made again without a paid call. Nothing is freed while a run is going on.
    """
    from rich.filesize import decimal

    from flows.cli.terminal import notice, output, print_json, table
    from ragset.settings import Environment
    from tasks.run.cleaning import Inventory
    from tasks.run.home import no_run

    env = Environment()
    with no_run(env.ragset_home) if yes and env.ragset_home.is_dir() else nullcontext():
        inventory = Inventory(env, tuple(datasets or ()), days)
        items = inventory.items
        going = sum(item.size for item in items if item.goes)
        if yes:
            inventory.free()
    if json:
        rows = [item.row() for item in items]
        print_json({"home": str(env.ragset_home), "freed": yes, "bytes": going, "items": rows})
        return
    shown = table("kind", "name", "size", "last used", "freed" if yes else "goes", "why")
    shown.columns[2].justify = "right"
    for item in items:
        used = f"{item.used.astimezone():%Y-%m-%d %H:%M}" if item.used else ""
        shown.add_row(item.kind, item.name, decimal(item.size), used, "yes" if item.goes else "no", item.why)
    output.print(shown)
    total = decimal(sum(item.size for item in items))
    said = f"{decimal(going)} of {total} in {env.ragset_home} {'freed' if yes else 'can go'}."
    notice(said if yes or not going else f"{said} The same command with --yes frees it.")
