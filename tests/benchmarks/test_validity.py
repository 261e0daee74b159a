import json
import sys
from pathlib import Path

import pytest

from benchmarks import validity
from ragset.dataset.importers import read_goldens
from ragset.documents import read_documents
from ragset.errors import InputError
from ragset.settings import ChunkingSettings, DocumentSettings
from tests.small_dataset import corpus_of, golden_of, write_small

TEAS = ("Green", "Black", "White", "Red")


@pytest.fixture
def human(tmp_path: Path) -> Path:
    """Eight questions over four articles of two paragraphs, in SQuAD's format."""
    articles = []
    for number, tea in enumerate(TEAS):
        texts = [
            f"{tea} tea is steeped for {number + 2} minutes. It is drunk from a bowl.",
            f"A crate of {tea.lower()} tea weighs {number + 20} kilograms. Ships carry it.",
        ]
        asked = (("How long is {} tea steeped?", "minutes"), ("What does a crate of {} tea weigh?", "kilograms"))
        paragraphs = [
            {
                "context": text,
                "qas": [
                    {
                        "question": query.format(tea.lower()),
                        "answers": [{"text": unit, "answer_start": text.index(unit)}],
                    }
                ],
            }
            for text, (query, unit) in zip(texts, asked, strict=True)
        ]
        articles.append({"title": f"{tea}_tea", "paragraphs": paragraphs})
    path = tmp_path / "human.json"
    path.write_text(json.dumps({"data": articles}))
    return path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["validity", *map(str, arguments)])
    validity.main()


def test_documents_are_written_so_that_they_read_back_with_the_same_ids(
    human: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(monkeypatch, human, "--documents", tmp_path / "documents")
    read = read_documents(DocumentSettings(sources=(str(tmp_path / "documents"),))).documents
    assert [one.id for one in read] == [one.id for one in read_goldens(human).documents]
    with pytest.raises(SystemExit, match="is not empty"):
        run(monkeypatch, human, "--documents", tmp_path / "documents")


def test_a_dataset_is_compared_with_the_questions_of_people(
    human: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(validity, "PANEL", (ChunkingSettings(size=8), ChunkingSettings(size=32)))
    documents = read_goldens(human).documents
    made = [
        golden_of(f"How long is tea {number} steeped?", "Minutes.", document=document, evidence=((0, 30),))
        for number, document in enumerate(documents)
    ]
    write_small(tmp_path / "made", corpus_of(tmp_path, *documents), made)
    run(monkeypatch, human, tmp_path / "made", "--sample", 4, "--out", tmp_path / "out")
    found = json.loads((tmp_path / "out" / "validity.json").read_text())
    # two chunkings, each with dense, BM25 and hybrid search
    assert len(found["configurations"]) == 6
    assert found["goldens"] == {"people": 8, "made": 4, "4 of people": 4}
    assert [(one["one"], one["metric"]) for one in found["agreement"]] == [
        (name, metric) for name in ("made", "4 of people") for metric in validity.METRICS
    ]
    # of 8 questions 4 are drawn against 4; of the 4 that the sample leaves, 2 against 2
    assert [one["ceiling_goldens"] for one in found["agreement"]] == [4] * 3 + [2] * 3
    assert found["discrimination"]["made"]["pairs"] == 15
    # chunks of 8 tokens cut sentences of about ten, chunks of 32 hold a paragraph
    rates = {(name, one["chunking"]): one["cut"] for name, of in found["cut_rates"].items() for one in of}
    assert rates["made", "recursive-8-0-tokens"] > rates["made", "recursive-32-0-tokens"] == 0
    text = (tmp_path / "out" / "validity.md").read_text()
    assert capsys.readouterr().out == text + "\n"
    assert "| made | recall@512tokens |" in text


def test_a_dataset_over_other_documents_is_refused(human: Path, tmp_path: Path) -> None:
    write_small(tmp_path / "made", corpus_of(tmp_path), [golden_of()])
    with pytest.raises(InputError, match="1 of its documents are not in"):
        validity.read_sets(human, [tmp_path / "made"], 0, tmp_path)


def test_goldens_about_what_people_asked_about_are_also_compared_by_themselves(
    human: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validity, "PANEL", (ChunkingSettings(size=8),))
    documents = read_goldens(human).documents
    made = [
        golden_of(f"{query} tea {number}?", "Tea.", document=document, evidence=((at, at + 10),))
        for number, document in enumerate(documents)
        for query, at in (("How long is it steeped, that", 0), ("Who carries it, that", document.text.index("Ships")))
    ]
    write_small(tmp_path / "made", corpus_of(tmp_path, *documents), made)
    run(monkeypatch, human, tmp_path / "made", "--out", tmp_path / "out")
    found = json.loads((tmp_path / "out" / "validity.json").read_text())["agreement"]
    compared = {one["one"]: one["goldens"] for one in found}
    assert compared == {"made": 8, "made, what people asked about": 4, "made, the rest": 4}
