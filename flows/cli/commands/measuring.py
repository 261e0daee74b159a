"""Commands that compare systems, and results with each other."""

import time
from pathlib import Path
from typing import Any

from flows.cli.commands.running import DONE, FELL, USAGE, checks, flow_named, guarded, run_flow
from flows.cli.options import parameters
from flows.parameters.models import BenchmarkParameters


def run_benchmark(config: Path | None, options: dict[str, Any], *, json: bool) -> int:
    """`benchmark`."""

    def command() -> int:
        asked = _benchmark_parameters(config, options)
        began = time.monotonic()
        summary, shown = run_flow(
            lambda: flow_named("benchmark"), asked, lambda: checks().check_benchmark(asked), json=json
        )
        from flows.cli import results

        if json:
            results.print_json(summary.model_dump(mode="json"))
        else:
            results.print_benchmark(summary, shown, time.monotonic() - began)
        return DONE

    return guarded(command, json=json)


def run_compare(
    before: Path, after: Path, metrics: tuple[str, ...], *, across_corpora: bool = False, json: bool
) -> int:
    """`compare`: 1 where a metric fell; 2 where documents, goldens or configurations are others, as nothing can be said then."""

    def command() -> int:
        from flows.cli import results
        from ragset.evaluation.results import read_results
        from ragset.evaluation.results.comparing import compare

        found = compare(read_results(before), read_results(after), metrics, across_corpora=across_corpora)
        if json:
            changes = [{**change.model_dump(mode="json"), "fell": change.fell} for change in found.changes]
            results.print_json({**found.model_dump(mode="json"), "changes": changes})
        else:
            results.print_changes(found)
        if found.only_before:
            return USAGE
        return FELL if found.fell else DONE

    return guarded(command, json=json)


def run_plan(difference: float, folder: Path | None, *, json: bool) -> int:
    """`plan`."""

    def command() -> int:
        from flows.cli import results
        from ragset.evaluation.results import read_results
        from ragset.evaluation.results.planning import plan

        found = plan(difference, read_results(folder) if folder else None)
        if json:
            results.print_json(found.model_dump(mode="json"))
        else:
            results.print_plan(found)
        return DONE

    return guarded(command, json=json)


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
