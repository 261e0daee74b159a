from pathlib import Path

from ragset.settings.whole_file import replace_text


def test_a_text_takes_the_place_of_another_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before", encoding="utf-8")
    replace_text(path, "clé\r\nnow\n")
    assert path.read_bytes() == "clé\r\nnow\n".encode()
    assert [*tmp_path.iterdir()] == [path]


def test_who_has_the_old_file_open_reads_it_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("before", encoding="utf-8")
    with path.open(encoding="utf-8") as reader:
        replace_text(path, "now")
        assert reader.read() == "before"
