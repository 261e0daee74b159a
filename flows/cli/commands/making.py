"""Commands that make, label, refresh, estimate and show test sets, and index documents."""

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.cli.app import Config, Json, app, place, takes
from flows.cli.exits import DONE, SHORT
from ragset.errors import InputError

if TYPE_CHECKING:
    from flows.parameters.models import AnyMaking, LabelParameters
    from ragset.settings import ModelSettings
    from tasks.refresh import RefreshSummary

_HOW = ("max_concurrency", "mode", "batch_hours")
"""How models are asked: of all models of a command alike."""
_HOW_OF_MODELS = tuple(f"{role}.{name}" for role in ("generator", "critic") for name in _HOW)


@takes("SingleChunkParameters", arguments=("documents.sources",))
def single_chunk(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> int:
    """Make a test set in which one passage answers each query."""
    return make("single-chunk", config, given, json=json)


@takes("MultiChunkParameters", arguments=("documents.sources",))
def multi_chunk(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> int:
    """Make a test set in which each query needs two or more chunks."""
    return make("multi-chunk", config, given, json=json)


@takes("CorpusWideParameters", arguments=("documents.sources",))
def corpus_wide(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> int:
    """Make a test set of queries about the corpus as a whole, whose answers are graded by assertions."""
    return make("corpus-wide", config, given, json=json)


@takes("LabelParameters", arguments=("documents.sources",))
def label(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> int:
    """Make a test set of queries that people asked, labelled with passages of your documents."""
    from flows.cli.running import run_flow
    from flows.cli.terminal import notice, print_result
    from flows.parameters.models import LabelParameters
    from flows.parameters.reading import read_parameters
    from ragset.settings import OFFLINE

    asked = read_parameters(LabelParameters, config, given)
    notice(key_without_model(asked.generator.model))
    if any(settings.model != OFFLINE for settings in asked.models):
        notice(_foreseen(asked))
    run = run_flow("label", asked, json=json)
    from flows.cli.results.datasets import print_labels, with_spent
    from flows.cli.what_next import after_making
    from ragset.dataset import read_dataset
    from ragset.dataset.completeness import completeness_of
    from ragset.storage import local_copy

    labels = completeness_of(read_dataset(local_copy(run.result.folder)).goldens)
    plain = {**with_spent(run), "completeness": labels and labels.plain}
    print_result(plain, lambda: print_labels(run, labels), json=json, then=after_making(run.result))
    return SHORT if run.result.ended == "budget spent" else DONE


@takes(
    "SingleChunkParameters",
    "MultiChunkParameters",
    "CorpusWideParameters",
    arguments=("documents.sources",),
    without=("out", "budget", *(one for one in _HOW_OF_MODELS if one != "generator.mode")),
    runs=False,
)
def estimate(
    *,
    pipeline: Annotated[
        str, typer.Option("--pipeline", help="single-chunk, multi-chunk or corpus-wide.", metavar="NAME")
    ] = "single-chunk",
    pilot: Annotated[
        int, typer.Option("--pilot", min=0, help="Number of chunks to try with the models, at a cost; 0: none.")
    ] = 0,
    config: Config = None,
    json: Json = False,
    given: dict[str, Any],
) -> None:
    """Estimate the calls, tokens and cost of a run."""
    from flows.cli.results.estimates import print_estimate
    from flows.cli.terminal import notice, print_result
    from flows.cli.what_next import after_estimate
    from flows.steps.checks import check_estimate
    from flows.steps.estimate import estimate_run
    from tasks.run.progress import watch

    asked = _parameters(pipeline, config, given)
    check_estimate(asked, asks=pilot > 0)
    progress = watch()
    estimate = asyncio.run(estimate_run(asked, pilot))
    for line in progress.notices:
        notice(line)
    mixed = bool(asked.mix)
    show = partial(print_estimate, estimate, asked.wanted, mixed=mixed)
    print_result(estimate, show, json=json, then=after_estimate(estimate, pipeline))


@takes("IndexParameters", arguments=("documents.sources",))
def index(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Cut documents into chunks and index them in Milvus; a second run embeds only what changed."""
    from flows.cli.running import run_with

    summary = run_with("index", config, given, json=json).result
    from flows.cli.results.datasets import print_index, print_unread
    from flows.cli.terminal import print_result
    from flows.cli.what_next import after_index

    print_unread(summary.unread)
    print_result(summary, lambda: print_index(summary), json=json, then=after_index())


@takes(
    "RefreshParameters",
    arguments=("dataset",),
    without=("documents.drop_references", "generator.temperature", *_HOW_OF_MODELS),
)
def refresh(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> int:
    """Update a test set after its documents have changed, as a new version next to the old one."""
    if config is None and "documents.sources" not in given:
        from ragset.settings.command_line import command

        again = command("refresh", given.get("dataset", "DATASET"), "--documents", "FOLDER")
        raise InputError(f"refresh needs the documents as they are now: {again}")
    from flows.cli.running import run_with

    run = run_with("refresh", config, given, json=json)
    from flows.cli.results.datasets import print_refresh, with_spent
    from flows.cli.terminal import print_result
    from flows.cli.what_next import after_refresh

    print_result(with_spent(run), lambda: print_refresh(run), json=json, then=after_refresh(run.result))
    return refresh_code(run.result)


@app.command()
def show(
    dataset: Annotated[Path, place("Folder of a dataset.")],
    goldens: Annotated[int, typer.Option("--goldens", help="Number of goldens to print.", min=0)] = 5,
    json: Json = False,
) -> None:
    """Summarise a test set."""
    from ragset.dataset import problems, read_dataset
    from ragset.dataset.review.figures import figures_of

    read = read_dataset(dataset)
    review = figures_of(dataset, read.goldens)
    from flows.cli.results.datasets import print_shown
    from flows.cli.terminal import print_result
    from flows.cli.what_next import of_dataset

    facts = {"goldens": len(read.goldens), "review": review and review.plain}
    plain = {**read.manifest.model_dump(mode="json"), **facts}
    print_result(
        plain, lambda: print_shown(read, goldens, review), json=json, then=of_dataset(dataset, read.manifest.kind)
    )
    if found := problems(read):
        raise InputError(f"{dataset}: " + "\n".join(found[:20]))


def refresh_code(summary: "RefreshSummary") -> int:
    """4 if the set is smaller than wanted or, when refreshed, lacks the hardness asked for."""
    unmet = summary.state == "refreshed" and summary.ended != "complete"
    return SHORT if summary.kept < summary.wanted or unmet else DONE


def make(pipeline: str, config: Path | None, given: dict[str, Any], *, json: bool, examples: bool = False) -> int:
    """Make a test set, of our `examples` or the user's documents, and print it; the exit code says whether it is as large as asked for."""
    from flows.cli.running import run_flow

    run = run_flow(pipeline, _parameters(pipeline, config, given), json=json)
    summary = run.result
    from flows.cli.results.datasets import print_dataset, print_problems, with_spent
    from flows.cli.terminal import print_result
    from flows.cli.what_next import after_making

    if json:
        print_problems(summary)
    print_result(with_spent(run), lambda: print_dataset(run), json=json, then=after_making(summary, examples=examples))
    short = summary.wanted is not None and (summary.kept < summary.wanted or summary.ended != "complete")
    return SHORT if short or summary.ended == "budget spent" else DONE


def _parameters(pipeline: str, config: Path | None, given: dict[str, Any]) -> "AnyMaking":
    """Read the parameters of a pipeline, and print a notice for each likely mistake."""
    from flows.cli.terminal import notice
    from flows.parameters.models import CorpusWideParameters, MultiChunkParameters, SingleChunkParameters
    from flows.parameters.reading import read_parameters

    models: dict[str, type[AnyMaking]] = {
        "single-chunk": SingleChunkParameters,
        "multi-chunk": MultiChunkParameters,
        "corpus-wide": CorpusWideParameters,
    }
    if pipeline not in models:
        raise InputError(f"--pipeline: there is no {pipeline}; choose from {', '.join(models)}")
    asked = read_parameters(models[pipeline], config, given)
    if asked.critic:
        asked = asked.model_copy(update={"critic": asked_alike(asked.critic, given, "generator")})
    if asked.writing.personas or asked.writing.samples:
        from ragset.generation.personas import notice as of_personas

        notice(of_personas(asked.writing, asked.generator.model))
    notice(key_without_model(asked.generator.model))
    return asked


def asked_alike(model: "ModelSettings", given: dict[str, Any], role: str) -> "ModelSettings":
    """The model with what the options say of how the one in this role is asked."""
    how = {name: given.get(f"{role}.{name}") for name in _HOW}
    return model.model_copy(update={name: value for name, value in how.items() if value is not None})


def key_without_model(model: str) -> str:
    """The notice for someone who has set a key and named no model; empty for others."""
    from ragset.settings import OFFLINE, Environment

    env = Environment()
    if model != OFFLINE or not (env.openai_api_key or env.openai_base_url):
        return ""
    return (
        "OPENAI_API_KEY or OPENAI_BASE_URL is set, but no model is named: the offline rules write and judge. "
        "Name one with --model."
    )


def _foreseen(asked: "LabelParameters") -> str:
    """About how many calls the queries cost."""
    from ragset.generation.labelling.queries import read_queries
    from ragset.generation.labelling.stages import expected_calls

    found = len(read_queries(Path(asked.queries), asked.field).queries)
    queries = found if asked.n == "all" else min(found, asked.n)
    calls = round(sum(calls for _, _, calls in expected_calls(asked.pool, queries)))
    return f"{queries:,} queries: about {calls:,} calls of models. Set --max-calls or --n for fewer."
