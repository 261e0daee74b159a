import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset.importers import ImportedSet, read_goldens
from ragset.errors import InputError

CORPORA = Path(__file__).parents[5] / "shared" / "corpora"
TEA = "Tea is hot. It grows in Assam. Tea is hot."


def reference(content: str, start: int | None = None) -> dict[str, Any]:
    return {"content": content} if start is None else {"content": content, "start_index": start, "end_index": 0}


def write(folder: Path, *rows: tuple[str, list[dict[str, Any]] | str, str]) -> Path:
    path = folder / "questions.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["question", "references", "corpus_id"])
        for question, references, corpus in rows:
            table.writerow([question, references if isinstance(references, str) else json.dumps(references), corpus])
    return path


def read(folder: Path, *references: dict[str, Any], text: str = TEA) -> ImportedSet:
    (folder / "tea.md").write_text(text, encoding="utf-8", newline="")
    return read_goldens(write(folder, ("Where does tea grow?", list(references), "tea")))


def test_excerpts_are_spans_of_the_corpus(tmp_path: Path) -> None:
    imported = read(tmp_path, reference("It grows in Assam.", 12), reference("Tea is hot.", 31))
    [document], [golden] = imported.documents, imported.goldens
    assert (document.text, document.sources) == (TEA, ("tea.md",))
    # 12 + 18 = 30, 31 + 11 = 42
    assert [span.id for span in golden.evidence] == [f"{document.id}:12-30", f"{document.id}:31-42"]
    assert (golden.answer, golden.kind) == ("", "multi-chunk")
    assert golden.metadata == {"corpus_id": "tea", "source": "questions.csv:2"}


def test_an_offset_that_is_wrong_leads_to_the_nearest_place(tmp_path: Path) -> None:
    [golden] = read(tmp_path, reference("Tea is\nhot.", 25)).goldens
    assert [(span.start, span.end) for span in golden.evidence] == [(31, 42)]


def test_an_excerpt_that_stands_twice_is_not_guessed_without_an_offset(tmp_path: Path) -> None:
    imported = read(tmp_path, reference("Tea is hot."))
    assert imported.goldens == ()
    assert [problem.text for problem in imported.problems] == ["Tea is hot."]


def test_a_question_of_which_an_excerpt_is_lost_is_left_out(tmp_path: Path) -> None:
    imported = read(tmp_path, reference("It grows in Assam.", 12), reference("It grows in Java.", 12))
    assert imported.goldens == ()
    [problem] = imported.problems
    assert (problem.where, problem.text) == ("questions.csv: line 2", "It grows in Java.")


def test_offsets_count_line_ends_as_one_character(tmp_path: Path) -> None:
    [golden] = read(tmp_path, reference("hot.", 4), text="Tea\r\nhot.\r\nhot.").goldens
    assert [(span.start, span.end) for span in golden.evidence] == [(4, 8)]


def test_offsets_are_moved_where_cleaning_shortens_the_text(tmp_path: Path) -> None:
    # Two of five line ends are kept, so 11 becomes 8
    [golden] = read(tmp_path, reference("It is.", 11), text="It is.\n\n\n\n\nIt is.").goldens
    assert [(span.start, span.end) for span in golden.evidence] == [(8, 14)]


def test_a_corpus_that_is_not_there_is_one_problem(tmp_path: Path) -> None:
    path = write(tmp_path, ("Who?", [reference("x", 0)], "chatlogs"), ("What?", [reference("y", 0)], "chatlogs"))
    imported = read_goldens(path)
    assert [problem.reason for problem in imported.problems] == [
        "2 questions of corpus chatlogs: there is no chatlogs.md or chatlogs.txt beside questions.csv"
    ]


def test_a_corpus_id_leads_to_no_other_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("Secret.")
    (tmp_path / "in").mkdir()
    imported = read_goldens(write(tmp_path / "in", ("Who?", [reference("Secret.", 0)], "../secret")))
    assert (imported.goldens, imported.documents) == ((), ())


@pytest.mark.parametrize("cell", ["[{", "{}", '[{"content": 3}]', '[{"content": "a", "start_index": "0"}]'])
def test_broken_references_are_named_with_their_line(tmp_path: Path, cell: str) -> None:
    (tmp_path / "tea.md").write_text(TEA)
    with pytest.raises(InputError, match=r"questions\.csv: line 3, references is not a JSON list"):
        read_goldens(write(tmp_path, ("A?", [reference("Tea is hot.", 0)], "tea"), ("B?", cell, "tea")))


def test_a_question_without_excerpts_is_reported(tmp_path: Path) -> None:
    assert [problem.reason for problem in read(tmp_path).problems] == ["the question has no excerpts"]


@pytest.mark.skipif(not (CORPORA / "chroma").is_dir(), reason="the corpus is not there")
def test_every_excerpt_of_chromas_questions_is_aligned() -> None:
    folder = CORPORA / "chroma"
    imported = read_goldens(folder)
    assert imported.problems == ()
    assert (len(imported.goldens), len(imported.documents)) == (220, 2)
    assert sum(len(golden.evidence) for golden in imported.goldens) == 344
    texts = {document.id: document.text for document in imported.documents}
    with (folder / "questions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for golden, row in zip(imported.goldens, rows, strict=True):
        wanted = sorted(json.loads(row["references"]), key=lambda reference: reference["start_index"])
        found = [texts[span.doc_id][span.start : span.end] for span in golden.evidence]
        # A hyphen at a line end or before a blank is all that cleaning takes out beside white space.
        assert [_plain(text) for text in found] == [_plain(reference["content"]) for reference in wanted]


def _plain(text: str) -> str:
    return "".join(text.replace("-", "").split())
