"""Why a run ended before it had what was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragset.generation.check_stages import CHECKS
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    from ragset.dataset import FunnelRow
    from tasks.dataset import DatasetSummary

_ADVICE = {
    "rules": "most chunks are lists, links or boilerplate: add documents of running text",
    "expand": "most chunks have too few similar ones: add documents on near subjects, or lower --min-similarity",
    "draft": "most chunks held nothing worth asking: add documents, or choose other --styles",
    "split": "most queries asked several things at once: try a stronger --model, or --single keep",
    "evolve": "most evolved queries were refused: give none a larger weight in --evolutions",
    "relevant": "most queries need one chunk alone: try a stronger --model, larger contexts, or --single keep",
    "necessity": "most queries can do with one chunk alone: try a stronger --model, or --single keep",
    "answer": "most answers could not be quoted from their chunk: try a stronger --model, or larger chunks",
    "critique": "most goldens scored below the threshold: try a stronger --model, or a lower --threshold",
    "keep": "the queries repeat each other: add documents",
}
"""What helps, by the stage that lost most; of the checks their registry says it."""


def ended_early(summary: DatasetSummary) -> str:
    """Why there are fewer goldens than asked for, or other ones, and what helps; empty: all are there."""
    if summary.ended == "complete":
        return ""
    if summary.ended == "budget spent":
        return "the budget is spent; raise it and run the same command to go on from here"
    tried = "every chunk of the corpus was tried"
    if summary.wanted is not None and summary.kept >= summary.wanted:
        return f"{tried}, and there are too few goldens of the levels of hardness asked for; others fill the set up"
    advice = _ADVICE | {name: check.advice for name, check in CHECKS.items()}
    lost = {row.stage: _lost(row) for row in summary.funnel if advice.get(row.stage)}
    stage = max(lost, key=lambda stage: lost[stage], default="")
    if not stage or not lost[stage]:
        return f"{tried}; add documents, or cut smaller chunks"
    (row,) = (row for row in summary.funnel if row.stage == stage)
    help_ = advice["find" if "not_found_again" in row.rejected else stage]
    if OFFLINE in {summary.generator, summary.critic} and stage not in {"rules", "expand", "keep"}:
        help_ = "the offline rules can ask about few of them: name a model with --model, or add documents"
    return f"{tried}, and {lost[stage]:,} of {row.entered:,} were lost at {stage}; {help_}"


def _lost(row: FunnelRow) -> int:
    """What a stage stopped; what was finished and not needed is not lost."""
    return row.entered - row.left - row.rejected.get("surplus", 0)


def ended(summary: DatasetSummary, returned: Any = None) -> Any:
    """What a flow returns: `returned`, or else the summary, in a state that says where there is less than was asked for."""
    from prefect.states import Completed  # here, as `show` prints what this module says and needs no Prefect

    returned = returned or summary
    if not (why := ended_early(summary)):
        return returned
    wanted = f" of {summary.wanted:,}" if summary.wanted is not None else ""
    return Completed(message=f"{summary.kept:,}{wanted} goldens: {why}", data=returned)
