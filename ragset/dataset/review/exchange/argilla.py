"""Argilla 2: records with suggestions, and the responses that people give to them.

Argilla's page counts UTF-16 units and its server code points. The text is shown without characters that the two count differently.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from ragset.dataset.review.exchange.excerpts import TEXTS, Excerpt, Marks, Said
from ragset.dataset.review.guidelines import Guideline
from ragset.models import Golden

NAME = "Argilla"
_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")
_MARKS = {"evidence": "Evidence", "equivalent": "Also answered here"}
_NONE = "(the documents hold no answer)"


def settings_of(guideline: Guideline) -> dict[str, Any]:
    """Fields, questions and guidelines of an Argilla dataset, as `Settings.from_json` reads them."""

    def question(name: str, title: str, kind: str, *, required: bool = False, **more: Any) -> dict[str, Any]:
        return {"name": name, "title": title, "type": kind, "required": required, "settings": {"type": kind, **more}}

    def options(of: dict[str, str]) -> list[dict[str, str]]:
        return [{"value": code, "text": text} for code, text in of.items()]

    fields = {"question": "Question", "expected": "Answer", "text": "Documents"}
    verdicts = {"good": "Good", "bad": "Bad"}
    return {
        "guidelines": f"# {guideline.title}\n\n{guideline.text}",
        "fields": [
            {"name": name, "title": title, "required": True, "settings": {"type": "text", "use_markdown": False}}
            for name, title in fields.items()
        ],
        "questions": [
            question("verdict", guideline.title, "label_selection", required=True, options=options(verdicts)),
            question("reasons", "Reasons", "multi_label_selection", options=options(guideline.reasons)),
            question(
                "marks", "What answers it", "span", field="text", allow_overlapping=False, options=options(_MARKS)
            ),
            *(question(name, title, "text", use_markdown=False) for name, title in TEXTS.items()),
        ],
        "metadata": [
            {"name": "guideline", "title": "Guideline", "settings": {"type": "terms"}, "visible_for_annotators": False}
        ],
        "vectors": [],
        "allow_extra_metadata": False,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
    }


def record_of(golden: Golden, excerpt: Excerpt, guideline: Guideline) -> dict[str, Any]:
    """A record; its suggestions mark the evidence and fill the boxes, and say nothing of how good the golden is."""
    spans = [{"label": code, "start": start, "end": end} for code, start, end in excerpt.marked(golden)]
    suggested = {"marks": spans, "query": golden.query, "answer": golden.answer}
    return {
        "id": golden.id,
        "fields": {"question": golden.query, "expected": golden.answer or _NONE, "text": shown(excerpt)},
        "metadata": {"guideline": guideline.key},
        "suggestions": {name: {"value": value, "agent": "ragset"} for name, value in suggested.items() if value},
        "responses": {},
        "vectors": {},
    }


def shown(excerpt: Excerpt) -> str:
    """The text with a box for each character that is two UTF-16 units."""
    return _TWO_UNITS.sub("\u25af", excerpt.text)


def recognises(record: dict[str, Any]) -> bool:
    """Whether it is a record as `dataset.records.to_json` writes it."""
    return isinstance(record.get("fields"), dict) and isinstance(record.get("responses"), dict)


def said(records: Iterable[dict[str, Any]]) -> Iterator[Said]:
    """What each person said of each record; responses without a verdict are drafts."""
    for record in records:
        by_person: dict[str, dict[str, Any]] = defaultdict(dict)
        for question, responses in record["responses"].items():
            for response in responses:
                if response.get("status") in (None, "submitted", "discarded"):
                    by_person[str(response["user_id"])][question] = response.get("value")
        metadata: dict[str, Any] = record.get("metadata") or {}
        for person, given in by_person.items():
            if given.get("verdict"):
                yield _said(record, str(metadata.get("guideline", "")), person, given)


def _said(record: dict[str, Any], guideline: str, person: str, given: dict[str, Any]) -> Said:
    marks: list[dict[str, Any]] | None = given.get("marks")
    return Said(
        item=str(record.get("id", "")),
        reviewer=person,
        guideline=guideline,
        verdict=given["verdict"],
        reasons=tuple(given.get("reasons") or ()),
        text=str(record["fields"].get("text", "")),
        evidence=_ranges(marks, "evidence"),
        equivalents=_ranges(marks, "equivalent"),
        **{name: str(given.get(name) or "") for name in TEXTS},
    )


def _ranges(marks: list[dict[str, Any]] | None, code: str) -> Marks | None:
    if marks is None:
        return None
    return tuple((int(mark["start"]), int(mark["end"])) for mark in marks if mark.get("label") == code)
