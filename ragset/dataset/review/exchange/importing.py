"""Judgements made with another tool, added to `reviews.jsonl`."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ragset.dataset.importers.files import read_json
from ragset.dataset.read import read_dataset
from ragset.dataset.review.exchange import argilla, label_studio
from ragset.dataset.review.exchange.excerpts import Excerpt, Said
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.guidelines import Guideline
from ragset.dataset.review.records import Edit, Review, standing
from ragset.documents.cleaning import clean_text
from ragset.documents.corpus import Corpus
from ragset.errors import InputError, problems_of
from ragset.models import Golden, Model, Span, in_reading_order

_TOOLS = (argilla, label_studio)


class Imported(Model):
    """What became of a file of judgements."""

    tool: str
    added: int
    known: int  # in `reviews.jsonl` already
    problems: tuple[str, ...]  # what could not be added, and why


def import_reviews(folder: Path, file: Path, guideline: Guideline) -> Imported:
    """Add the judgements in a file that Argilla or Label Studio wrote to those of the dataset. Importing it twice adds nothing.

    Raises:
        InputError: the file is of no tool that is known, or was made under another version of the guideline.
    """
    dataset = read_dataset(folder)
    goldens = {golden.id: golden for golden in dataset.goldens}
    records = _records(file)
    tool = next((one for one in _TOOLS if records and all(map(one.recognises, records))), None)
    if tool is None:
        raise InputError(
            f"{file}: is neither what Argilla nor what Label Studio exports as JSON; see docs/reviewing.md"
        )
    reviews = ReviewFile(folder)
    standing_of = {(one.reviewer, one.item): one for one in standing(reviews.read().lines, "golden", guideline.key)}
    new: list[Review] = []
    known, problems = 0, list[str]()
    for said in tool.said(records):
        try:
            review = _review(said, goldens.get(said.item), dataset.corpus, guideline, tool.shown)
        except InputError as error:
            problems.append(f"{said.item}, {said.reviewer}: {error}")
            continue
        before = standing_of.get((review.reviewer, review.item))
        if before and _content(before) == _content(review):
            known += 1
        else:
            new.append(review)
    added = reviews.append(*new)
    return Imported(tool=tool.NAME, added=added, known=known, problems=tuple(problems))


def _records(file: Path) -> list[dict[str, Any]]:
    read = read_json(file)
    if not isinstance(read, list) or not all(isinstance(one, dict) for one in read):
        raise InputError(f"{file}: is no list of records")
    return read


def _review(
    said: Said, golden: Golden | None, corpus: Corpus, guideline: Guideline, shown: Callable[[Excerpt], str]
) -> Review:
    if golden is None:
        raise InputError("the dataset has no such golden; import into the version that was exported")
    if said.guideline != guideline.key:
        raise InputError(f"was judged by {said.guideline}, and {guideline.key} is the guideline now")
    if unknown := [reason for reason in said.reasons if reason not in guideline.reasons]:
        raise InputError(f"{guideline.key} has no reason {', '.join(unknown)}")
    edit: dict[str, Any] = {}
    for field, text in (("query", said.query), ("answer", said.answer)):
        before = getattr(golden, field)
        if (cleaned := clean_text(text)) and before is not None and cleaned != clean_text(before):
            edit[field] = cleaned
    excerpt = Excerpt.of(golden, corpus)
    for field, marks in (("evidence", said.evidence), ("equivalents", said.equivalents)):
        spans = () if marks is None else _spans(marks, excerpt)
        # Without any mark there is no evidence to put in; such a golden can only be called bad.
        if marks is not None and set(spans) != set(getattr(golden, field)) and (spans or field == "equivalents"):
            if said.text != shown(excerpt):
                raise InputError("was marked in another text than the documents have now")
            edit[field] = spans
    told = {"verdict": said.verdict, "reasons": said.reasons, "note": said.note}
    try:
        return Review.of(said.reviewer, said.item, "golden", guideline.key, edit=Edit(**edit) if edit else None, **told)
    except ValidationError as error:
        raise InputError(problems_of(error)) from None


def _spans(marks: Iterable[tuple[int, int]], excerpt: Excerpt) -> tuple[Span, ...]:
    found = [excerpt.span(*mark) for mark in marks]
    if None in found:
        raise InputError("a mark goes beyond one passage")
    return in_reading_order(dict.fromkeys(span for span in found if span))


def _content(review: Review) -> object:
    return review.verdict, review.reasons, review.note, review.edit
