"""Label Studio: tasks with predictions, and the annotations that people make of them.

Offsets are code points, as Label Studio has stored them since 2022; older versions stored UTF-16 units, which the marked text tells.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from ragset.dataset.review.exchange.excerpts import TEXTS, Excerpt, Marks, Said
from ragset.dataset.review.guidelines import Guideline
from ragset.errors import InputError
from ragset.models import Golden

NAME = "Label Studio"
_MARKS = {"evidence": "green", "equivalent": "blue"}  # with the colour of each


def labels_of(guideline: Guideline) -> str:
    """The labelling configuration of a project."""

    def choices(name: str, of: dict[str, str], how: str) -> str:
        shown = "".join(f"<Choice value={quoteattr(text)} alias={quoteattr(code)}/>" for code, text in of.items())
        return f'  <Choices name="{name}" toName="text" {how}>{shown}</Choices>'

    marks = "".join(f'<Label value="{code}" background="{colour}"/>' for code, colour in _MARKS.items())
    boxes = [
        f'  <Header value={quoteattr(shown)}/>\n  <TextArea name="{name}" toName="text" maxSubmissions="1" editable="true"/>'
        for name, shown in TEXTS.items()
    ]
    lines = [
        "<View>",
        f"  <Header value={quoteattr(guideline.title)}/>",
        '  <Header value="$query"/>',
        '  <Text name="answer_shown" value="$answer"/>',
        f'  <Labels name="marks" toName="text">{marks}</Labels>',
        '  <Text name="text" value="$text" granularity="character"/>',
        choices("verdict", {"good": "Good", "bad": "Bad"}, 'choice="single" required="true"'),
        choices("reasons", guideline.reasons, 'choice="multiple"'),
        *boxes,
        "</View>",
    ]
    return "\n".join(lines) + "\n"


def task_of(golden: Golden, excerpt: Excerpt, guideline: Guideline) -> dict[str, Any]:
    """A task; its prediction marks the evidence and fills the boxes, and says nothing of how good the golden is."""
    result = [
        _region("marks", "labels", start=start, end=end, text=excerpt.text[start:end], labels=[code])
        for code, start, end in excerpt.marked(golden)
    ]
    texts = {"query": golden.query, "answer": golden.answer}
    result += [_region(name, "textarea", text=[text]) for name, text in texts.items() if text]
    data = {"golden": golden.id, "guideline": guideline.key, "query": golden.query}
    return {
        "data": {**data, "answer": golden.answer or "", "text": excerpt.text},
        "predictions": [{"model_version": "ragset", "result": result}],
    }


def _region(name: str, kind: str, **value: Any) -> dict[str, Any]:
    id_ = f"{name}-{value.get('labels', [''])[0]}-{value.get('start', 0)}"
    return {"id": id_, "from_name": name, "to_name": "text", "type": kind, "value": value}


def shown(excerpt: Excerpt) -> str:
    """The text as people see it."""
    return excerpt.text


def recognises(record: dict[str, Any]) -> bool:
    """Whether it is a task with annotations, as the export "JSON" has it."""
    return isinstance(record.get("data"), dict) and isinstance(record.get("annotations"), list)


def said(tasks: Iterable[dict[str, Any]]) -> Iterator[Said]:
    """What each person said of each task."""
    for task in tasks:
        data: dict[str, Any] = task["data"]
        for annotation in task["annotations"]:
            yield _said(data, annotation)


def _said(data: dict[str, Any], annotation: dict[str, Any]) -> Said:
    values: dict[str, list[dict[str, Any]]] = {}
    for region in annotation.get("result") or ():
        if isinstance(region.get("value"), dict):
            values.setdefault(str(region.get("from_name")), []).append(region["value"])
    chosen = {
        name: [str(one) for value in values.get(name, ()) for one in value.get("choices", ())]
        for name in ("verdict", "reasons")
    }
    boxes = {name: _typed(values.get(name, ())) for name in TEXTS}
    verdict: Any = next(iter(chosen["verdict"]), None) if not annotation.get("was_cancelled") else None
    text, marks = str(data.get("text", "")), values.get("marks", ())
    return Said(
        item=str(data.get("golden", "")),
        reviewer=_person(annotation.get("completed_by")),
        guideline=str(data.get("guideline", "")),
        verdict=verdict,
        reasons=tuple(chosen["reasons"]),
        text=text,
        evidence=_ranges(marks, "evidence", text) if verdict else None,
        equivalents=_ranges(marks, "equivalent", text) if verdict else None,
        **boxes,
    )


def _person(completed_by: Any) -> str:
    """The address of a person where the export has it, or else the number."""
    if isinstance(completed_by, dict):
        known: dict[str, Any] = completed_by
        completed_by = known.get("email") or known.get("id")
    return f"Label Studio {completed_by}" if isinstance(completed_by, int) else str(completed_by or "Label Studio")


def _typed(values: Sequence[dict[str, Any]]) -> str:
    lines = [value.get("text", "") for value in values]
    return "\n".join(str(one) for line in lines for one in (line if isinstance(line, list) else [line]))


def _ranges(marks: Sequence[dict[str, Any]], code: str, text: str) -> Marks:
    return tuple(_range(mark, text) for mark in marks if code in mark.get("labels", ()))


def _range(mark: dict[str, Any], text: str) -> tuple[int, int]:
    start, end, marked = int(mark["start"]), int(mark["end"]), mark.get("text")
    if marked in (None, text[start:end]):
        return start, end
    units = text.encode("utf-16-le")
    start, end = (len(units[: 2 * at].decode("utf-16-le", "ignore")) for at in (start, end))
    if text[start:end] != marked:
        raise InputError("the text that was marked is not where the mark is")
    return start, end
