"""The command-line application: commands, their options, and their exit codes.

Only what help needs is imported here. The models of the parameters, Prefect and Milvus take seconds to import: commands do it.
"""

import inspect
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from flows import INSTALLED
from flows.cli.exits import exit_code

Command = Callable[..., int | None]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for scripts.")]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config", help="YAML file with any of the parameters; options on the command line win.", metavar="FILE"
    ),
]
ChangeFormat = Literal["table", "markdown", "json", "junit"]
"""How changes between results are written."""
Guideline = Annotated[
    str | None,
    typer.Option(
        "--guideline", help="Version whose judgements count, such as golden@1. (default: the newest)", metavar="NAME"
    ),
]

_with_options: dict[str, Callable[[], Any]] = {}  # commands that take the parameters of a flow
_with_server = {"demo"}  # commands that run a flow


def taking_parameters() -> tuple[str, ...]:
    """The commands that take the parameters of a flow, also from a file."""
    return tuple(_with_options)


def path(place: str) -> Path:
    """A file or folder that a command reads, named by its path, or by its address: then an up-to-date copy."""
    from ragset.storage import local_copy

    return local_copy(place)


def place(what: str) -> Any:
    """An argument: a file or folder that a command reads."""
    return typer.Argument(help=what, parser=path, show_default=False)


def new_path(place: str) -> Path:
    """A folder that a command writes, named by its path or its address."""
    from ragset.storage import local_copy

    return local_copy(place, to_write=True)


_PANELS = {
    "Begin": ("demo", "config", "estimate"),
    "Make test sets": ("single-chunk", "multi-chunk", "corpus-wide", "label", "refresh", "index", "show", "export"),
    "Compare systems": ("benchmark", "compare", "plan", "correct"),
    "Let people judge": ("review", "apply-review", "import-review", "calibrate-critic"),
    "Train": ("train-data", "train-adapter", "train-reranker"),
    "Run as a service, and keep house": ("serve", "stop", "deploy", "clean", "prompts"),
}
"""The commands as `--help` shows them; others stand behind these."""


class _Commands(TyperGroup):
    """A command that takes the parameters of a flow gets its options when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 (of Typer)
        for panel, names in _PANELS.items():
            for name in names:
                vars(self.commands[name])["rich_help_panel"] = panel
        return list(dict.fromkeys([*(name for names in _PANELS.values() for name in names), *self.commands]))

    def invoke(self, ctx: Any) -> Any:
        run = super().invoke
        sys.exit(exit_code(lambda: run(ctx), json="--json" in ctx.args))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if "--help" not in rest and not ctx.resilient_parsing and name in _with_options.keys() | _with_server:
            sys.stderr.write("starting\n")  # the imports take a second or more
            sys.stderr.flush()
            if name in _with_server:
                from flows.cli.server import start_early

                start_early()
        return name, _with_options[name]() if name in _with_options else command, rest


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=INSTALLED,  # a shell completes the name of a program, which `python -m flows` is not
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    epilog="Exit codes: 0 done, 2 usage or input, 3 a provider (models, embeddings, Milvus, Prefect), "
    "4 fewer goldens than asked for, 5 batches are under way (mode batch), 130 stopped by Ctrl-C or not approved; "
    "compare also 1: a metric fell.",
)


def _version(asked: bool) -> None:
    if asked:
        from ragset import __version__

        sys.stdout.write(f"ragset {__version__}\n")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Make trustworthy RAG test sets from your own documents."""


prompts_app = typer.Typer(no_args_is_help=True, help="List, check, translate and pin the prompt files.")
app.add_typer(prompts_app, name="prompts")


def takes(
    *models: str, arguments: tuple[str, ...] = (), without: tuple[str, ...] = (), runs: bool = True
) -> Callable[[Command], Command]:
    """Add a command that gets the parameters of these models that were typed as its keyword argument `given`.

    `arguments` are typed without an option's name; `without` are parameters, or groups of them, that have no option here. It
    `runs` a flow, which takes a server of Prefect's.
    """

    def decorate(command: Command) -> Command:
        name = command.__name__.replace("_", "-")

        @cache
        def with_options() -> Any:
            from flows.cli.options import options_of

            paths, typed = options_of(models, arguments, without)
            own = [one for key, one in inspect.signature(command).parameters.items() if key != "given"]

            def run(**options: Any) -> int | None:
                given = {
                    path: value for option, path in paths.items() if (value := options.pop(option)) not in (None, [])
                }
                return command(**options, given=given)

            signature = [*typed, *(one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own)]
            vars(run)["__signature__"] = inspect.Signature(signature)
            run.__annotations__ = {one.name: one.annotation for one in signature}
            run.__doc__ = command.__doc__
            alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")
            alone.command(name)(run)
            return typer.main.get_command(alone)

        def listed() -> None: ...

        listed.__doc__ = command.__doc__
        app.command(name)(listed)
        _with_options[name] = with_options
        _with_server.update({name} if runs else ())
        return command

    return decorate
