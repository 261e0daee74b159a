import json
from pathlib import Path

import pytest

from ragset.dataset.importers import FORMATS, SetBuilder, Unaligned, excerpt, importer, read_goldens
from ragset.errors import InputError
from tests.small_dataset import TEA, corpus_of, golden_of, write_small


def test_a_dataset_of_ours_is_read_as_it_is(tmp_path: Path) -> None:
    write_small(tmp_path / "out", corpus_of(tmp_path), [golden_of()])
    imported = read_goldens(tmp_path / "out")
    assert imported == ((golden_of(),), (TEA,), ())
    assert read_goldens(tmp_path / "out" / "manifest.json") == imported


def test_a_format_is_added_in_a_few_lines(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    request.addfinalizer(lambda: FORMATS.pop("questions", None))

    @importer("questions", "a .q file", recognises=lambda path: path.suffix == ".q")
    def read_questions(path: Path, builder: SetBuilder, **_: object) -> None:
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            builder.add_golden(line, None, (), where=f"{path.name}: line {number}", source=str(number))

    (tmp_path / "a.q").write_text("Who?\nWhere?\n")
    assert [golden.query for golden in read_goldens(tmp_path / "a.q").goldens] == ["Who?", "Where?"]
    assert read_questions
    (tmp_path / "a.x").write_text("?")
    with pytest.raises(InputError, match=r"questions: a \.q file"):
        read_goldens(tmp_path / "a.x")


def test_the_docs_and_the_help_have_every_format() -> None:
    docs = Path(__file__).parents[4] / "docs"
    formats = (docs / "comparing.md").read_text()
    [datasets] = [line for line in (docs / "parameters.md").read_text().splitlines() if line.startswith("| `datasets`")]
    for format_ in FORMATS.values():
        assert f"| `{format_.name}` | {format_.is_} |" in formats
        assert format_.name in datasets.lower()


def test_ids_are_made_as_for_goldens_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"question": golden_of().query, "context": TEA.text[:35]}))
    [golden] = read_goldens(path, documents=[TEA]).goldens
    # The same query and the same 35 characters of evidence
    assert golden.id == golden_of().id


@pytest.mark.parametrize("name", ["a.parquet", "folder"])
def test_what_cannot_be_told_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    else:
        path.write_text("x")
    with pytest.raises(InputError, match=rf"{name}: is of no kind that can be told"):
        read_goldens(path)


def test_json_of_another_shape_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"rows": []}')
    with pytest.raises(InputError, match=r"a\.json: holds .*; write a list of objects, one a question"):
        read_goldens(path)
    with pytest.raises(InputError, match="is not in SQuAD's format"):
        read_goldens(path, kind="squad")


def test_a_kind_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError,
        match=r"there is no kind csv of data; choose one of ragset, autorag, beir, goldens\.csv, squad, chroma, r",
    ):
        read_goldens(tmp_path, kind="csv")


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.csv: there is no such file or folder"):
        read_goldens(tmp_path / "nothing.csv")


@pytest.mark.parametrize("kind", ["squad", "chroma", "table", "beir", "ragset"])
def test_a_folder_that_is_not_of_the_kind_is_refused(tmp_path: Path, kind: str) -> None:
    with pytest.raises(InputError):
        read_goldens(tmp_path, kind=kind)


def test_the_kind_may_be_said_against_the_content(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("question,references,corpus_id,context\nA?,[],tea,Tea is hot.\n")
    assert len(read_goldens(path, kind="table").goldens) == 1
    path.write_text("question,context\nA?,B\n")
    with pytest.raises(InputError, match="there is no column references, corpus_id"):
        read_goldens(path, kind="chroma")


def test_documents_are_refused_where_the_data_bring_their_own(tmp_path: Path) -> None:
    (tmp_path / "questions.csv").write_text("question,references,corpus_id\n")
    with pytest.raises(InputError, match="data of the kind chroma bring their own documents"):
        read_goldens(tmp_path, documents=[TEA])


def test_an_excerpt_is_one_line_of_at_most_120_characters() -> None:
    assert excerpt("a\n b") == "a b"
    # 119 and the ellipsis
    assert excerpt("a" * 500) == "a" * 119 + "…"
    assert excerpt("a" * 120) == "a" * 120


def test_problems_are_models_that_can_be_written_down() -> None:
    problem = Unaligned(where="a.csv: line 2", reason="there is no context", text="A?")
    assert Unaligned.model_validate_json(problem.model_dump_json()) == problem
