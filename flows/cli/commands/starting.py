"""Commands for the first hour: a demo, and a configuration file to begin with."""

import os
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from flows import ROOT
from flows.cli.app import Json, app, new_path, taking_parameters
from ragset.errors import InputError


@app.command()
def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder of the test set.", parser=new_path)] = Path("out/demo"),
    show: Annotated[
        bool | None,
        typer.Option("--browser/--no-browser", help="Open the report in a browser. (default: where there is one)"),
    ] = None,
    json: Json = False,
) -> int:
    """Make a test set of the example corpus, without a key or a server, and open its report in a browser."""
    from flows.cli.commands.making import make

    examples = Path(os.path.relpath(ROOT)) / "examples" if Path.cwd() == ROOT else ROOT / "examples"
    given = {"documents.sources": [str(examples / "corpus")], "out": str(out)}
    code = make("single-chunk", examples / "demo.yaml", given, json=json, examples=True)
    if show or (show is None and not json and has_browser(os.environ)):
        webbrowser.open((out / "report.html").resolve().as_uri())
    return code


def has_browser(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a page can be shown to whoever typed the command: not in CI, and not where nobody sees the display."""
    if environ.get("CI"):
        return False
    if platform in {"darwin", "win32"}:
        return not environ.get("SSH_CONNECTION")
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


@app.command()
def config(
    flow: Annotated[
        str, typer.Argument(help="The command that will read the file, such as multi-chunk or benchmark.")
    ] = "single-chunk",
    out: Annotated[
        Path, typer.Option("--out", help="File to write; - prints it.", metavar="FILE", show_default=True)
    ] = Path("ragset.yaml"),
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write a configuration file with every parameter, its limits and its default, as comments."""
    from flows.cli.terminal import say
    from flows.parameters.commented_yaml import commented_yaml
    from flows.parameters.table import FLOWS
    from ragset.settings.command_line import command

    known = [name for name in FLOWS if name in taking_parameters()]
    if flow not in known:
        raise InputError(f"{flow}: no command of that name reads a file; choose from {', '.join(known)}")
    text = commented_yaml(flow)
    if str(out) == "-":
        sys.stdout.write(text)
        return
    try:
        with out.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"{out}: is there already; --force replaces it, --out names another file") from None
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror})") from None
    say(f"{out} written. Set what you want to change, then:")
    say(f"  {command(flow, '--config', out)}")
