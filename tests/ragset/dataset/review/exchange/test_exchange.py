"""Goldens that go to another tool and come back with what people said: offsets, corrections, and what cannot be taken."""

import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.dataset import read_dataset
from ragset.dataset.exporters import ExportSet, export
from ragset.dataset.review.exchange.excerpts import AROUND, Excerpt
from ragset.dataset.review.exchange.importing import Imported, import_reviews
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.guidelines import load_guideline
from ragset.dataset.review.order import queue, read_plan
from ragset.dataset.review.records import Edit, Review
from ragset.models import Document, Span
from tests.export_sample import MILK, SAMPLE, write_sample
from tests.small_dataset import TEA, golden_of

GUIDELINE = load_guideline("golden")
TOOLS = ("argilla", "label-studio")
FILES = {"argilla": "records.json", "label-studio": "tasks.json"}
ADA = str(uuid.UUID(int=1))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_sample(tmp_path)


def exported(folder: Path, tool: str) -> tuple[Path, list[dict[str, Any]]]:
    out = folder.with_name(tool)
    export(ExportSet.read(folder), tool, str(out))
    return out / FILES[tool], json.loads((out / FILES[tool]).read_text(encoding="utf-8"))


def answered(tool: str, record: dict[str, Any], verdict: str, **changes: Any) -> None:
    """What a person leaves behind who takes over all suggestions but those in `changes`."""
    if tool == "argilla":
        values = {name: one["value"] for name, one in record["suggestions"].items()}
        given = {**values, "verdict": verdict, **changes}
        record["responses"] = {name: [{"value": value, "user_id": ADA}] for name, value in given.items()}
        return
    result = [one for one in record["predictions"][0]["result"] if one["from_name"] not in changes]
    for name, value in {"verdict": verdict, **changes}.items():
        if name == "marks":
            text = record["data"]["text"]
            for one in value:
                place = {"start": one["start"], "end": one["end"], "text": text[one["start"] : one["end"]]}
                result.append({"from_name": name, "value": {**place, "labels": [one["label"]]}})
        else:
            key = "choices" if name in {"verdict", "reasons"} else "text"
            result.append({"from_name": name, "value": {key: value if isinstance(value, list) else [value]}})
    record["annotations"] = [{"completed_by": {"id": 1, "email": "ada@example.org"}, "result": result}]


def brought_back(folder: Path, file: Path, records: list[dict[str, Any]]) -> tuple[Imported, list[Review]]:
    for record in records:
        record.setdefault("annotations", [])
    file.write_text(json.dumps(records), encoding="utf-8")
    return import_reviews(folder, file, GUIDELINE), [*ReviewFile(folder).read().lines]


def id_of(record: dict[str, Any]) -> str:
    return record.get("id") or record["data"]["golden"]


@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_taken_over_as_it_was_shown_is_a_verdict_without_a_correction(folder: Path, tool: str) -> None:
    file, records = exported(folder, tool)
    plan = read_plan(folder)
    ids = [turn.item for turn in queue((golden.id for golden in SAMPLE), plan)]
    assert sorted(map(id_of, records)) == sorted(ids)  # all are of the random sample here, so:
    assert [*map(id_of, records)] == ids
    for record in records:
        answered(tool, record, "good")
    done, lines = brought_back(folder, file, records)
    assert (done.added, done.known, done.problems) == (len(SAMPLE), 0, ())
    assert {line.item: (line.verdict, line.edit) for line in lines} == {golden.id: ("good", None) for golden in SAMPLE}
    assert {line.reviewer for line in lines} == {ADA if tool == "argilla" else "ada@example.org"}
    again, lines = brought_back(folder, file, records)
    assert (again.added, again.known, len(lines)) == (0, len(SAMPLE), len(SAMPLE))


@pytest.mark.parametrize("tool", TOOLS)
def test_a_correction_comes_back_and_its_marks_are_where_they_were_put(folder: Path, tool: str) -> None:
    file, records = exported(folder, tool)
    by_id = {id_of(record): record for record in records}
    milk, two, first = SAMPLE[2], SAMPLE[1], SAMPLE[0]
    shown = Excerpt.of(milk, read_dataset(folder).corpus)
    after = shown.text.index("at 100")  # behind the glass of milk, which is two UTF-16 units
    answered(
        tool, by_id[milk.id], "good", marks=[{"label": "evidence", "start": after, "end": after + 6}], answer="Yes"
    )
    answered(tool, by_id[two.id], "bad", reasons=["trivial", "other"], note="Really?")
    answered(tool, by_id[first.id], "good", query="How hot may green tea be at most?")
    done, lines = brought_back(folder, file, records)
    assert (done.added, done.problems) == (3, ())
    said = {line.item: line for line in lines}
    start = MILK.text.index("at 100")
    assert said[milk.id].edit == Edit(evidence=(Span(doc_id=MILK.id, start=start, end=start + 6),), answer="Yes")
    assert (said[two.id].verdict, said[two.id].reasons, said[two.id].note) == ("bad", ("trivial", "other"), "Really?")
    assert said[first.id].edit == Edit(query="How hot may green tea be at most?")
    answered(tool, by_id[first.id], "bad")
    done, lines = brought_back(folder, file, records)
    assert (done.added, done.known) == (1, 2)
    assert lines[-1].verdict == "bad"


@pytest.mark.parametrize("tool", TOOLS)
def test_what_cannot_be_taken_is_named_and_the_rest_is(folder: Path, tool: str) -> None:
    file, records = exported(folder, tool)
    for record in records:
        answered(tool, record, "good")
    texts = [record["fields"] if tool == "argilla" else record["data"] for record in records]
    about = [record["metadata"] if tool == "argilla" else record["data"] for record in records]
    length = len(texts[0]["text"])
    answered(tool, records[0], "good", marks=[{"label": "evidence", "start": 0, "end": length}])
    about[1]["guideline"] = "golden@7"
    answered(tool, records[2], "bad", reasons=["boring"])
    if tool == "argilla":
        records[3]["id"] = "g-unknown"
    else:
        records[3]["data"]["golden"] = "g-unknown"
    done, lines = brought_back(folder, file, records)
    assert [line.item for line in lines] == [id_of(records[4])]
    assert done.added == 1
    told = " ".join(done.problems)
    for why in ("beyond one passage", "judged by golden@7", "no reason boring", "no such golden"):
        assert why in told


def test_a_mark_of_an_older_label_studio_is_found_by_its_text(folder: Path) -> None:
    file, records = exported(folder, "label-studio")
    (record,) = [record for record in records if id_of(record) == SAMPLE[2].id]
    answered("label-studio", record, "good")
    text = record["data"]["text"]
    units = len(text[: text.index("at 100")].encode("utf-16-le")) // 2
    mark = {"start": units, "end": units + 6, "text": "at 100", "labels": ["evidence"]}
    result = record["annotations"][0]["result"]
    result[:] = [one for one in result if one["from_name"] != "marks"] + [{"from_name": "marks", "value": mark}]
    _, (line,) = brought_back(folder, file, [record])
    start = MILK.text.index("at 100")
    assert line.edit == Edit(evidence=(Span(doc_id=MILK.id, start=start, end=start + 6),))


def test_a_skip_is_one_and_a_draft_is_nothing(folder: Path) -> None:
    file, records = exported(folder, "label-studio")
    records[0]["annotations"] = [{"completed_by": 7, "was_cancelled": True, "result": []}]
    done, (line,) = brought_back(folder, file, records)
    assert (done.added, line.verdict, line.reviewer) == (1, None, "Label Studio 7")
    file, records = exported(folder, "argilla")
    records[0]["responses"] = {"verdict": [{"value": "good", "user_id": ADA, "status": "draft"}]}
    done, _ = brought_back(folder, file, records)
    assert done.added == 0


def test_nothing_tells_what_the_critic_thinks(folder: Path) -> None:
    for tool in TOOLS:
        _, records = exported(folder, tool)
        said = json.dumps(records)
        assert '"scores"' not in said
        assert "hardness" not in said
        assert "groundedness" not in said


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_each_place_of_an_excerpt_is_known_in_both_directions(data: st.DataObject) -> None:
    filler = "x" * (3 * AROUND)
    document = Document.of(f"A 🥛 b. {filler} C é̂ d 🫖. {filler} The end.", source="a.md", title="A")
    ends = st.integers(0, len(document.text))
    pairs = [sorted((data.draw(ends), data.draw(ends))) for _ in range(data.draw(st.integers(1, 3)))]
    spans = tuple(Span(doc_id=document.id, start=a, end=b) for a, b in pairs if a < b)
    golden = golden_of(document=document).model_copy(update={"evidence": spans, "grades": ()})

    class Given(dict[str, Document]):
        pass

    excerpt = Excerpt.of(golden, Given({document.id: document, TEA.id: TEA}))  # pyright: ignore[reportArgumentType]
    for span in spans:
        start, end = excerpt.place(span)
        assert excerpt.text[start:end] == document.text[span.start : span.end]
        assert excerpt.span(start, end) == span
    assert excerpt.span(0, len(excerpt.text)) is None  # the title is in no document
