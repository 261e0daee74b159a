"""People's judgements of goldens: the records and their file, the order of items, guidelines, agreement, and applying them.

Answers and passages of benchmarks are judged by the same records; what they are is in `evaluation/review/`.
"""

from ragset.dataset.review.file import REVIEWS, ReviewFile, Reviews, read_reviews
from ragset.dataset.review.guidelines import Guideline, load_guideline
from ragset.dataset.review.order import (
    PLAN,
    Queued,
    ReviewPlan,
    Sampled,
    change_plan,
    doubt_of,
    queue,
    queue_goldens,
    read_plan,
    sampled,
    waiting,
)
from ragset.dataset.review.records import GRADES, Edit, Kind, Review, Verdict
from ragset.dataset.review.standing import by_item, guidelines_used, standing

__all__ = [
    "GRADES",
    "PLAN",
    "REVIEWS",
    "Edit",
    "Guideline",
    "Kind",
    "Queued",
    "Review",
    "ReviewFile",
    "ReviewPlan",
    "Reviews",
    "Sampled",
    "Verdict",
    "by_item",
    "change_plan",
    "doubt_of",
    "guidelines_used",
    "load_guideline",
    "queue",
    "queue_goldens",
    "read_plan",
    "read_reviews",
    "sampled",
    "standing",
    "waiting",
]
