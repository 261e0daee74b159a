"""Which metric ranks: the one named, or the one that says most of what can be measured."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from flows.parameters.models import BenchmarkParameters
from ragset.errors import InputError
from ragset.evaluation.metrics.names import ANSWERS, Holds, holds, metric_names
from ragset.models import Golden
from ragset.settings import OFFLINE

_USUAL_TOKENS = 512
_USUAL_CUTOFF = 10


class Primary(NamedTuple):
    """The metric that ranks."""

    name: str
    basis: str = ""
    """Why, where it is neither named nor the usual one: a sentence."""


def check_primary(asked: BenchmarkParameters, held: Holds | None = None) -> None:
    """Return if the metric named, if any, is one that the benchmark will yield; of `held` where goldens are read already.

    Raises:
        InputError: it is none; the message says which there are.
    """
    names = _names(asked, held or Holds())
    if not asked.primary or asked.primary in names:
        return
    known = f"primary: nothing would be scored in {asked.primary!r}"
    if asked.primary in ANSWERS:
        known += _lacking(asked)
    raise InputError(f"{known}; choose one of {', '.join(names) or 'none: there is nothing to measure'}")


def primary_of(asked: BenchmarkParameters, goldens: Iterable[Golden], *, whole: bool) -> Primary:
    """The metric named, or else of answers `correctness` or `token_f1`, of retrieval the recall at 512 tokens.

    Where `whole` documents are the evidence, which no such recall can find, it is nDCG at 10.

    Raises:
        InputError: the metric named is none that the benchmark will yield.
    """
    held = holds(goldens)
    check_primary(asked, held)
    if asked.primary:
        return Primary(asked.primary)
    names = _names(asked, held)
    usual = _of_answers(asked)
    if usual in names:
        return Primary(usual)
    basis = f"No golden has a reference answer, so {usual} cannot be had." if usual else ""
    tokens = _nearest(asked.token_budgets, _USUAL_TOKENS)
    cutoff = _nearest(asked.cutoffs, _USUAL_CUTOFF)
    ndcg = f"ndcg@{cutoff}" if cutoff else "mrr"
    recall = f"recall@{tokens}tokens" if tokens else ndcg
    if whole and ndcg in names:
        told = (
            f"Ranked by {ndcg}, as whole documents are the evidence here: recall within some tokens cannot get near 1."
        )
        return Primary(ndcg, " ".join(filter(None, (basis, told))))
    chosen = next((name for name in (recall, *names) if name in names), "")
    if not chosen:
        raise InputError("datasets: there is nothing to measure in these goldens; name a dataset with evidence")
    return Primary(chosen, basis)


def _names(asked: BenchmarkParameters, held: Holds) -> tuple[str, ...]:
    return metric_names(
        held,
        cutoffs=asked.cutoffs,
        budgets=asked.token_budgets,
        indexed=asked.grid is not None,
        # Whether somebody else's system answers, it says when it is asked.
        answers=bool(asked.systems) or _reads(asked),
        judged=asked.critic.model != OFFLINE,
    )


def _of_answers(asked: BenchmarkParameters) -> str:
    if not _reads(asked):
        return ""
    return "token_f1" if asked.critic.model == OFFLINE else "correctness"


def _reads(asked: BenchmarkParameters) -> bool:
    return bool(asked.grid and asked.grid.reader)


def _lacking(asked: BenchmarkParameters) -> str:
    if not asked.systems and not _reads(asked):
        return " without a reader (--reader), as nobody answers"
    if asked.critic.model == OFFLINE:
        return " without a critic that is a model (--critic), or on these goldens"
    return " on these goldens"


def _nearest(numbers: Sequence[int], wanted: int) -> int | None:
    return min(numbers, key=lambda number: abs(number - wanted), default=None)
