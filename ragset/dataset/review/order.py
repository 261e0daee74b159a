"""The order in which items are judged: a random sample first, so that rates can be estimated, then the most doubtful ones."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Literal, NamedTuple

from pydantic import Field, ValidationError

from ragset.dataset.labels import labels_of
from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.records import Review, by_item
from ragset.errors import InputError, problems_of
from ragset.models import Golden, Model
from ragset.settings.whole_file import replace_text

PLAN = "review.json"
_HARD = {"easy": 0.0, "medium": 0.5, "hard": 1.0}
_UNKNOWN = 0.5


class ReviewPlan(Model):
    """`review.json` beside the judgements: which items are the random sample, and how many of them two people judge."""

    seed: int = 0
    sample: int = Field(
        default=100, ge=0
    )  # items; a larger sample has all of a smaller one and comes in the same order
    shared: float = Field(default=0.2, ge=0, le=1)  # the share of the sample that is judged by two people


class Queued(NamedTuple):
    """An item in its turn."""

    item: str
    part: Literal["sample", "doubtful"]
    people: int
    """How many are to judge it."""


class Sampled(NamedTuple):
    """What was judged of the random sample.

    It counts up to its first item that nobody has looked at: those behind it that were judged already may have been chosen for
    a reason.
    """

    judged: dict[str, tuple[Review, ...]]
    """By item, in the order of the sample."""
    skipped: int
    """Items that were looked at and not judged."""
    behind: int
    """Judged items of the sample that do not count yet."""
    size: int
    """Of the whole sample."""


def read_plan(folder: Path) -> ReviewPlan:
    """The plan beside a `manifest.json`; the default one where there is none."""
    path = folder / PLAN
    try:
        return ReviewPlan.model_validate_json(path.read_bytes()) if path.is_file() else ReviewPlan()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValidationError as error:
        raise InputError(f"{path}: {problems_of(error)}; mend it as docs/formats.md says") from None


def change_plan(
    folder: Path, *, sample: int | None = None, shared: float | None = None, seed: int | None = None
) -> ReviewPlan:
    """Write the plan with what is given, and return it. The seed cannot change once something is judged."""
    before, path = read_plan(folder), folder / PLAN
    given = {"sample": sample, "shared": shared, "seed": seed}
    plan = before.model_copy(update={name: value for name, value in given.items() if value is not None})
    if plan.seed != before.seed and read_reviews(folder).lines:
        raise InputError(f"{path}: seed: is {before.seed}, and goldens were judged in its order; it cannot change now")
    if plan != before or not path.is_file():
        try:
            replace_text(path, json.dumps(plan.model_dump()) + "\n")
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    return plan


def doubt_of(golden: Golden) -> float:
    """0 to 1, the mean of three: the critic's lowest score, whether a search by the query finds the evidence, and hardness.

    What nobody measured is in the middle.
    """
    labels = labels_of(golden)
    trip = labels.round_trip
    return fmean(
        (
            (5 - min(max(min(golden.scores.values()), 1), 5)) / 4 if golden.scores else _UNKNOWN,
            _UNKNOWN if trip is None else 1.0 if trip.rank is None else 1 - 1 / trip.rank,
            _HARD.get(labels.hardness, _UNKNOWN),
        )
    )


def queue(items: Iterable[str], plan: ReviewPlan, doubts: Mapping[str, float] | None = None) -> tuple[Queued, ...]:
    """All items: the random sample, then those with the greatest doubt. The same for the same items in whatever order."""
    drawn = _drawn(items, plan)
    sample, others = drawn[: plan.sample], drawn[plan.sample :]
    others.sort(key=lambda item: -(doubts or {}).get(item, 0.0))  # stable: equal ones stay in random order
    people = (1 + (int((place + 1) * plan.shared) > int(place * plan.shared)) for place in range(len(sample)))
    return (
        *(Queued(item, "sample", number) for item, number in zip(sample, people, strict=True)),
        *(Queued(item, "doubtful", 1) for item in others),
    )


def queue_goldens(goldens: Iterable[Golden], plan: ReviewPlan) -> tuple[Queued, ...]:
    """All goldens, in the order in which people judge them."""
    doubts = {golden.id: doubt_of(golden) for golden in goldens}
    return queue(doubts, plan, doubts)


def waiting(
    queued: Iterable[Queued], reviews: Iterable[Review], reviewer: str, taken: Mapping[str, Collection[str]]
) -> Iterator[Queued]:
    """What is left for this person, in order: items they have not looked at, and that want more people than have them.

    `reviews` are standing ones; `taken` names for an item the people who have it before them now.
    """
    looked = {review.item for review in reviews if review.reviewer == reviewer}
    judged = {item: {review.reviewer for review in of} for item, of in by_item(reviews).items()}
    for one in queued:
        others = {*judged.get(one.item, ()), *taken.get(one.item, ())} - {reviewer}
        if one.item not in looked and len(others) < one.people:
            yield one


def sampled(items: Iterable[str], plan: ReviewPlan, reviews: Sequence[Review]) -> Sampled:
    """The random sample of these items with its judgements; `reviews` are standing ones, skips among them."""
    sample = _drawn(items, plan)[: plan.sample]
    looked, judged = Counter(review.item for review in reviews), by_item(reviews)
    count = next((place for place, item in enumerate(sample) if not looked[item]), len(sample))
    counted = {item: judged[item] for item in sample[:count] if item in judged}
    return Sampled(counted, count - len(counted), sum(item in judged for item in sample[count:]), len(sample))


def _drawn(items: Iterable[str], plan: ReviewPlan) -> list[str]:
    """In an order that is random, and stays when others come or go."""
    return sorted(set(items), key=lambda item: hashlib.sha256(f"{plan.seed}\n{item}".encode()).digest())
