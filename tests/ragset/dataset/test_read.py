import json
import threading
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset import edited, problems, read_dataset
from ragset.errors import InputError
from ragset.models import Span
from tests.small_dataset import TEA, corpus_of, golden_of, reject_of, write_small


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_small(tmp_path / "out", corpus_of(tmp_path), [golden_of()], [reject_of()])
    return tmp_path / "out"


def change_manifest(folder: Path, **changes: Any) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_damaged_line_is_named_with_its_field_and_not_quoted(folder: Path) -> None:
    bad = golden_of().model_dump(mode="json")
    bad["evidence"][0]["start"] = "secret"
    with (folder / "goldens.jsonl").open("a") as file:
        file.write("\n" + json.dumps(bad) + "\n")
    with pytest.raises(InputError, match=r"goldens\.jsonl: line 3 is not a golden \(evidence\.0\.start: ") as raised:
        read_dataset(folder)
    assert "secret" not in str(raised.value)


def test_a_line_that_is_cut_off_is_named(folder: Path) -> None:
    path = folder / "rejects.jsonl"
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(InputError, match=r"rejects\.jsonl: line 1 is not a reject \(Invalid JSON"):
        read_dataset(folder)


def test_an_unknown_field_is_refused(folder: Path) -> None:
    with (folder / "rejects.jsonl").open("a") as file:
        file.write(json.dumps({**reject_of().model_dump(mode="json"), "colour": "red"}) + "\n")
    with pytest.raises(InputError, match=r"line 2 is not a reject \(colour: "):
        read_dataset(folder)


def test_a_format_of_tomorrow_asks_for_a_newer_ragset(folder: Path) -> None:
    change_manifest(folder, format=2)
    with pytest.raises(InputError, match="has format 2, and this ragset reads 1; update ragset"):
        read_dataset(folder)


def test_a_damaged_manifest_is_named_with_its_field(folder: Path) -> None:
    change_manifest(folder, kept="many")
    with pytest.raises(InputError, match=r"manifest\.json: is damaged \(kept: "):
        read_dataset(folder)
    (folder / "manifest.json").write_text("{")
    with pytest.raises(InputError, match=r"manifest\.json: is damaged \("):
        read_dataset(folder)


def test_a_sound_dataset_has_no_problems(folder: Path) -> None:
    assert problems(read_dataset(folder)) == []


def test_evidence_outside_its_document_is_a_problem(tmp_path: Path) -> None:
    # the text has 61 characters
    outside = golden_of().model_copy(
        update={"evidence": (golden_of(evidence=((50, 61),)).evidence[0].model_copy(update={"end": 62}),)}
    )
    corpus = corpus_of(tmp_path)
    sound = golden_of("What is steeped?")
    write_small(tmp_path / "out", corpus, [sound])
    (tmp_path / "out" / "goldens.jsonl").write_text(outside.model_dump_json() + "\n")
    [problem] = problems(read_dataset(tmp_path / "out"))
    assert f"document {TEA.id} ends before" in problem


def test_a_golden_that_is_there_twice_is_a_problem(tmp_path: Path) -> None:
    write_small(tmp_path / "out", corpus_of(tmp_path), [golden_of(), golden_of()])
    assert problems(read_dataset(tmp_path / "out")) == [f"{golden_of().id}: is there 2 times"]


def test_goldens_taken_out_by_hand_are_no_problem_and_are_told(folder: Path) -> None:
    assert edited(read_dataset(folder)) == ""
    change_manifest(folder, kept=7)
    dataset = read_dataset(folder)
    assert problems(dataset) == []
    assert edited(dataset) == "goldens.jsonl holds 1 goldens, and the run made 7: the file counts."


def test_a_document_that_was_changed_afterwards_is_a_problem(folder: Path) -> None:
    path = folder / "corpus.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("bitter", "sweet!"), encoding="utf-8")
    [problem] = problems(read_dataset(folder))
    assert f"document {TEA.id} was changed" in problem


def test_other_documents_than_the_run_had_are_a_problem(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    change_manifest(folder, corpus={**manifest["corpus"], "hash": "0" * 16})
    [problem] = problems(read_dataset(folder))
    assert "other documents than the run had" in problem


def test_an_answer_without_evidence_is_a_problem(tmp_path: Path) -> None:
    bare = golden_of().model_copy(update={"evidence": ()})
    write_small(tmp_path / "out", corpus_of(tmp_path), [bare])
    assert problems(read_dataset(tmp_path / "out")) == [f"{bare.id}: has an answer and no evidence"]


def test_a_reader_meets_the_old_dataset_or_the_new_one(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    versions = [([golden_of()], []), ([golden_of(), golden_of("What is steeped?")], [reject_of()] * 50)]
    write_small(tmp_path / "out", corpus, *versions[0])
    done = threading.Event()

    def write() -> None:
        for number in range(40):
            write_small(tmp_path / "out", corpus, *versions[number % 2])
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen: set[tuple[int, int, int]] = set()
    while not done.is_set():
        dataset = read_dataset(tmp_path / "out")
        seen.add((len(dataset.goldens), len(dataset.rejects), dataset.manifest.kept))
    writer.join()
    assert seen <= {(1, 0, 1), (2, 50, 2)}


def test_an_equivalent_outside_its_document_is_a_problem(tmp_path: Path) -> None:
    corpus, sound = corpus_of(tmp_path), golden_of()
    write_small(tmp_path / "out", corpus, [sound])
    outside = sound.model_copy(update={"equivalents": (Span(doc_id=TEA.id, start=50, end=62),)})
    (tmp_path / "out" / "goldens.jsonl").write_text(outside.model_dump_json() + "\n")
    [problem] = problems(read_dataset(tmp_path / "out"))
    assert f"document {TEA.id} ends before" in problem


def test_an_unanswerable_golden_with_evidence_is_a_problem(tmp_path: Path) -> None:
    nobody = golden_of().model_copy(update={"answer": None, "kind": "unanswerable"})
    sound = nobody.model_copy(update={"id": "g-sound", "evidence": ()})
    write_small(tmp_path / "out", corpus_of(tmp_path), [nobody, sound])
    found = problems(read_dataset(tmp_path / "out"))
    assert found == [f"{nobody.id}: is called unanswerable, and has an answer or evidence"]
