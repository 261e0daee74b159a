"""Commands that compare systems, and results of benchmarks."""

from pathlib import Path
from typing import Annotated, Any

import typer

from flows.cli.app import ChangeFormat, Config, Json, app, path, place, takes
from flows.cli.exits import DONE, FELL, USAGE
from ragset.errors import InputError


@takes(
    "BenchmarkParameters",
    arguments=("datasets",),
    without=("documents.corpus", "documents.drop_references", "documents.allow_private_hosts"),
)
def benchmark(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Compare RAG configurations on test sets: retrieval, spans and answers, with intervals."""
    from flows.cli.commands.making import asked_alike
    from flows.cli.running import run_flow
    from flows.parameters.models import BenchmarkParameters
    from flows.parameters.reading import read_parameters

    asked = read_parameters(BenchmarkParameters, config, given)
    if asked.grid:
        reader = tuple(asked_alike(one, given, "critic") for one in asked.grid.reader)
        asked = asked.model_copy(update={"grid": asked.grid.model_copy(update={"reader": reader})})
    run = run_flow("benchmark", asked, json=json)
    from flows.cli.results.benchmarks import print_benchmark
    from flows.cli.terminal import print_result
    from flows.cli.what_next import after_benchmark

    print_result(run.result, lambda: print_benchmark(run), json=json, then=after_benchmark(run.result))


@app.command()
def compare(
    before: Annotated[Path, place("Folder of results.")],
    after: Annotated[Path, place("Folder of later results.")],
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", help="Metric to compare; repeat the option for more. (default: the primary one)"),
    ] = None,
    across_corpora: Annotated[
        bool,
        typer.Option("--across-corpora", help="Compare the unchanged goldens, even if documents or goldens differ."),
    ] = False,
    mapped: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            help="BEFORE=AFTER: a configuration, or a part of its name, and its name in AFTER; repeat the option for more.",
        ),
    ] = None,
    written: Annotated[
        ChangeFormat,
        typer.Option(
            "--format", help="`markdown` is the body of a pull request comment, `junit` a file for CI servers."
        ),
    ] = "table",
    json: Json = False,
) -> int:
    """Compare two benchmarks. Exit code 1: a metric fell by more than its noise; 2: the two cannot be compared."""
    from flows.cli.results.benchmarks import print_changes
    from flows.cli.terminal import print_next
    from flows.cli.what_next import after_comparing
    from ragset.evaluation.results.comparing import compare
    from ragset.evaluation.results.folder import read_results
    from ragset.evaluation.results.renaming import renamed

    names = {old: new for old, _, new in (one.partition("=") for one in mapped or ())}
    if not all(names.values()):
        raise InputError("--map: write BEFORE=AFTER, such as recursive-128-0-tokens=recursive-256-0-tokens")
    earlier = renamed(read_results(before), names)
    found = compare(earlier, read_results(after), tuple(metric or ()), across_corpora=across_corpora)
    print_changes(found, "json" if json else written)
    if written == "table" and not json:
        print_next(after_comparing(found, after))
    return USAGE if found.only_before else FELL if found.fell else DONE


@app.command()
def correct(
    results: Annotated[Path, place("Folder of results.")],
    json: Json = False,
) -> None:
    """Write into results what people would find, by their judgements of a random part of the answers and passages."""
    from flows.cli.results.benchmarks import print_judged
    from flows.cli.terminal import notice, print_result
    from flows.cli.what_next import after_correcting
    from ragset.dataset.review.file import read_reviews
    from ragset.dataset.swap import claimed
    from ragset.evaluation.review.estimates import correct_results

    with claimed(results):
        found = correct_results(results)
        notice(read_reviews(results).notice)
    plain = {"judged": [one.model_dump(mode="json") for one in found]}
    print_result(plain, lambda: print_judged(found, results), json=json, then=after_correcting(results, found))


@app.command()
def plan(
    difference: Annotated[float, typer.Option("--difference", help="Difference to detect, such as 0.05.")],
    results: Annotated[
        Path | None,
        typer.Option(
            "--results", help="Folder of results that give the standard deviation.", parser=path, show_default=False
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Compute the number of queries that a test set needs to detect a difference."""
    from flows.cli.terminal import print_result, say
    from flows.cli.what_next import after_plan
    from ragset.evaluation.results.folder import read_results
    from ragset.evaluation.results.planning import plan

    found = plan(difference, read_results(results) if results else None)

    def show() -> None:
        queries = f"{found.queries:,} queries show a difference of {found.difference:g}"
        say(f"{queries} in 4 of 5 benchmarks (two-sided, 5 %).", "bold")
        say(f"By {found.basis} (standard deviation {found.sd:.3f}).")

    print_result(found, show, json=json, then=after_plan(found))
