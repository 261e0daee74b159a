"""What each command does: parameters in, a flow run, a result out, an exit code."""

import asyncio
import importlib
import logging
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from flows.options import key_without_model, parameters, weights
from flows.parameters import (
    BenchmarkParameters,
    IndexParameters,
    MultiChunkParameters,
    RefreshParameters,
    SingleChunkParameters,
)
from flows.server import check_server, prefect_server
from ragset.errors import (
    BudgetSpent,
    EmbeddingError,
    InputError,
    ProviderError,
    RagsetError,
    ServerError,
    Stopped,
    StoreError,
)
from ragset.settings import Environment, SamplingSettings

_PIPELINES = {"single-chunk": SingleChunkParameters, "multi-chunk": MultiChunkParameters}
DONE, FELL, USAGE, PROVIDER, SHORT, INTERRUPTED = 0, 1, 2, 3, 4, 130


def run_making(pipeline: str, config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`single-chunk` and `multi-chunk`."""

    def command() -> int:
        asked = _making_parameters(pipeline, config, options)
        _notice(key_without_model(asked.generator.model))
        began = time.monotonic()
        summary, shown = _run(lambda: _flow(pipeline), asked, lambda: _checks().check_making(asked))
        from flows import results

        if json:
            results.print_problems(summary)
            results.print_json(results.dataset_json(summary, shown))
        else:
            results.print_dataset(summary, shown, time.monotonic() - began)
        short = summary.wanted is not None and summary.kept < summary.wanted
        return SHORT if short or summary.ended == "budget spent" else DONE

    return _guarded(command, json=json)


def run_index(config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`index`."""

    def command() -> int:
        chunking = {"chunking.language": options.pop("writing.language", None)}
        asked = parameters(IndexParameters, config, {**options, **chunking})
        summary, _ = _run(lambda: _flow("index"), asked, lambda: _checks().check_index(asked))
        from flows import results

        if json:
            results.print_unread(summary.unread)
            results.print_json(summary.model_dump(mode="json"))
        else:
            results.print_index(summary)
        return DONE

    return _guarded(command, json=json)


def run_calibrate(config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`calibrate`."""

    def command() -> int:
        min_chars = options.pop("sampling.min_chars", SamplingSettings().min_chars)
        chunking = {"chunking.language": options.pop("writing.language", None)}
        asked = parameters(IndexParameters, config, {**options, **chunking})
        summary, _ = _run(lambda: _flow("index"), asked, lambda: _checks().check_index(asked))
        from flows import results
        from ragset.index import open_index
        from ragset.similarity import calibrate

        index = open_index(Environment().ragset_home, summary.collection)
        calibration = calibrate(index.vectors[index.chars >= min_chars])
        if json:
            results.print_json(calibration.model_dump(mode="json"))
        else:
            results.print_calibration(calibration, asked.embedding.model)
        return DONE

    return _guarded(command, json=json)


def run_estimate(pipeline: str, config: Path | None, options: dict[str, Any], *, pilot: int, json: bool) -> int:
    """`estimate`."""

    def command() -> int:
        from flows import results
        from flows.estimating import estimate_run
        from tasks.progress import watch

        asked = _making_parameters(pipeline, config, options)
        _checks().check_estimate(asked, asks=pilot > 0)
        _notice(key_without_model(asked.generator.model))
        watched = watch()
        estimate = asyncio.run(estimate_run(asked, pilot))
        for line in watched.notices:
            _notice(line)
        if json:
            results.print_json(estimate.model_dump(mode="json"))
        else:
            results.print_estimate(estimate, asked.wanted)
        return DONE

    return _guarded(command, json=json)


def run_benchmark(config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`benchmark`."""

    def command() -> int:
        asked = _benchmark_parameters(config, options)
        began = time.monotonic()
        summary, shown = _run(lambda: _flow("benchmark"), asked, lambda: _checks().check_benchmark(asked))
        from flows import results

        if json:
            results.print_json(summary.model_dump(mode="json"))
        else:
            results.print_benchmark(summary, shown, time.monotonic() - began)
        return DONE

    return _guarded(command, json=json)


def run_refresh(config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`refresh`."""

    def command() -> int:
        asked = parameters(RefreshParameters, config, options)
        began = time.monotonic()
        summary, shown = _run(lambda: _flow("refresh"), asked, lambda: _checks().check_refresh(asked))
        from flows import results

        if json:
            results.print_json(results.refresh_json(summary, shown))
        else:
            results.print_refresh(summary, shown, time.monotonic() - began)
        return SHORT if summary.kept < summary.wanted else DONE

    return _guarded(command, json=json)


def run_compare(before: Path, after: Path, metrics: tuple[str, ...], *, json: bool) -> int:
    """`compare`."""

    def command() -> int:
        from flows import results
        from ragset.comparing import changes
        from ragset.results import read_results

        found = changes(read_results(before), read_results(after), metrics)
        if json:
            results.print_json(
                {"changes": [{**change.model_dump(mode="json"), "fell": change.fell} for change in found]}
            )
        else:
            results.print_changes(found)
        return FELL if any(change.fell for change in found) else DONE

    return _guarded(command, json=json)


def run_plan(difference: float, folder: Path | None, *, json: bool) -> int:
    """`plan`."""

    def command() -> int:
        from flows import results
        from ragset.comparing import plan
        from ragset.results import read_results

        found = plan(difference, read_results(folder) if folder else None)
        if json:
            results.print_json(found.model_dump(mode="json"))
        else:
            results.print_plan(found)
        return DONE

    return _guarded(command, json=json)


def run_show(folder: Path, goldens: int, *, json: bool) -> int:
    """`show`."""

    def command() -> int:
        from flows import results
        from ragset.dataset import problems, read_dataset

        dataset = read_dataset(folder)
        if json:
            results.print_json(dataset.manifest.model_dump(mode="json"))
        else:
            results.print_shown(dataset, goldens)
        found = problems(dataset)
        if found:
            raise InputError(f"{folder}: " + "\n".join(found[:20]))
        return DONE

    return _guarded(command, json=json)


def run_serve(
    ports: tuple[int | None, int | None, int | None], workers: int, limits: tuple[int | None, int | None]
) -> int:
    """`serve`."""

    def command() -> int:
        from flows.deploying import Limits
        from flows.service.parts import AskedPorts
        from flows.service.running import serve
        from flows.service.showing import print_service

        port, reports_port, milvus_port = ports
        asked = AskedPorts(prefect=port, reports=reports_port, milvus=milvus_port)
        print_service(serve(asked, workers, Limits(*limits)))
        return DONE

    return _guarded(command, json=False)


def run_stop() -> int:
    """`stop`."""

    def command() -> int:
        from flows.service.running import stop
        from flows.service.showing import print_stopped

        print_stopped(stop())
        return DONE

    return _guarded(command, json=False)


def run_deploy(limits: tuple[int | None, int | None]) -> int:
    """`deploy`."""

    def command() -> int:
        from flows.deploying import Limits, deploy
        from flows.service.showing import print_deployed

        print_deployed(deploy(Limits(*limits)))
        return DONE

    return _guarded(command, json=False)


def run_prompts_list(*, json: bool) -> int:
    """`prompts list`."""

    def command() -> int:
        from flows import results
        from ragset.prompt import load_prompt, prompt_names

        folder = Environment().ragset_prompts
        prompts = [load_prompt(name, folder=folder) for name in prompt_names(folder)]
        if json:
            listed = [{"id": prompt.id, "reply": prompt.reply, "purpose": prompt.purpose} for prompt in prompts]
            results.print_json({"prompts": listed})
        else:
            results.print_prompts(prompts)
        return DONE

    return _guarded(command, json=json)


def run_prompts_check() -> int:
    """`prompts check`."""

    def command() -> int:
        from ragset.prompt import check_prompts, prompt_names

        folder = Environment().ragset_prompts
        found = check_prompts(folder)
        if found:
            raise InputError("\n".join(found))
        sys.stdout.write(f"{len(prompt_names(folder))} prompts, each as it is pinned\n")
        return DONE

    return _guarded(command, json=False)


def run_prompts_translate(
    to: str, model: str, only: tuple[str, ...], out: Path | None, *, force: bool, json: bool
) -> int:
    """`prompts translate`."""

    def command() -> int:
        from flows import results
        from flows.translating import translate_prompts

        done = asyncio.run(translate_prompts(to, model, only, out, force=force))
        if json:
            results.print_json(done.model_dump(mode="json"))
        else:
            results.print_translated(done)
        return SHORT if done.failed else DONE

    return _guarded(command, json=json)


def run_prompts_pin() -> int:
    """`prompts pin`."""

    def command() -> int:
        from ragset.prompt import write_pins

        pins = write_pins(Environment().ragset_prompts)
        sys.stdout.write(f"{len(pins)} digests pinned\n")
        return DONE

    return _guarded(command, json=False)


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


def _benchmark_parameters(config: Path | None, options: dict[str, Any]) -> BenchmarkParameters:
    """Of the options typed: readers go into the grid, and calls at once hold for every model."""
    given = dict(options)
    readers, at_once = given.pop("reader", None), given.pop("concurrency", None)
    if readers:
        given["grid.reader"] = [{"model": name} for name in readers]
    asked = parameters(BenchmarkParameters, config, given)
    if at_once is None:
        return asked
    wider = {"max_concurrency": at_once}
    critic = asked.critic.model_copy(update=wider)
    if asked.grid is None:
        return asked.model_copy(update={"critic": critic})
    reader = tuple(one.model_copy(update=wider) for one in asked.grid.reader)
    return asked.model_copy(update={"critic": critic, "grid": asked.grid.model_copy(update={"reader": reader})})


def _flow(name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Imported late: Prefect takes seconds."""
    function = name.replace("-", "_")
    return getattr(importlib.import_module(f"flows.{function}"), function)


def _checks() -> Any:
    """Imported late, as all that only a run needs."""
    from flows import checks

    return checks


def _run(
    flow: Callable[[], Callable[..., Coroutine[Any, Any, Any]]], asked: Any, check: Callable[[], None]
) -> tuple[Any, Any]:
    """The flow's result and what was counted on the way, with a server for it and its progress shown."""
    server = prefect_server(Environment().ragset_home)
    # The server starts while the parameters are checked, and Prefect and Milvus are imported.
    check()
    if server is not None and (approval := getattr(asked, "approval", None)) and approval.on:
        from flows.approving import check_answerable

        check_answerable(asked)
    call = flow()
    from prefect.exceptions import CancelledRun

    from flows.terminal import shown
    from tasks.progress import watch

    progress = watch()
    fields = {name: getattr(asked, name) for name in type(asked).model_fields}
    with shown(progress):
        if server is not None:
            _import_slow_libraries()
            server.wait()
        else:
            asyncio.run(check_server())
        try:
            result = asyncio.run(call(**fields))
        except CancelledRun as cancelled:
            raise Stopped(str(cancelled)) from None
    for line in progress.notices:
        _notice(line)
    return result, progress


def _import_slow_libraries() -> None:
    """What the run will need in any case, imported while the server starts anyhow."""
    from ragset.connection import load_pymilvus

    load_pymilvus()
    for name in ("tiktoken", "trafilatura"):
        importlib.import_module(name)


def _guarded(command: Callable[[], int], *, json: bool) -> int:
    """The command's exit code; errors that are meant for people as one message, anything else as it is."""
    logging.getLogger("ragset").addHandler(logging.NullHandler())
    try:
        return command()
    except KeyboardInterrupt:
        return _fail("Stopped. What was answered is kept: run the same command to go on.", json=json, code=INTERRUPTED)
    except Stopped as error:
        return _fail(str(error), json=json, code=INTERRUPTED)
    except BudgetSpent:
        return _fail(
            "The budget is spent. Raise it and run the same command to go on from here.", json=json, code=SHORT
        )
    except (ProviderError, StoreError, EmbeddingError, ServerError) as error:
        return _fail(str(error), json=json, code=PROVIDER)
    except RagsetError as error:
        return _fail(str(error), json=json, code=USAGE)


def _fail(message: str, *, json: bool, code: int) -> int:
    from flows.terminal import fail

    return fail(message, as_json=json, code=code)


def _notice(line: str | None) -> None:
    if line:
        from flows.terminal import notice

        notice(line)


def _notice_voices(asked: SingleChunkParameters | MultiChunkParameters) -> None:
    """Say who does not imitate anybody."""
    if asked.writing.personas or asked.writing.samples:
        from ragset.voices import notice

        _notice(notice(asked.writing, asked.generator.model))
