import json
import time
from pathlib import Path

import pytest

from ragset.dataset.importers import read_goldens
from ragset.dataset.importers.files import read_json, read_json_lines, read_table, read_text
from ragset.errors import InputError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data.csv"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_tells_the_encoding(path: Path, encoding: str) -> None:
    path.write_bytes("täglich\r\nTee".encode(encoding))
    assert read_text(path) == "täglich\r\nTee"


def test_another_encoding_is_refused_with_the_line(path: Path) -> None:
    path.write_bytes("question,context\nA?,täglich\n".encode("cp1252"))
    with pytest.raises(InputError, match=r"data\.csv: line 2 is not UTF-8; save the file as UTF-8"):
        read_table(path)
    path.write_bytes(b'{"a": 1}\n\n{"a": "\xe4"}\n')
    with pytest.raises(InputError, match="line 3 is not UTF-8"):
        list(read_json_lines(path))


@pytest.mark.parametrize("content", [b"", b" \n\r\n", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_an_empty_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"data\.csv: is empty"):
        read_table(path)
    with pytest.raises(InputError, match=r"data\.csv: is empty"):
        list(read_json_lines(path))
    with pytest.raises(InputError, match=r"data\.csv: is empty"):
        read_json(path)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_are_parted_as_the_first_line_has_it(path: Path, separator: str) -> None:
    path.write_text(separator.join(["question", "context", "id"]) + "\n" + separator.join(['"A\n?"', "B", "C"]) + "\n")
    names, rows = read_table(path)
    assert names == ("question", "context", "id")
    assert [(row.line, row.fields["question"]) for row in rows] == [(2, "A\n?")]


def test_rows_are_numbered_by_the_line_they_begin_in(path: Path) -> None:
    path.write_text('a,b\n"1\n2\n",3\n\n4,5\n')
    assert [row.line for row in read_table(path)[1]] == [2, 6]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n3\n", "line 3 has 1 cells, and there are 2 columns"),
        ("a,b\n1,2,3\n", "line 2 has 3 cells, and there are 2 columns"),
        ('a,b\n1,2\n"3,4\n5,6\n', "line 3 is not CSV"),
        ('a,b\n"1"x,2\n', "line 2 is not CSV"),
        ("a,a\n1,2\n", "there are two columns called a; rename one"),
        ("a,b\n", "is empty under the names of its columns"),
    ],
)
def test_a_table_that_is_broken_is_named_with_its_line(path: Path, text: str, message: str) -> None:
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        list(read_table(path)[1])


def test_json_that_is_broken_is_named_with_its_line(path: Path) -> None:
    path.write_text('{"a":\n 1,,}')
    with pytest.raises(InputError, match="line 2, column 4 is not JSON"):
        read_json(path)
    path.write_text('{"a": 1}\n{"a": }\n')
    with pytest.raises(InputError, match=r"line 2 is not JSON \(Expecting value\); mend or delete the line"):
        list(read_json_lines(path))
    path.write_text("[1]\n")
    with pytest.raises(InputError, match="line 1 is not a JSON object"):
        list(read_json_lines(path))
    path.write_text("[" * 200_000)
    with pytest.raises(InputError, match="is not JSON"):
        read_json(path)
    with pytest.raises(InputError, match="line 1 is not JSON"):
        list(read_json_lines(path))


def test_only_line_feeds_part_json_lines(path: Path) -> None:
    path.write_text(json.dumps({"a": "x\u2028y\u0085z"}, ensure_ascii=False) + "\r\n", encoding="utf-8", newline="")
    assert [row.fields["a"] for row in read_json_lines(path)] == ["x\u2028y\u0085z"]


@pytest.mark.parametrize("ending", [".csv", ".jsonl"])
def test_a_line_of_five_megabytes_is_read_in_linear_time(tmp_path: Path, ending: str) -> None:
    context = "Tea is hot, and so is coffee. " * 170_000
    path = tmp_path / f"long{ending}"
    if ending == ".csv":
        path.write_text(f'question,context\nA?,"{context}"\n')
    else:
        path.write_text(json.dumps({"question": "A?", "context": [context]}) + "\n")
    before = time.process_time()
    [golden] = read_goldens(path).goldens
    assert time.process_time() - before < 10
    assert golden.evidence[0].end == len(context) - 1
