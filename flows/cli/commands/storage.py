"""The command that shows and deletes the contents of RAGSET_HOME."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import Json, app, place


@app.command()
def clean(
    datasets: Annotated[list[Path] | None, place("Folders of datasets to keep.")] = None,
    days: Annotated[
        float, typer.Option("--days", help="Keep everything that was used within this number of days.", min=0)
    ] = 30,
    yes: Annotated[
        bool, typer.Option("--yes", help="Delete; without this option, clean only shows the contents.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the contents of RAGSET_HOME with sizes and times of last use; with --yes delete what is not needed.

    clean keeps the indexes and corpora of the named datasets, so that benchmarks on them stay fast, and deletes all others.

    If no dataset is named, it deletes the indexes and corpora that were not used within --days.

    It also deletes results of tasks that were not used within --days, and files that killed runs left.

    It never deletes paid replies and embeddings; ragset makes everything else again without a paid call.

    It deletes nothing while a run is active.
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
