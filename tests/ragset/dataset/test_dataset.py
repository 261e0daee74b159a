"""The public face of the package: what is written, read, replaced and refused."""

import csv
import json
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragset.dataset import (
    CorpusFacts,
    Manifest,
    Models,
    Totals,
    check_output,
    funnel_row,
    problems,
    read_dataset,
    versions,
    write_dataset,
)
from ragset.documents import Failure
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Candidate, Chunk, Document, Golden, Reject, Span, Step, Usage

TEXT = "The tower clock was built in 1386.\nIts foliot swings 🕛 slowly.\n=1+1 is no formula here."
DOCUMENT = Document.of(TEXT, source="clocks, old.txt", title="-Tower clocks")
FILES = {"corpus.jsonl", "goldens.csv", "goldens.jsonl", "manifest.json", "rejects.jsonl", "report.html"}
TRICKY = st.text(max_size=30) | st.text(st.sampled_from("=+-@'\"\t\r\n;, a🕛\u2028＝"), max_size=12)


def golden(query: str = "When was it built?", answer: str = "1386", start: int = 0, end: int = 34) -> Golden:
    chunk = Chunk(doc_id=DOCUMENT.id, start=0, end=len(TEXT), text=TEXT)
    step = Step(stage="draft", kind="open", prompt="p@1#0", model="m", query=query)
    span = Span(doc_id=DOCUMENT.id, start=start, end=end)
    made = Candidate(
        chunks=(chunk,), query=query, answer=answer, evidence=(span,), scores={"clarity": 5}, lineage=(step,)
    )
    return Golden.of(made.model_copy(update={"metadata": {"style": "open", "evolution": "none"}}))


def manifest(kept: int, **more: Any) -> Manifest:
    facts = CorpusFacts(name="clocks", hash=corpus_hash(), documents=1, characters=len(TEXT), chunks=1)
    models = Models(generator="m", critic="m", embedding="offline-512")
    return Manifest(
        wanted=kept, kept=kept, seed=0, corpus=facts, models=models, parameters={}, totals=Totals.of(()), **more
    )


def corpus_hash() -> str:
    import hashlib

    return hashlib.sha256(DOCUMENT.id.encode()).hexdigest()[:16]


def write(folder: Path, goldens: Sequence[Golden], rejects: Sequence[Reject] = (), report: str = "<p>") -> None:
    corpus = Corpus.write(folder.parent / "source.jsonl", [DOCUMENT])
    write_dataset(
        folder, goldens=goldens, rejects=rejects, corpus=corpus, manifest=manifest(len(goldens)), report=report
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_dataset_is_six_files_and_nothing_beside_them(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    write(tmp_path / "deep" / "out", [golden()])
    assert set(contents(tmp_path / "deep" / "out")) == FILES
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"out", "source.jsonl"}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    rejects = [Reject(stage="judge", reason="metadata", detail="Liste …", chunks=("d:0-5",))]
    write(tmp_path / "out", [golden(), golden("Wie schwingt die Waag?", start=35, end=60)], rejects)
    found = read_dataset(tmp_path / "out")
    assert found.goldens == (golden(), golden("Wie schwingt die Waag?", start=35, end=60))
    assert found.rejects == tuple(rejects)
    assert found.manifest == manifest(2)
    assert list(found.corpus) == [DOCUMENT]
    assert problems(found) == []


def test_goldens_make_a_frame_with_numbers_for_scores(tmp_path: Path) -> None:
    write(tmp_path / "out", [golden(), golden("Wie schwingt die Waag?", start=35, end=60)])
    frame = read_dataset(tmp_path / "out").frame()
    assert list(frame["query"]) == [golden().query, "Wie schwingt die Waag?"]
    assert frame["clarity"].mean() == 5
    write(tmp_path / "none", [])
    assert read_dataset(tmp_path / "none").frame().empty


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(TRICKY, TRICKY), max_size=4), TRICKY)
def test_any_text_goes_through_every_file(tmp_path: Path, texts: list[tuple[str, str]], detail: str) -> None:
    goldens = [golden(query, answer) for query, answer in texts]
    write(tmp_path / "out", goldens, [Reject(stage="draft", reason="x", detail=detail)])
    found = read_dataset(tmp_path / "out")
    assert [*found.goldens] == goldens
    assert found.rejects[0].detail == detail
    lines = (tmp_path / "out" / "goldens.jsonl").read_bytes().decode().split("\n")
    assert [json.loads(line)["query"] for line in lines[:-1]] == [query for query, _ in texts]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TRICKY)
def test_no_cell_of_the_table_begins_like_a_formula(tmp_path: Path, query: str) -> None:
    write(tmp_path / "out", [golden(query, query)])
    with (tmp_path / "out" / "goldens.csv").open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_the_table_says_where_the_evidence_is_from(tmp_path: Path) -> None:
    write(tmp_path / "out", [golden(start=63, end=68)])
    with (tmp_path / "out" / "goldens.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["evidence"] == f"'{TEXT[63:68]}"  # it begins like a formula
    assert row["sources"] == "clocks, old.txt"
    assert row["spans"] == f"{DOCUMENT.id}:63-68"
    assert (row["style"], row["evolution"], row["clarity"], row["relevance"]) == ("open", "none", "5", "")


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "1", [golden()])
    write(tmp_path / "2", [golden()])
    assert contents(tmp_path / "1") == contents(tmp_path / "2")


def test_no_file_tells_when_or_where_it_was_made(tmp_path: Path) -> None:
    write(tmp_path / "out", [golden()])
    text = (tmp_path / "out" / "manifest.json").read_text()
    assert str(tmp_path) not in text
    assert not {"time", "date", "seconds", "folder", "path", "host"} & set(json.loads(text))


def test_a_dataset_is_replaced_whole(tmp_path: Path) -> None:
    write(tmp_path / "out", [golden()])
    (tmp_path / "out" / "notes.txt").write_text("of the old one")
    write(tmp_path / "out", [])
    assert set(contents(tmp_path / "out")) == FILES
    assert read_dataset(tmp_path / "out").goldens == ()


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write(tmp_path / "out", [golden()])
    assert set(contents(tmp_path / "out")) == FILES


def test_a_write_that_fails_leaves_the_old_dataset_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / "out", [golden()])
    before = contents(tmp_path / "out")
    with pytest.raises(UnicodeEncodeError):
        write(tmp_path / "out", [golden(), golden("another")], report="half of a pair: \ud800")
    assert contents(tmp_path / "out") == before
    assert {path.name for path in tmp_path.iterdir()} == {"out", "source.jsonl"}


def test_a_golden_whose_document_is_gone_stops_the_write(tmp_path: Path) -> None:
    write(tmp_path / "out", [golden()])
    before = contents(tmp_path / "out")
    lost = golden().model_copy(update={"evidence": (Span(doc_id="gone", start=0, end=1),)})
    with pytest.raises(InputError, match="there is no document gone"):
        write(tmp_path / "out", [lost])
    assert contents(tmp_path / "out") == before


def test_a_reader_never_sees_half_of_a_dataset(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    corpus = Corpus.write(tmp_path / "source.jsonl", [DOCUMENT])

    def put(number: int) -> None:
        goldens = [golden(f"{number}/{place}") for place in range(number % 7)]
        mark = manifest(len(goldens)).model_copy(update={"seed": number})
        write_dataset(folder, goldens=goldens, rejects=[], corpus=corpus, manifest=mark, report=str(number))

    put(0)
    done = threading.Event()
    faults: list[str] = []
    seen: set[int] = set()

    def look() -> None:
        while not done.is_set():
            # A reader that holds the folder open reads one dataset, whatever stands at its name meanwhile.
            place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                texts = {name: read_at(place, name) for name in FILES}
            except FileNotFoundError:
                # The one it held was replaced and removed while it read: gone, and not changed.
                continue
            finally:
                os.close(place)
            seed = json.loads(texts["manifest.json"])["seed"]
            seen.add(seed)
            if texts["report.html"] != str(seed) or len(texts["goldens.jsonl"].splitlines()) != seed % 7:
                faults.append(f"{seed}")

    readers = [threading.Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(1, 51):
        put(number)
    done.set()
    for reader in readers:
        reader.join()
    assert faults == []
    assert seen
    assert read_dataset(folder).manifest.seed == 50


def read_at(place: int, name: str) -> str:
    with os.fdopen(os.open(name, os.O_RDONLY, dir_fd=place), encoding="utf-8") as file:
        return file.read()


def of_somebody_else(folder: Path) -> None:
    folder.mkdir()
    (folder / "thesis.docx").write_text("years of work")


def a_file(folder: Path) -> None:
    folder.write_text("years of work")


@pytest.mark.parametrize(
    ("occupy", "words"), [(of_somebody_else, "holds something else than a dataset"), (a_file, "is a file")]
)
def test_what_is_somebody_elses_is_refused_and_left_alone(
    tmp_path: Path, occupy: Callable[[Path], None], words: str
) -> None:
    folder = tmp_path / "out"
    occupy(folder)
    for refused in (lambda: check_output(folder), lambda: write(folder, [golden()])):
        with pytest.raises(InputError, match=words):
            refused()
    kept = folder if folder.is_file() else folder / "thesis.docx"
    assert kept.read_text() == "years of work"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_that_cannot_be_written_is_refused_beforehand(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    with pytest.raises(InputError, match="cannot be written"):
        check_output(locked / "out")


def test_a_place_below_a_file_is_refused_beforehand(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="file"):
        check_output(tmp_path / "file" / "out")


def test_a_folder_that_is_no_dataset_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is no dataset, there is no manifest\.json in it"):
        read_dataset(tmp_path)
    with pytest.raises(InputError, match="is no dataset"):
        read_dataset(tmp_path / "gone")


@pytest.mark.parametrize("name", ["goldens.jsonl", "rejects.jsonl", "corpus.jsonl"])
@pytest.mark.parametrize("bad", [b"{\n", b'{"stage": 1}\n', b"\xff\n"])
def test_a_damaged_line_is_named_with_its_file(tmp_path: Path, name: str, bad: bytes) -> None:
    write(tmp_path / "out", [golden()], [Reject(stage="draft", reason="x")])
    with (tmp_path / "out" / name).open("ab") as file:
        file.write(bad)
    with pytest.raises(InputError, match=f"{name}: line 2"):
        read_dataset(tmp_path / "out")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 1}', '{"format": 99}', '"x"'])
def test_a_damaged_or_newer_manifest_is_named(tmp_path: Path, text: str) -> None:
    write(tmp_path / "out", [golden()])
    (tmp_path / "out" / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json: (is damaged|has format)"):
        read_dataset(tmp_path / "out")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    write(tmp_path / "out", [golden()])
    (tmp_path / "out" / "rejects.jsonl").unlink()
    with pytest.raises(InputError, match=r"rejects\.jsonl: cannot be read"):
        read_dataset(tmp_path / "out")


def test_what_does_not_hold_together_is_told(tmp_path: Path) -> None:
    far = golden().model_copy(update={"id": "g-far", "evidence": (Span(doc_id=DOCUMENT.id, start=0, end=9_999),)})
    bare = golden().model_copy(update={"id": "g-bare", "evidence": ()})
    write(tmp_path / "out", [golden(), golden()])
    with (tmp_path / "out" / "goldens.jsonl").open("a") as file:
        file.writelines(f"{one.model_dump_json()}\n" for one in (far, bare))
    found = problems(read_dataset(tmp_path / "out"))
    assert len(found) == 3
    for start, words in (("g-", "is there"), ("g-far", "ends before"), ("g-bare", "no evidence")):
        assert any(line.startswith(start) and words in line for line in found), (start, found)


def test_a_row_of_the_funnel_counts_reasons_the_most_frequent_first() -> None:
    rejects = [Reject(stage=stage, reason=reason) for stage, reason in [("a", "x"), ("a", "y"), ("a", "y"), ("b", "z")]]
    row = funnel_row("a", 10, 4, rejects, unasked=3, nothing=0)
    assert (row.entered, row.left) == (10, 4)
    assert list(row.rejected.items()) == [("unasked", 3), ("y", 2), ("x", 1)]


def test_totals_are_sums_and_an_unknown_price_makes_the_cost_unknown() -> None:
    rows = [
        Usage(stage="s", prompt="p", model="m", calls=2, prompt_tokens=30, completion_tokens=4, cost=0.5),
        Usage(stage="t", prompt="p", model="m", calls=1, prompt_tokens=10, completion_tokens=1, cost=0.25),
    ]
    assert Totals.of(rows) == Totals(calls=3, prompt_tokens=40, completion_tokens=5, cost=0.75)
    assert Totals.of([*rows, rows[0].model_copy(update={"cost": None})]).cost is None


def test_versions_are_of_what_can_change_a_dataset() -> None:
    assert {"ragset", "python", "numpy", "pymilvus"} <= set(versions())


def test_unread_documents_are_in_the_manifest() -> None:
    assert manifest(0, unread=(Failure(source="a.pdf", reason="encrypted"),)).unread[0].source == "a.pdf"
