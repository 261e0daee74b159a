"""Commands that compare systems, and results with each other."""

import time
from pathlib import Path
from typing import Any

from flows.cli.commands.running import DONE, FELL, USAGE, guarded, run_flow
from flows.cli.options import parameters


@guarded
def run_benchmark(config: Path | None, given: dict[str, Any], *, json: bool) -> int:
    """`benchmark`."""
    from flows.parameters.models import BenchmarkParameters

    if readers := given.get("grid.reader"):
        given = {**given, "grid.reader": [{"model": name} for name in readers]}
    asked = parameters(BenchmarkParameters, config, given)
    if asked.grid and (at_once := given.get("critic.max_concurrency")):
        reader = tuple(one.model_copy(update={"max_concurrency": at_once}) for one in asked.grid.reader)
        asked = asked.model_copy(update={"grid": asked.grid.model_copy(update={"reader": reader})})
    began = time.monotonic()
    summary, shown = run_flow("benchmark", asked, json=json)
    from flows.cli import results

    if json:
        results.print_json(summary.model_dump(mode="json"))
    else:
        results.print_benchmark(summary, shown, time.monotonic() - began)
    return DONE


@guarded
def run_compare(
    before: Path, after: Path, metrics: tuple[str, ...], *, across_corpora: bool = False, json: bool
) -> int:
    """`compare`: 1 where a metric fell; 2 where documents or goldens differ or a configuration is gone."""
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


@guarded
def run_plan(difference: float, folder: Path | None, *, json: bool) -> int:
    """`plan`."""
    from flows.cli import results
    from ragset.evaluation.results import read_results
    from ragset.evaluation.results.planning import plan

    found = plan(difference, read_results(folder) if folder else None)
    if json:
        results.print_json(found.model_dump(mode="json"))
    else:
        results.print_plan(found)
    return DONE
