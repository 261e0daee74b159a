"""Commands that make, refresh and show test sets."""

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.cli.commands.running import DONE, SHORT, checks, flow_named, guarded, notice, run_flow
from flows.cli.options import joining_documents, key_without_model, parameters, weights
from flows.parameters.models import IndexParameters, MultiChunkParameters, RefreshParameters, SingleChunkParameters
from ragset.errors import InputError
from ragset.settings import Environment, SamplingSettings

if TYPE_CHECKING:
    from tasks.refresh import RefreshSummary

_PIPELINES = {"single-chunk": SingleChunkParameters, "multi-chunk": MultiChunkParameters}


def run_making(pipeline: str, config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`single-chunk` and `multi-chunk`."""

    def command() -> int:
        asked = _making_parameters(pipeline, config, options)
        notice(key_without_model(asked.generator.model))
        notice(joining_documents(asked))
        began = time.monotonic()
        summary, shown = run_flow(lambda: flow_named(pipeline), asked, lambda: checks().check_making(asked), json=json)
        from flows.cli import results

        if json:
            results.print_problems(summary)
            results.print_json(results.dataset_json(summary, shown))
        else:
            results.print_dataset(summary, shown, time.monotonic() - began)
        short = summary.wanted is not None and (summary.kept < summary.wanted or summary.ended != "complete")
        return SHORT if short or summary.ended == "budget spent" else DONE

    return guarded(command, json=json)


def run_index(config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`index`."""

    def command() -> int:
        chunking = {"chunking.language": options.pop("writing.language", None)}
        asked = parameters(IndexParameters, config, {**options, **chunking})
        summary, _ = run_flow(lambda: flow_named("index"), asked, lambda: checks().check_index(asked), json=json)
        from flows.cli import results

        if json:
            results.print_unread(summary.unread)
            results.print_json(summary.model_dump(mode="json"))
        else:
            results.print_index(summary)
        return DONE

    return guarded(command, json=json)


def run_calibrate(config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`calibrate`."""

    def command() -> int:
        min_chars = options.pop("sampling.min_chars", SamplingSettings().min_chars)
        chunking = {"chunking.language": options.pop("writing.language", None)}
        asked = parameters(IndexParameters, config, {**options, **chunking})
        summary, _ = run_flow(lambda: flow_named("index"), asked, lambda: checks().check_index(asked), json=json)
        from flows.cli import results
        from ragset.retrieval.index import open_index
        from ragset.retrieval.similarity import calibrate

        index = open_index(Environment().ragset_home, summary.collection)
        calibration = calibrate(index.vectors[index.chars >= min_chars])
        if json:
            results.print_json(calibration.model_dump(mode="json"))
        else:
            results.print_calibration(calibration, asked.embedding.model)
        return DONE

    return guarded(command, json=json)


def run_estimate(pipeline: str, config: Path | None, options: dict[str, Any], *, pilot: int, json: bool) -> int:
    """`estimate`."""

    def command() -> int:
        from flows.cli import results
        from flows.steps.estimate import estimate_run
        from tasks.run.progress import watch

        asked = _making_parameters(pipeline, config, options)
        checks().check_estimate(asked, asks=pilot > 0)
        notice(key_without_model(asked.generator.model))
        notice(joining_documents(asked))
        watched = watch()
        estimate = asyncio.run(estimate_run(asked, pilot))
        for line in watched.notices:
            notice(line)
        if json:
            results.print_json(estimate.model_dump(mode="json"))
        else:
            results.print_estimate(estimate, asked.wanted, mixed=bool(asked.hardness.weights))
        return DONE

    return guarded(command, json=json)


def run_refresh(config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`refresh`."""

    def command() -> int:
        asked = parameters(RefreshParameters, config, options)
        began = time.monotonic()
        summary, shown = run_flow(
            lambda: flow_named("refresh"), asked, lambda: checks().check_refresh(asked), json=json
        )
        from flows.cli import results

        if json:
            results.print_json(results.refresh_json(summary, shown))
        else:
            results.print_refresh(summary, shown, time.monotonic() - began)
        return refresh_code(summary)

    return guarded(command, json=json)


def refresh_code(summary: "RefreshSummary") -> int:
    """4 where the set is smaller than wanted, or has not the hardness asked for; of one left as it was its size counts."""
    unmet = summary.state == "refreshed" and summary.ended != "complete"
    return SHORT if summary.kept < summary.wanted or unmet else DONE


def run_show(folder: Path, goldens: int, *, json: bool) -> int:
    """`show`."""

    def command() -> int:
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

    return guarded(command, json=json)


def _making_parameters(
    pipeline: str, config: Path | None, options: dict[str, Any]
) -> SingleChunkParameters | MultiChunkParameters:
    """Of the options typed: mixes are read, and what holds for one model or language holds for its like."""
    model = _PIPELINES.get(pipeline)
    if model is None:
        raise InputError(f"--pipeline: there is no {pipeline}; choose from {', '.join(_PIPELINES)}")
    given = dict(options)
    for field in ("styles", "shapes", "evolutions"):
        given[f"writing.{field}"] = weights(field, given.get(f"writing.{field}"))
    at_once = given["generator.max_concurrency"] = given.pop("concurrency", None)
    asked = parameters(model, config, given)
    _notice_voices(asked)
    if asked.critic is None or at_once is None:
        return asked
    return asked.model_copy(update={"critic": asked.critic.model_copy(update={"max_concurrency": at_once})})


def _notice_voices(asked: SingleChunkParameters | MultiChunkParameters) -> None:
    """Say who does not imitate anybody."""
    if asked.writing.personas or asked.writing.samples:
        from ragset.generation.personas import notice as said

        notice(said(asked.writing, asked.generator.model))
