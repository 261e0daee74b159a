"""Goldens as people want them: bad ones leave with a person's reason, corrections go in, ids stay."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from ragset.dataset.review.records import Edit, Review, by_item, reasons_given
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import CORPUS_WIDE, UNANSWERABLE, Golden, Model, Reject, Span, Step, in_reading_order

METADATA = "review"
STAGE = "review"
_OF_QUERY = (
    "round_trip",
    "overlap",
    "closed_book",
    "hardness",
)  # labels that were measured of the query and the evidence


class Unapplied(Model):
    """What was judged and not done."""

    golden: str
    why: str


class Applied(NamedTuple):
    """The goldens after a review, in their order."""

    goldens: tuple[Golden, ...]
    rejects: tuple[Reject, ...]
    judged: int
    corrected: int
    unapplied: tuple[Unapplied, ...]


def apply_reviews(goldens: Iterable[Golden], reviews: Iterable[Review], corpus: Corpus) -> Applied:
    """Do what most people say of each golden; `reviews` are standing ones.

    Each person's vote counts once: good or bad, and of the good ones, for each field, its correction or what is there. Where no
    side has more than the other, the golden or the field stays as it is and is listed, and so is a span that is in no document.
    """
    said = by_item(reviews)
    kept: list[Golden] = []
    rejects: list[Reject] = []
    unapplied: list[Unapplied] = []
    judged = corrected = 0
    for golden in goldens:
        votes = said.get(golden.id, ())
        judged += bool(votes)
        bad = [review for review in votes if review.verdict == "bad"]
        good = [review for review in votes if review.verdict == "good"]
        if len(bad) > len(good):
            rejects.append(_reject(golden, bad))
            continue
        after, problems = golden, list[str]()
        if bad and len(bad) == len(good):
            problems = [f"{len(good)} call it good and {len(bad)} bad"]
        elif good:
            after, problems = _corrected(golden, good, corpus)
            corrected += after != golden
            verdict = {"verdict": "corrected" if after != golden else "good", "people": len(good)}
            after = after.model_copy(update={"metadata": {**after.metadata, METADATA: verdict}})
        unapplied += [Unapplied(golden=golden.id, why=why) for why in problems]
        kept.append(after)
    return Applied(tuple(kept), tuple(rejects), judged, corrected, tuple(unapplied))


def _reject(golden: Golden, bad: Sequence[Review]) -> Reject:
    """The reason that most give, and in the detail all of them with the notes."""
    reasons = reasons_given(bad)
    notes = [review.note.strip() for review in bad if review.note.strip()]
    return Reject(
        stage=STAGE,
        reason=next(iter(reasons), "bad"),
        detail="; ".join([", ".join(reason.replace("_", " ") for reason in reasons) or "bad", *notes]),
        chunks=golden.chunks,
        query=golden.query,
        answer=golden.answer or "",
    )


def _corrected(golden: Golden, good: Sequence[Review], corpus: Corpus) -> tuple[Golden, list[str]]:
    edits = [review.edit or Edit() for review in good]
    changes: dict[str, Any] = {}
    problems: list[str] = []
    for field in ("query", "answer", "evidence"):
        before = getattr(golden, field)
        wanted = _most((getattr(edit, field) for edit in edits), before)
        if wanted is None:
            problems.append(f"{field}: people want different ones, and none has most votes")
        elif wanted != before:
            changes[field] = wanted
    equivalents = _together(golden.equivalents, [edit.equivalents for edit in edits])
    if equivalents != golden.equivalents:
        changes["equivalents"] = equivalents
    if golden.kind in {UNANSWERABLE, CORPUS_WIDE} and changes.keys() - {"query"}:
        why = "has assertions in place of an answer and" if golden.assertions else "has no answer and no"
        return golden, [f"{golden.kind}: a golden of this kind {why} evidence: call it bad, or correct its query alone"]
    for span in (*changes.get("evidence", ()), *changes.get("equivalents", ())):
        try:
            if not corpus.text(span).strip():
                return golden, [f"{span.id} is white space"]
        except InputError as error:
            return golden, [str(error)]
    return _with(golden, changes, good[0].guideline), problems


def _most(wanted: Iterable[Any], before: Hashable) -> Any:
    """The value that more people want than any other; None where two have as many."""
    votes = Counter(before if value is None else _sorted(value) for value in wanted)
    (first, most), *others = [*votes.most_common(2)]
    return None if others and others[0][1] == most else first


def _together(before: tuple[Span, ...], wanted: Iterable[tuple[Span, ...] | None]) -> tuple[Span, ...]:
    """What anybody added, and nothing that anybody took away."""
    lists = [spans for spans in wanted if spans is not None]
    added = [span for spans in lists for span in spans if span not in before]
    removed = [span for spans in lists for span in before if span not in spans]
    now = tuple(span for span in dict.fromkeys((*before, *added)) if span not in removed)
    return before if now == before else in_reading_order(now)


def _sorted(value: Any) -> Any:
    return in_reading_order(value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownArgumentType]


def _with(golden: Golden, changes: dict[str, Any], guideline: str) -> Golden:
    """The golden with these fields. Scores and labels that were given to what is no longer there are gone."""
    if not changes:
        return golden
    update = dict(changes)
    if "evidence" in changes and golden.grades:
        grade_of = dict(zip(golden.evidence, golden.grades, strict=True))
        update["grades"] = tuple(grade_of.get(span, 1) for span in changes["evidence"])
    if changes.keys() - {"equivalents"}:
        update["scores"] = {}
        if changes.keys() & {"query", "evidence"}:
            update["metadata"] = {key: value for key, value in golden.metadata.items() if key not in _OF_QUERY}
        if "query" in changes:
            update["conversation"] = None  # its last question asks what the query asked before
        step = Step(stage=STAGE, kind="correct", prompt=guideline, model="people", query=changes.get("query"))
        update["lineage"] = (*golden.lineage, step)
    return golden.model_copy(update=update)
