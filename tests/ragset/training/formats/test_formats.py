"""What stands in the files; that their libraries read them is in `tests/compat/test_training_files.py`."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ragset.errors import InputError
from ragset.training.formats import FORMATS, check_training_data, write_training_data
from ragset.training.formats.registry import training_format
from tests.small_dataset import files_of
from tests.training_sample import TEXTS, example, sample

T = [*TEXTS.values()]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_the_folder_says_what_is_in_it_and_a_later_run_replaces_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for _ in range(2):
        written = write_training_data(sample(), out, FORMATS, {"without evidence": 2})
    told = json.loads((out / "train-data.json").read_text())
    assert (told["examples"], told["negatives"], told["ways"], told["left_out"]) == (3, 6, 2, {"without evidence": 2})
    assert written.rows == told["rows"]
    assert set(written.rows) == {str(path.relative_to(out)) for path in out.glob("*/*")}
    assert [json.loads(line)["golden"] for line in lines(out / "examples.jsonl")] == ["g-1", "g-2", "g-3"]
    assert [json.loads(line)["text"] for line in lines(out / "chunks.jsonl")] == [T[0], T[2], T[3], T[4]]
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match="holds something else than training data"):
        check_training_data(tmp_path)


def test_the_same_examples_give_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        write_training_data(sample(), tmp_path / name, FORMATS, {})
    for name in FORMATS:
        assert files_of(tmp_path / "a" / name) == files_of(tmp_path / "b" / name)


def test_lists_are_of_texts_with_a_column_for_each_negative(tmp_path: Path) -> None:
    write_training_data(sample(), tmp_path / "out", ["sentence-transformers", "pylate"], {})
    for name, query in (("sentence-transformers", "anchor"), ("pylate", "query")):
        rows = pq.read_table(tmp_path / "out" / name / "lists.parquet").to_pylist()
        assert [*rows[0]] == [query, "positive", "negative_1", "negative_2"]
        (first,) = [row for row in rows if row[query] == "How hot may green tea be?"]
        assert [*first.values()][1:] == [T[0], T[3], T[4]]
        assert pq.read_schema(tmp_path / "out" / name / "triplets.parquet").names == [query, "positive", "negative"]


def test_without_negatives_there_are_pairs_alone(tmp_path: Path) -> None:
    written = write_training_data(sample(example("g-1", "q", "0", "")), tmp_path / "out", FORMATS, {})
    assert written.without_negatives == 1
    assert {name for name in written.rows if "parquet" in name} == {
        "sentence-transformers/pairs.parquet",
        "pylate/pairs.parquet",
    }
    assert written.rows["colbert/triples.jsonl"] == 0


def test_numbers_of_colbert_are_the_places_of_lines(tmp_path: Path) -> None:
    write_training_data(sample(), tmp_path / "out", ["colbert"], {})
    folder = tmp_path / "out" / "colbert"
    assert lines(folder / "queries.tsv")[1] == "1\tTea or coffee, „which“ is hotter?"
    assert lines(folder / "collection.tsv") == [f"{n}\t{text}" for n, text in enumerate((T[0], T[2], T[3], T[4]))]
    assert [0, 0, 2, 3] in [json.loads(line) for line in lines(folder / "triples.jsonl")]


def test_a_format_is_added_in_three_lines(tmp_path: Path) -> None:
    @training_format("count", "how many")
    def write(data: object, folder: Path) -> dict[str, int]:
        return {"count.txt": (folder / "count.txt").write_text("3")}

    try:
        assert write_training_data(sample(), tmp_path / "out", ["count"], {}).rows == {"count/count.txt": 1}
    finally:
        del FORMATS["count"]
    with pytest.raises(InputError, match=r"training formats: there is no count; choose from .*colbert"):
        write_training_data(sample(), tmp_path / "out", ["count"], {})
