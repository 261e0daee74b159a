"""Says why a run ended early."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragset.generation.pipeline import CHECKS
from ragset.settings import OFFLINE

if TYPE_CHECKING:
    from ragset.dataset import FunnelRow
    from tasks.dataset import DatasetSummary

_ADVICE = {
    "rules": "most passages are lists, links or boilerplate: add documents of running text",
    "expand": "most chunks have too few links: add documents on near subjects",
    "draft": "most passages held nothing worth asking: add documents, or choose other --styles",
    "names_title": "most of these name their document by its whole title, of which only some are kept: add documents",
    "split": "most queries asked several things at once: try a stronger --model, or --single keep",
    "evolve": "most evolved queries were refused: give none a larger weight in --evolutions",
    "necessity": "most queries can do with one chunk alone: try a stronger --model, or --single keep",
    "answer": "most answers could not be quoted from their passage: try a stronger --model",
    "query": "few of the queries would be asked: add documents on near subjects, describe the audience more widely (--audience), or lower --min-relevance",
    "critique": "most goldens scored below a threshold: try a stronger --model, or lower --min-groundedness or --min-clarity",
    "keep": "the queries repeat each other: add documents",
}
"""What helps, by the stage that lost most, or by its main reason; the registry of checks adds its own."""


def ended_early(summary: DatasetSummary) -> str:
    """Why there are fewer or other goldens than asked for, and what helps; empty if nothing is missing."""
    if summary.ended == "complete":
        return ""
    if summary.ended == "budget spent":
        return "the budget is spent; raise it and run the same command to go on from here"
    cut = next((row.left for row in summary.funnel if row.stage == "chunk"), 0)
    if cut and not any(row.left for row in summary.funnel if row.stage != "chunk"):
        return "every chunk has too few characters to be asked about: lower --min-chars, or add longer documents"
    undrawn = any(row.rejected.get("not_drawn") for row in summary.funnel)
    tried = "hardly any of the last contexts gave a golden" if undrawn else "the whole corpus was tried"
    if summary.wanted is not None and summary.kept >= summary.wanted:
        return f"{tried}, and there are too few goldens of the levels of hardness asked for; others fill the set up"
    advice = _ADVICE | {name: check.advice for name, check in CHECKS.items()}
    row = max((row for row in summary.funnel if advice.get(row.stage)), key=_lost, default=None)
    if row is None or not _lost(row):
        return f"{tried}; add documents, or cut smaller chunks"
    titled = row.rejected.get("names_title", 0) > _lost(row) / 2
    help_ = advice["find" if "not_found_again" in row.rejected else "names_title" if titled else row.stage]
    if undrawn and row.stage == "draft":
        help_ = "the other chunks have little in common: ask for fewer goldens, or add documents on near subjects"
    if OFFLINE in {summary.generator, summary.critic} and row.stage not in {"rules", "expand", "keep"}:
        help_ = "the offline rules can ask about few of them: name a model with --model, or add documents"
    return f"{tried}, and {_lost(row):,} of {row.entered:,} were lost at {row.stage}; {help_}"


def _lost(row: FunnelRow) -> int:
    return row.entered - row.left - row.rejected.get("surplus", 0) - row.rejected.get("not_drawn", 0)


def ended(summary: DatasetSummary, returned: Any = None) -> Any:
    """The return value of a flow: `returned` or the summary, in a state that says why the run ended early."""
    from prefect.states import Completed  # `show` imports this module and needs no Prefect

    returned = returned or summary
    if not (why := ended_early(summary)):
        return returned
    wanted = f" of {summary.wanted:,}" if summary.wanted is not None else ""
    return Completed(message=f"{summary.kept:,}{wanted} goldens: {why}", data=returned)
