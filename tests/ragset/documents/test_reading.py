import os
from pathlib import Path

import pytest

from ragset.documents import Reading, read_documents
from ragset.errors import InputError
from ragset.models import Document
from ragset.settings import DocumentSettings

pytestmark = pytest.mark.usefixtures("one_process")


def read(*sources: Path | str, **more: object) -> Reading:
    return read_documents(DocumentSettings.model_validate({"sources": tuple(map(str, sources)), **more}))


def reasons(reading: Reading) -> dict[str, str]:
    return {failure.source: failure.reason for failure in reading.failures}


def sources(reading: Reading) -> list[tuple[str, ...]]:
    return sorted(document.sources for document in reading.documents)


def test_a_folder_is_read_to_the_bottom_by_relative_names(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "a.md").write_text("# Tower clocks\n\nThey strike.")
    (tmp_path / "deep" / "er" / "b.txt").write_text("They tick.")
    reading = read(tmp_path)
    assert sources(reading) == [("a.md",), ("deep/er/b.txt",)]
    assert reading.failures == ()
    assert {document.title for document in reading.documents} == {"Tower clocks", "b"}


def test_a_document_is_known_by_its_cleaned_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("Cafe\u0301\r\n".encode())
    (document,) = read(tmp_path / "a.txt").documents
    assert document == Document.of("Café", source="a.txt", title="a")


def test_documents_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number}.txt").write_text(f"Text {number}")
    ids = [document.id for document in read(tmp_path).documents]
    assert ids == sorted(ids)
    assert len(ids) == 20


def test_the_same_text_twice_is_one_document_with_two_sorted_sources(tmp_path: Path) -> None:
    (tmp_path / "z.txt").write_text("They strike.\n")
    (tmp_path / "a.txt").write_bytes("They strike.\r\n\r\n".encode("utf-16"))
    reading = read(tmp_path / "z.txt", tmp_path / "a.txt")
    assert sources(reading) == [("a.txt", "z.txt")]


def test_the_same_file_named_twice_is_one_source(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("They strike.")
    assert sources(read(tmp_path / "a.txt", tmp_path / "a.txt")) == [("a.txt",)]


def test_what_cannot_be_read_is_reported_by_name_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("They strike.")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "blank.txt").write_text(" \n\ufeff\n")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
    (tmp_path / "large.txt").write_text("x" * 2_000)
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4 nonsense")
    (tmp_path / "lines.jsonl").write_text('{"text": "Good line."}\n{"text": " "}\nnot json\n')
    reading = read(tmp_path, max_bytes=1_000)
    assert sources(reading) == [("good.txt",), ("lines.jsonl:1",)]
    found = reasons(reading)
    assert set(found) == {
        "empty.txt",
        "blank.txt",
        "picture.png",
        "large.txt",
        "bad.pdf",
        "lines.jsonl:2",
        "lines.jsonl:3",
    }
    assert found["empty.txt"] == "empty"
    assert found["blank.txt"].startswith("empty")
    assert found["lines.jsonl:2"].startswith("empty")
    assert found["picture.png"].startswith("binary")
    assert found["large.txt"] == "too large: it has more than `max_bytes`, 1,000; split the file, or raise the limit"
    assert found["bad.pdf"].startswith("damaged PDF")


def test_hidden_files_and_folders_are_left_out(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "a.txt").write_text("hidden")
    (tmp_path / ".b.txt").write_text("hidden")
    (tmp_path / "c.txt").write_text("seen")
    assert sources(read(tmp_path)) == [("c.txt",)]


def test_a_link_out_of_the_folder_is_reported_and_one_inside_followed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "a.txt").write_text("seen")
    (folder / "inside.txt").symlink_to("a.txt")
    (folder / "outside.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "sub" / "nowhere.txt").symlink_to("gone.txt")
    (folder / "loop.txt").symlink_to("loop.txt")
    reading = read(folder)
    assert sources(reading) == [("a.txt", "inside.txt")]
    found = reasons(reading)
    assert set(found) == {"outside.txt", "sub/nowhere.txt", "loop.txt"}
    assert "link out of the folder" in found["outside.txt"]


def test_a_folder_behind_a_link_is_not_entered(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.txt").write_text("secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("seen")
    (folder / "out").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (folder / "around").symlink_to(folder, target_is_directory=True)
    reading = read(folder)
    assert sources(reading) == [("a.txt",)]
    assert "link" in reasons(reading)["out"]


def test_a_pipe_is_no_file_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "a.txt").write_text("seen")
    assert reasons(read(tmp_path)) == {"pipe": "not a file"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("seen")
    (tmp_path / "b.txt").write_text("locked")
    (tmp_path / "b.txt").chmod(0)
    assert reasons(read(tmp_path)) == {"b.txt": "unreadable: Permission denied"}


def test_a_name_that_is_no_unicode_is_read_and_can_be_written_down(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_text("seen")
    except OSError:
        pytest.skip("this file system takes names in Unicode only")
    ((source,),) = sources(read(tmp_path))
    assert source.encode().startswith(b"caf")


def test_a_source_that_is_not_there_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.txt: there is no such file or folder"):
        read(tmp_path / "gone.txt")


def test_an_empty_folder_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file in it"):
        read(tmp_path)


def test_nothing_readable_is_an_error_with_reasons(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "b.bin").write_bytes(b"\0\1\2")
    with pytest.raises(InputError, match=r"(?s)none of 2 can be read.*a\.txt: empty.*b\.bin: binary"):
        read(tmp_path)


def test_references_are_dropped_if_asked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Clocks\n\nThey strike.\n\n## References\n\n- Landes (1983)\n")
    (kept,) = read(tmp_path).documents
    (cut,) = read(tmp_path, drop_references=True).documents
    assert "Landes" in kept.text
    assert cut.text == "# Clocks\n\nThey strike."


def test_a_long_title_is_cut_and_cleaned(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "One.", "title": "' + "long  \\n " * 100 + '"}')
    (document,) = read(tmp_path).documents
    assert document.title == ("long " * 100)[:300].strip()


def test_half_a_surrogate_pair_in_a_field_can_be_written_down(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a\\ud800b", "author": "x\\udc00", "\\ud801": ["\\ud802"]}')
    (document,) = read(tmp_path).documents
    assert document.text == "a?b"
    assert "author" in document.metadata
    document.model_dump_json().encode()
