"""The metric that ranks: the one asked for, or the usual one for what can be measured."""

from collections.abc import Iterable, Set

from flows.parameters.models import BenchmarkParameters
from ragset.errors import InputError
from ragset.evaluation.metrics.registry import (
    ALL_NEEDS,
    Need,
    Primary,
    in_order,
    measurable,
    metric_names,
    metrics_of,
    usual_primary,
)
from ragset.models import Golden
from ragset.settings import OFFLINE


def check_primary(asked: BenchmarkParameters, has: Set[Need] = ALL_NEEDS) -> None:
    """Return if the benchmark will yield the primary metric, if one is named; `has` says what the goldens have, once read."""
    names = _names(asked, has)
    if not asked.primary or asked.primary in names:
        return
    why = ""
    if any(asked.primary == one.name for one in metrics_of("reference", "answer", "answerable", "unanswerable")):
        why = " on these goldens"
        if not asked.systems and not _reads(asked):
            why = " without a reader (--reader), as nobody answers"
        elif asked.critic.model == OFFLINE:
            why = " without a critic that is a model (--critic), or on these goldens"
    raise InputError(
        f"primary: nothing would be scored in {asked.primary!r}{why}; choose one of "
        f"{', '.join(in_order(names, '')) or 'none: there is nothing to measure'}"
    )


def primary_of(asked: BenchmarkParameters, goldens: Iterable[Golden], *, whole: bool) -> Primary:
    """The metric named, or else the usual one; `whole` says that whole documents are the evidence."""
    has = measurable(goldens)
    check_primary(asked, has)
    if asked.primary:
        return Primary(asked.primary)
    answers = ("token_f1" if asked.critic.model == OFFLINE else "correctness") if _reads(asked) else ""
    return usual_primary(_names(asked, has), answers, asked.cutoffs, asked.token_budgets, whole=whole)


def _names(asked: BenchmarkParameters, has: Set[Need]) -> tuple[str, ...]:
    return metric_names(
        has,
        cutoffs=asked.cutoffs,
        budgets=asked.token_budgets,
        indexed=asked.grid is not None,
        # Other systems may answer; this is known once they are asked.
        answers=bool(asked.systems) or _reads(asked),
        judged=asked.critic.model != OFFLINE,
        diagnosed=asked.diagnosis,
    )


def _reads(asked: BenchmarkParameters) -> bool:
    return bool(asked.grid and asked.grid.reader)
