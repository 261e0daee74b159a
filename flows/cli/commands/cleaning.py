"""The command that shows and frees what RAGSET_HOME holds."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from flows.cli.commands.running import DONE, guarded, notice
from ragset.settings import Environment

if TYPE_CHECKING:
    from tasks.run.cleaning import Item


@guarded
def run_clean(datasets: tuple[Path, ...], days: float, *, yes: bool, json: bool) -> int:
    """`clean`."""
    from flows.cli.terminal import print_json
    from tasks.run.cleaning import Inventory
    from tasks.run.home import no_run

    env = Environment()
    with no_run(env.ragset_home) if yes and env.ragset_home.is_dir() else nullcontext():
        inventory = Inventory(env, datasets, days)
        going = sum(item.size for item in inventory.items if item.goes)
        if yes:
            inventory.free()
    if json:
        items = [item.row() for item in inventory.items]
        print_json({"home": str(env.ragset_home), "freed": yes, "bytes": going, "items": items})
        return DONE
    _print_items(inventory.items, freed=yes)
    total = sum(item.size for item in inventory.items)
    said = f"{_size(going)} of {_size(total)} in {env.ragset_home} {'freed' if yes else 'can go'}."
    notice(said if yes or not going else f"{said} The same command with --yes frees it.")
    return DONE


def _print_items(items: "tuple[Item, ...]", *, freed: bool) -> None:
    from rich.table import Table

    from flows.cli.terminal import output

    table = Table("kind", "name", "size", "last used", "freed" if freed else "goes", "why", box=None, pad_edge=False)
    table.columns[2].justify = "right"
    for item in items:
        used = f"{item.used.astimezone():%Y-%m-%d %H:%M}" if item.used else ""
        table.add_row(item.kind, item.name, _size(item.size), used, "yes" if item.goes else "no", item.why)
    output.print(table)


def _size(size: int) -> str:
    """In decimal units, with at most one digit after the point."""
    if size < 1_000:
        return f"{size} B"
    shown, units = size / 1_000, iter(("kB", "MB", "GB"))
    unit = next(units)
    while shown >= 999.95 and (larger := next(units, "")):
        shown, unit = shown / 1_000, larger
    return f"{shown:,.1f} {unit}"
