"""Writes docs/options.md from the commands: `python -m flows.cli.reference`."""

from typing import Any

import typer

from flows import ROOT
from flows.__main__ import app

PAGE = ROOT / "docs" / "options.md"
HEAD = """# Options

`python -m flows.cli.reference` generates this page from the commands. [commands.md](commands.md) says what each is for; a parameter that
has no option here is in [parameters.md](parameters.md), for YAML files."""


def commands() -> dict[str, Any]:
    """Each command by what is typed for it, such as `prompts check`, in the order of `--help`."""
    group: Any = typer.main.get_command(app)
    context = group.make_context("ragset", ["--help"], resilient_parsing=True)
    found: dict[str, Any] = {}
    for name in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [name, "--help"])
        below = getattr(command, "commands", None)
        found |= {f"{name} {one}": below[one] for one in below} if below else {name: command}
    return found


def page() -> str:
    """The text of the page: a table for each command."""
    lines = [HEAD]
    for name, command in commands().items():
        options = [one for one in command.params if one.opts[0].startswith("-")]
        arguments = [one for one in command.params if one not in options]
        typed = "".join(f" {one.name.upper()}{'…' if one.nargs == -1 else ''}" for one in arguments)
        typed += "".join(f" {one.opts[0]} {one.name.upper()}" for one in options if one.required)
        lines += ["", f"## {name}", "", f"`ragset {name}{typed}`: {' '.join(command.help.split())}", ""]
        if command.params:
            lines += ["| | is |", "| --- | --- |", *(_row(one) for one in (*arguments, *options))]
    return "\n".join(lines) + "\n"


def _row(parameter: Any) -> str:
    names = [*parameter.opts, *parameter.secondary_opts]
    if not names[0].startswith("-"):
        names = [parameter.name.upper()]
    said = (parameter.help or "").replace("|", "\\|")
    default = parameter.default
    if parameter.show_default and isinstance(default, (str, int, float)) and not isinstance(default, bool):
        said += f" (default: {default})" if default != "" else ""
    return f"| {', '.join(f'`{one}`' for one in names)} | {said} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
