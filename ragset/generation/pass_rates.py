"""The shares of candidates that pass each stage: measured once, for all that has to know before a run has any of its own."""

from collections.abc import Sequence
from math import prod

from ragset.generation.stage import Setup, Stage
from ragset.generation.stages.draft_context import MOST_DRAFTS
from ragset.settings import ContextWritingSettings

PASS_RATES = {
    "single-chunk": {"draft": 0.8, "query": 0.4, "screen": 0.83, "judge": 0.94, "evolve": 0.99, "critique": 0.7},
    "multi-chunk": {"draft": 0.5, "query": 0.92, "critique": 0.94, "necessity": 0.91, "judge": 0.97},
    "corpus-wide": {"confirm": 0.4},
}
"""By kind and stage, as docs/checks.md says where they were measured; all candidates pass a stage that is not listed."""
CONVERSED = 0.92
"""Of queries that become conversations: ten of ten, as docs/checks.md says, counted as 11 of 12, since ten are few."""
FILTERED = {"find": 0.8, "closed_book": 0.7}
"""Of a check that is set to `filter`: assumed, not measured."""
UNANSWERED = 0.6
"""Of unanswerable queries, those that the corpus does not answer after all: assumed, not measured."""


def pass_rate(stage: str, setup: Setup) -> float:
    """The share of candidates that pass the stage, by prior measurements."""
    if stage in FILTERED:
        use = setup.checks.round_trip if stage == "find" else setup.checks.closed_book
        return FILTERED[stage] if use == "filter" else 1.0
    if stage == "converse":
        return 1 - setup.conversations.share * (1 - CONVERSED)
    if stage == "support":
        return 1 - setup.unanswerable * (1 - UNANSWERED)
    return PASS_RATES[setup.writing.kind].get(stage, 1.0)


def most_goldens(setup: Setup) -> int:
    """How many goldens may come of one candidate."""
    return MOST_DRAFTS if isinstance(setup.writing, ContextWritingSettings) else 1


def expected_share(stages: Sequence[Stage], setup: Setup) -> float:
    """The share of candidates that pass all stages, by prior measurements."""
    return prod(pass_rate(stage.name, setup) for stage in stages)
