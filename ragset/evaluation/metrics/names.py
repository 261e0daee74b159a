"""Which metrics a benchmark will yield, known before anything is measured."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ragset.models import UNANSWERABLE, Golden

WORDS = ("token_f1", "exact_match", "rouge_l")
"""Of answers that have a reference, for nothing."""
JUDGED = ("correctness", "completeness", "conciseness")
"""Of answers that have a reference, by a critic."""
FAITHFULNESS, ATTEMPTED, ABSTENTION = "faithfulness", "attempted", "abstention"
ANSWERS = (*WORDS, *JUDGED, FAITHFULNESS, ATTEMPTED, ABSTENTION)


class Holds(NamedTuple):
    """What there is in a test set to be measured."""

    evidence: bool = True
    references: bool = True
    answerable: bool = True
    unanswerable: bool = True


def holds(goldens: Iterable[Golden]) -> Holds:
    """What any of the goldens has."""
    goldens = tuple(goldens)
    answered = [golden for golden in goldens if golden.answer is not None and golden.kind != UNANSWERABLE]
    return Holds(
        evidence=any(golden.evidence for golden in goldens),
        references=any((golden.answer or "").strip() for golden in answered),
        answerable=bool(answered),
        unanswerable=len(answered) < len(goldens),
    )


def metric_names(
    held: Holds,
    *,
    cutoffs: Sequence[int],
    budgets: Sequence[int],
    indexed: bool,
    answers: bool,
    judged: bool,
) -> tuple[str, ...]:
    """The metrics that have a mean.

    `indexed` says whether any system is ours, so that all its chunks are known; `answers` whether any gives answers,
    and `judged` whether a language model judges them.
    """
    names: list[str] = []
    if held.evidence:
        ranking = ("hit_rate", "recall", "precision", "ndcg", "span_recall", "span_precision", "span_iou")
        names += [f"{name}@{cutoff}" for cutoff in cutoffs for name in ranking]
        names += ["mrr", "map", *(f"recall@{budget}tokens" for budget in budgets)]
        names += ["span_precision_omega"] if indexed and cutoffs else []
    if answers:
        names += WORDS if held.references else ()
        names += JUDGED if held.references and judged else ()
        names += [FAITHFULNESS] if judged else []
        names += [ATTEMPTED] if held.answerable else []
        names += [ABSTENTION] if held.unanswerable else []
    return tuple(dict.fromkeys(names))
