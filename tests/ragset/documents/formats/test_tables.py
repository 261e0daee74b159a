import io
import json
from collections.abc import Iterator

from ragset.documents.formats import Opened, Read, read_file
from ragset.errors import DocumentError


def found(content: bytes, kind: str = ".jsonl", max_bytes: int = 100) -> list[tuple[str, str]]:
    rows = read_file(Opened(io.BytesIO(content), "t", kind, None, max_bytes))
    return [(row.source, row.text if isinstance(row, Read) else f"! {row.reason}") for row in rows]


def line(text: str) -> bytes:
    return json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n"


def test_a_file_of_lines_may_be_larger_than_a_document() -> None:
    assert found(line("One.") * 50) == [(f"t:{number}", "One.") for number in range(1, 51)]
    assert found(b"text\n" + b"One.\n" * 50, ".csv") == [(f"t:{number}", "One.") for number in range(2, 52)]


def test_a_line_above_the_limit_is_refused_by_its_number() -> None:
    said = "! too large: the line has more than `max_bytes`, 100"
    assert found(line("One.") + line("x" * 5_000_000) + line("Two.")) == [
        ("t:1", "One."),
        ("t:2", said),
        ("t:3", "Two."),
    ]
    # 12 bytes round the text, and the line end
    assert found(line("x" * 87)) == [("t:1", "x" * 87)]
    assert found(line("x" * 88)) == [("t:1", said)]


def test_a_row_above_the_limit_is_refused_by_its_number_and_ends_the_table() -> None:
    content = b'text,n\nOne.,1\n"' + b'many ""lines""\n' * 20 + b'",2\nTwo.,3\n'
    said = "is a quotation mark not closed? It and the rows after it are left out"
    assert found(content, ".csv") == [
        ("t:2", "One."),
        ("t:3", f"! too large: the row has more than `max_bytes`, 100; {said}"),
    ]


def test_a_quotation_mark_that_is_not_closed_costs_the_rest_and_is_named() -> None:
    rows = found(b'text\nOne.\n"' + b"Two.\n" * 50, ".csv")
    assert rows[0] == ("t:2", "One.")
    assert [source for source, _ in rows[1:]] == ["t:3"]
    assert "is a quotation mark not closed?" in rows[1][1]


def test_lines_with_nul_bytes_or_in_another_encoding_are_named() -> None:
    assert found(line("One.") + b'{"text": "a\0b"}\n\0\n' + line("Two.")) == [
        ("t:1", "One."),
        ("t:2", "! holds NUL bytes; take them out of the line"),
        ("t:3", "! holds NUL bytes; take them out of the line"),
        ("t:4", "Two."),
    ]
    # Beyond the sample by which the encoding is told.
    late = line("One.") * 20_000 + b'{"text": "caf\xe9"}\n' + line("Two.")
    assert found(late)[-2:] == [("t:20001", "! is not utf-8; save the file as UTF-8"), ("t:20002", "Two.")]
    assert found(b"text\n" + b"One.\n" * 50_000 + b"caf\xe9\nTwo.\n", ".csv")[-2:] == [
        ("t:50002", "! is not utf-8; save the file as UTF-8"),
        ("t:50003", "Two."),
    ]


def test_tables_in_other_encodings_are_read_in_them() -> None:
    text = '{"text": "Das Café an der Straße öffnet für Gäste um zehn Uhr."}\n'
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"):
        assert found((text * 3).encode(encoding))[2] == ("t:3", json.loads(text)["text"]), encoding


def test_line_ends_of_unix_and_windows_part_rows() -> None:
    for end in ("\n", "\r\n"):
        content = end.join(["text,n", "One.,1", "Two.,2", ""]).encode()
        assert [text for _, text in found(content, ".csv")] == ["One.", "Two."]
        content = end.join(['{"text": "One."}', '{"text": "Two."}']).encode()
        assert found(content) == [("t:1", "One."), ("t:2", "Two.")]


def test_rows_are_read_as_they_are_asked_for() -> None:
    class Endless(io.RawIOBase):
        """A file without an end."""

        def __init__(self) -> None:
            self.place = 0

        def readable(self) -> bool:
            return True

        def seekable(self) -> bool:
            return True

        def seek(self, place: int, whence: int = 0) -> int:
            assert whence == 0
            self.place = place
            return place

        def readinto(self, buffer: object) -> int:
            view = memoryview(buffer).cast("B")  # pyright: ignore[reportArgumentType]
            row = line("One.")
            for at in range(len(view)):
                view[at] = row[(self.place + at) % len(row)]
            self.place += len(view)
            return len(view)

    opened = Opened(io.BufferedReader(Endless()), "t", ".jsonl", None, 100)
    rows: Iterator[Read | DocumentError] = read_file(opened)
    assert [next(rows).source for _ in range(1_000)][-1] == "t:1000"
