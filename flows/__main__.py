"""The command line: `python -m flows …`.

Only what help needs is imported here; Prefect and Milvus take seconds, and come when a command runs.
"""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.cli.options import Commands, Config, Json, takes

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Make RAG test sets that can be trusted out of your own documents.",
    epilog="Exit codes: 0 done, 2 usage or input, 3 a provider (models, embeddings, Milvus, Prefect), "
    "4 fewer goldens than asked, 130 stopped by Ctrl-C or not approved; of compare also 1, a metric fell.",
)
prompts_app = typer.Typer(no_args_is_help=True, help="The prompt files: list, check, translate, pin.")
app.add_typer(prompts_app, name="prompts")

Calls = Annotated[
    int | None,
    typer.Option(
        "--calls",
        help="Model calls at once, of all runs together. (default: as it stands on the server, at first 64)",
        envvar="RAGSET_CALLS",
        show_envvar=True,
        min=1,
    ),
]
CallsPerMinute = Annotated[
    int | None,
    typer.Option(
        "--calls-per-minute",
        help="Of all runs together. (default: as it stands on the server, at first 3000)",
        envvar="RAGSET_CALLS_PER_MINUTE",
        show_envvar=True,
        min=1,
    ),
]


@app.command("single-chunk")
@takes("SingleChunkParameters", arguments=("documents.sources",))
def single_chunk(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Make a test set in which one chunk answers each query."""
    from flows.cli.commands.making import run_making

    sys.exit(run_making("single-chunk", config, given, json=json))


@app.command("multi-chunk")
@takes("MultiChunkParameters", arguments=("documents.sources",))
def multi_chunk(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Make a test set in which each query needs two or more chunks."""
    from flows.cli.commands.making import run_making

    sys.exit(run_making("multi-chunk", config, given, json=json))


@app.command()
@takes(
    "SingleChunkParameters",
    "MultiChunkParameters",
    arguments=("documents.sources",),
    without=("out", "budget", "generator.max_concurrency", "critic.max_concurrency"),
)
def estimate(
    *,
    pipeline: Annotated[
        str, typer.Option("--pipeline", help="single-chunk or multi-chunk.", metavar="NAME")
    ] = "single-chunk",
    pilot: Annotated[
        int,
        typer.Option(
            "--pilot", min=0, help="Chunks to try with the models first, and pay for; 0 tries rules, for nothing."
        ),
    ] = 0,
    config: Config = None,
    json: Json = False,
    given: dict[str, Any],
) -> None:
    """Say what a run would cost: calls, tokens and money."""
    from flows.cli.commands.making import run_estimate

    sys.exit(run_estimate(pipeline, config, given, pilot=pilot, json=json))


@app.command()
@takes("CalibrateParameters", arguments=("documents.sources",), without=("sampling.method",))
def calibrate(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Show how alike the chunks of a corpus are, and from which cosine on they are similar."""
    from flows.cli.commands.making import run_calibrate

    sys.exit(run_calibrate(config, given, json=json))


@app.command()
@takes("IndexParameters", arguments=("documents.sources",))
def index(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Cut documents into chunks and index them in Milvus; again, and only what changed is embedded."""
    from flows.cli.commands.making import run_index

    sys.exit(run_index(config, given, json=json))


@app.command()
@takes(
    "RefreshParameters",
    arguments=("dataset",),
    without=(
        "documents.drop_references",
        "generator.temperature",
        "generator.max_concurrency",
        "critic.max_concurrency",
    ),
)
def refresh(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Bring a test set up to date with documents that have changed, as a new version beside the old one."""
    from flows.cli.commands.making import run_refresh

    sys.exit(run_refresh(config, given, json=json))


@app.command()
@takes(
    "BenchmarkParameters",
    arguments=("datasets",),
    without=("documents.corpus", "documents.drop_references", "documents.allow_private_hosts"),
)
def benchmark(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Compare RAG configurations on test sets: retrieval, spans, answers, with the uncertainty said."""
    from flows.cli.commands.measuring import run_benchmark

    sys.exit(run_benchmark(config, given, json=json))


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(help="Folder of results.", show_default=False)],
    after: Annotated[Path, typer.Argument(help="Folder of later results.", show_default=False)],
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="Again and again. (default: the primary one)")
    ] = None,
    across_corpora: Annotated[
        bool,
        typer.Option(
            "--across-corpora", help="Compare the goldens that are the same, though documents or goldens differ."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Say what changed between two benchmarks; exit code 1 where a metric fell by more than its noise, 2 where they were measured on other documents or goldens or a configuration is gone."""
    from flows.cli.commands.measuring import run_compare

    sys.exit(run_compare(before, after, tuple(metric or ()), across_corpora=across_corpora, json=json))


@app.command()
def plan(
    difference: Annotated[float, typer.Option("--difference", help="That should be seen, such as 0.05.")],
    results: Annotated[
        Path | None, typer.Option("--results", help="Folder of results to take the spread from.", show_default=False)
    ] = None,
    json: Json = False,
) -> None:
    """Say how many queries a test set needs for a difference to be seen."""
    from flows.cli.commands.measuring import run_plan

    sys.exit(run_plan(difference, results, json=json))


@app.command()
def show(
    dataset: Annotated[Path, typer.Argument(help="Folder of a dataset.", show_default=False)],
    goldens: Annotated[int, typer.Option("--goldens", help="How many to print.", min=0)] = 5,
    json: Json = False,
) -> None:
    """Summarise a test set."""
    from flows.cli.commands.making import run_show

    sys.exit(run_show(dataset, goldens, json=json))


@app.command()
def clean(
    datasets: Annotated[
        list[Path] | None, typer.Argument(help="Folders of datasets that you go on with.", show_default=False)
    ] = None,
    days: Annotated[float, typer.Option("--days", help="What was used within so many days stays.", min=0)] = 30,
    yes: Annotated[bool, typer.Option("--yes", help="Free what goes; without, it is only shown.")] = False,
    json: Json = False,
) -> None:
    """Show what RAGSET_HOME holds, how large it is and when it was last used; with --yes free some of it.

    Indexes and corpora of the datasets named stay, so that benchmarks on them go on quickly; all others go. Where no dataset is named, those go that were not used within --days.

    Results of tasks go if they were not used within --days. Files that killed runs and earlier releases left go.

    What was paid for (replies, embeddings) is never freed; what goes is made again without a paid call. Nothing is freed while a run is going on.
    """
    from flows.cli.commands.cleaning import run_clean

    sys.exit(run_clean(tuple(datasets or ()), days, yes=yes, json=json))


@app.command()
def serve(
    port: Annotated[
        int | None, typer.Option("--port", help="Of Prefect's UI and API. (default: 4200)", min=1, max=65_535)
    ] = None,
    reports_port: Annotated[
        int | None, typer.Option("--reports-port", help="(default: the one after)", min=1, max=65_535)
    ] = None,
    milvus_port: Annotated[
        int | None, typer.Option("--milvus-port", help="(default: the one after that)", min=1, max=65_535)
    ] = None,
    workers: Annotated[int, typer.Option("--workers", help="How many take runs.", min=1, max=64)] = 1,
    calls: Calls = None,
    calls_per_minute: CallsPerMinute = None,
) -> None:
    """Run it as a service on this machine: Prefect's server and UI, Milvus, the reports, workers; all deployed."""
    from flows.cli.commands.service import run_serve

    sys.exit(run_serve((port, reports_port, milvus_port), workers, (calls, calls_per_minute)))


@app.command()
def stop() -> None:
    """End the service, and the runs of its workers; what was answered is kept."""
    from flows.cli.commands.service import run_stop

    sys.exit(run_stop())


@app.command()
def deploy(calls: Calls = None, calls_per_minute: CallsPerMinute = None) -> None:
    """Create or update the deployments on the configured Prefect server: also work pool, limits, automations."""
    from flows.cli.commands.service import run_deploy

    sys.exit(run_deploy((calls, calls_per_minute)))


@prompts_app.command("list")
def list_prompts(json: Json = False) -> None:
    """Every prompt with its version, digest and purpose."""
    from flows.cli.commands.prompts import run_prompts_list

    sys.exit(run_prompts_list(json=json))


@prompts_app.command("check")
def check() -> None:
    """Load every prompt file and compare it with its pin."""
    from flows.cli.commands.prompts import run_prompts_check

    sys.exit(run_prompts_check())


@prompts_app.command("translate")
def translate(
    to: Annotated[str, typer.Option("--to", help="Language, two letters, such as de.", show_default=False)],
    model: Annotated[str, typer.Option("--model", help="Model that translates.", metavar="NAME")] = "offline",
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Prompt; again for another. (default: all without a file in it)")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder. (default: RAGSET_PROMPTS, or prompts/)", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write files again that are there, corrections lost.")] = False,
    json: Json = False,
) -> None:
    """Have a model write the prompts in another language, as files to read and correct."""
    from flows.cli.commands.prompts import run_prompts_translate

    sys.exit(run_prompts_translate(to, model, tuple(only or ()), out, force=force, json=json))


@prompts_app.command("pin")
def pin() -> None:
    """Write the digests of all prompt files to pins.yaml; a text that moved needs a new version first."""
    from flows.cli.commands.prompts import run_prompts_pin

    sys.exit(run_prompts_pin())


if __name__ == "__main__":
    app(prog_name="python -m flows")
