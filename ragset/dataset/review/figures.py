"""What people's judgements of goldens say about the test set.

Shares come from the random sample alone: the other goldens were judged because they looked doubtful. An item on which people
differ counts with the share of them that called it good.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import isnan, nan
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from ragset.dataset.labels import kind_of, labels_of
from ragset.dataset.review.estimates import Agreement, Prediction, Share, agreement, prediction, share_of
from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.order import ReviewPlan, read_plan, sampled
from ragset.dataset.review.records import Review, by_item, guidelines_used, reasons_given, standing
from ragset.models import Golden


class Group(NamedTuple):
    """Goldens of the random sample that have the same label."""

    label: str
    value: str
    good: Share


class Predictor(NamedTuple):
    """How well one label predicts people."""

    label: str
    found: Prediction


class Figures(NamedTuple):
    """Under one version of the guideline."""

    guideline: str
    others: dict[str, int]
    """Judgements under other versions, which are not counted."""
    judgements: int
    goldens: int
    """Goldens that were judged, of those in the set."""
    people: int
    good: Share
    """Good as they were made."""
    mended: Share
    """Good as they were made, or with a correction."""
    skipped: int
    behind: int
    sample: int
    reasons: dict[str, int]
    """Over all judgements that are not good, also outside of the sample."""
    agreement: Agreement
    base_rate: float
    """Share of good among all judgements of goldens that two people or more judged; NaN without any."""
    groups: tuple[Group, ...]
    predictors: tuple[Predictor, ...]
    """The best first."""
    notice: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        """For scripts; what is not defined is null."""
        return _plain(self)


def figures_of(folder: Path, goldens: Sequence[Golden], guideline: str | None = None) -> Figures | None:
    """Of the judgements in a dataset folder, by default under the newest guideline in them; None where nothing is judged."""
    read = read_reviews(folder)
    found = figures(goldens, read.lines, read_plan(folder), guideline)
    return found and found._replace(notice=read.notice)


def figures(
    goldens: Sequence[Golden], lines: Sequence[Review], plan: ReviewPlan, guideline: str | None = None
) -> Figures | None:
    """The same of lines of `reviews.jsonl`; those of goldens that are not here count nowhere."""
    here = {golden.id: golden for golden in goldens}
    lines = [line for line in lines if line.item in here]
    used = guidelines_used(lines, "golden")
    guideline = guideline or next(iter(used), None)
    if guideline not in used:
        return None
    reviews = standing(lines, "golden", guideline)
    judged, sample = by_item(reviews), sampled(here, plan, reviews)
    said = [review for of in judged.values() for review in of]
    several = [of for of in judged.values() if len(of) > 1]
    good = {item: fmean(review.good for review in of) for item, of in sample.judged.items()}
    return Figures(
        guideline=guideline,
        others={other: number for other, number in used.items() if other != guideline},
        judgements=len(said),
        goldens=len(judged),
        people=len({review.reviewer for review in said}),
        good=share_of(good.values()),
        mended=share_of(fmean(review.verdict == "good" for review in of) for of in sample.judged.values()),
        skipped=sample.skipped,
        behind=sample.behind,
        sample=sample.size,
        reasons=reasons_given(review for review in said if not review.good),
        agreement=agreement([[review.good for review in of] for of in judged.values()], (False, True)),
        base_rate=fmean(review.good for of in several for review in of) if several else nan,
        groups=_groups([(here[item], share) for item, share in good.items()]),
        predictors=_predictors([(here[item], share) for item, share in good.items()]),
    )


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple):
        return [*map(_plain, value)]  # pyright: ignore[reportUnknownArgumentType]
    return None if isinstance(value, float) and isnan(value) else value


_LABELS: Mapping[str, Callable[[Golden], str]] = {
    "style": lambda golden: kind_of(golden, "style", "draft") or "none",
    "evolution": lambda golden: kind_of(golden, "evolution", "evolve") or "none",
    "hardness": lambda golden: labels_of(golden).hardness,
    "round trip": lambda golden: labels_of(golden).found,
}
_RANK = {"easy": 2.0, "medium": 1.0, "hard": 0.0}


def _groups(rated: Sequence[tuple[Golden, float]]) -> tuple[Group, ...]:
    """By each label and each critic score that has more than one value; the values in order, within it."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for golden, share in rated:
        for label, read in _LABELS.items():
            found[label][read(golden)].append(share)
        for name, score in golden.scores.items():
            found[name][str(score)].append(share)
    return tuple(
        Group(label, value, share_of(values[value]))
        for label, values in found.items()
        if len(values) > 1
        for value in sorted(values)
        if value
    )


def _predictors(rated: Sequence[tuple[Golden, float]]) -> tuple[Predictor, ...]:
    """Of each score and label with an order; an item that as many people call good as bad says nothing."""
    found: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for golden, share in rated:
        labels, known = labels_of(golden), dict[str, float](golden.scores)
        if labels.round_trip:
            known["round trip"] = -float(labels.round_trip.rank or labels.round_trip.k + 1)
        if labels.hardness in _RANK:
            known["easiness"] = _RANK[labels.hardness]
        for name, value in known.items():
            if share != 0.5:
                found[name][share < 0.5].append(value)
    predicted = [Predictor(name, one) for name, sides in found.items() if (one := prediction(*sides))]
    return tuple(sorted(predicted, key=lambda one: (-one.found.auc, one.label)))
