"""Commands that make, refresh, estimate and show test sets, and index documents."""

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.cli.commands.running import DONE, SHORT, guarded, notice, run_flow
from flows.cli.options import parameters
from flows.parameters.models import (
    CalibrateParameters,
    IndexParameters,
    MakingParameters,
    MultiChunkParameters,
    RefreshParameters,
    SingleChunkParameters,
)
from ragset.errors import InputError
from ragset.settings import OFFLINE, Environment

if TYPE_CHECKING:
    from tasks.refresh import RefreshSummary

_PIPELINES = {"single-chunk": SingleChunkParameters, "multi-chunk": MultiChunkParameters}


@guarded
def run_making(pipeline: str, config: Path | None, given: dict[str, Any], *, json: bool) -> int:
    """`single-chunk` and `multi-chunk`."""
    asked = _making_parameters(pipeline, config, given)
    began = time.monotonic()
    summary, shown = run_flow(pipeline, asked, json=json)
    from flows.cli import results

    if json:
        results.print_problems(summary)
        results.print_json(results.with_spent(summary, shown))
    else:
        results.print_dataset(summary, shown, time.monotonic() - began)
    short = summary.wanted is not None and (summary.kept < summary.wanted or summary.ended != "complete")
    return SHORT if short or summary.ended == "budget spent" else DONE


@guarded
def run_index(config: Path | None, given: dict[str, Any], *, json: bool) -> int:
    """`index`."""
    summary, _ = run_flow("index", parameters(IndexParameters, config, given), json=json)
    from flows.cli import results

    if json:
        results.print_unread(summary.unread)
        results.print_json(summary.model_dump(mode="json"))
    else:
        results.print_index(summary)
    return DONE


@guarded
def run_calibrate(config: Path | None, given: dict[str, Any], *, json: bool) -> int:
    """`calibrate`."""
    asked = parameters(CalibrateParameters, config, given)
    summary, _ = run_flow("index", asked.indexed, json=json)
    from flows.cli import results
    from ragset.retrieval.index import open_index
    from ragset.retrieval.similarity import calibrate

    index = open_index(Environment().ragset_home, summary.collection)
    calibration = calibrate(index.vectors[index.chars >= asked.sampling.min_chars])
    if json:
        results.print_json(calibration.model_dump(mode="json"))
    else:
        results.print_calibration(calibration, asked.embedding.model)
    return DONE


@guarded
def run_estimate(pipeline: str, config: Path | None, given: dict[str, Any], *, pilot: int, json: bool) -> int:
    """`estimate`."""
    from flows.cli import results
    from flows.steps.checks import check_estimate
    from flows.steps.estimate import estimate_run
    from tasks.run.progress import watch

    asked = _making_parameters(pipeline, config, given)
    check_estimate(asked, asks=pilot > 0)
    watched = watch()
    estimate = asyncio.run(estimate_run(asked, pilot))
    for line in watched.notices:
        notice(line)
    if json:
        results.print_json(estimate.model_dump(mode="json"))
    else:
        results.print_estimate(estimate, asked.wanted, mixed=bool(asked.hardness.weights))
    return DONE


@guarded
def run_refresh(config: Path | None, given: dict[str, Any], *, json: bool) -> int:
    """`refresh`."""
    asked = parameters(RefreshParameters, config, given)
    began = time.monotonic()
    summary, shown = run_flow("refresh", asked, json=json)
    from flows.cli import results

    if json:
        results.print_json(results.with_spent(summary, shown))
    else:
        results.print_refresh(summary, shown, time.monotonic() - began)
    return refresh_code(summary)


def refresh_code(summary: "RefreshSummary") -> int:
    """4 where the set is smaller than wanted or lacks the hardness asked for; of an unchanged set only its size counts."""
    unmet = summary.state == "refreshed" and summary.ended != "complete"
    return SHORT if summary.kept < summary.wanted or unmet else DONE


@guarded
def run_show(folder: Path, goldens: int, *, json: bool) -> int:
    """`show`."""
    from flows.cli import results
    from ragset.dataset import problems, read_dataset

    dataset = read_dataset(folder)
    if json:
        results.print_json({**dataset.manifest.model_dump(mode="json"), "goldens": len(dataset.goldens)})
    else:
        results.print_shown(dataset, goldens)
    found = problems(dataset)
    if found:
        raise InputError(f"{folder}: " + "\n".join(found[:20]))
    return DONE


def _making_parameters(
    pipeline: str, config: Path | None, given: dict[str, Any]
) -> SingleChunkParameters | MultiChunkParameters:
    """The parameters of a pipeline, with notices of what is probably not meant."""
    model = _PIPELINES.get(pipeline)
    if model is None:
        raise InputError(f"--pipeline: there is no {pipeline}; choose from {', '.join(_PIPELINES)}")
    asked = parameters(model, config, given)
    at_once = given.get("generator.max_concurrency")
    if asked.critic and at_once is not None:
        asked = asked.model_copy(update={"critic": asked.critic.model_copy(update={"max_concurrency": at_once})})
    for line in _notices(asked):
        notice(line)
    return asked


def _notices(asked: MakingParameters) -> list[str]:
    lines = [key_without_model(asked.generator.model), asked.notice]
    if isinstance(asked, SingleChunkParameters | MultiChunkParameters) and (
        asked.writing.personas or asked.writing.samples
    ):
        from ragset.generation.personas import notice as of_personas

        lines.insert(0, of_personas(asked.writing, asked.generator.model) or "")
    return [line for line in lines if line]


def key_without_model(model: str) -> str:
    """A line for someone who has set a key and named no model; empty for others."""
    env = Environment()
    if model != OFFLINE or not (env.openai_api_key or env.openai_base_url):
        return ""
    return (
        "OPENAI_API_KEY or OPENAI_BASE_URL is set, but no model is named: the offline rules write and judge. "
        "Name one with --model."
    )
