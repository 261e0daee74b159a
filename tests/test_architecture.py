"""docs/architecture.md says what is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (an? .+?) \| (.+?) \| .+ \|$", PAGE, flags=re.MULTILINE)


def test_the_picture_shows_every_room() -> None:
    drawn = re.findall(r"[├└]── ([a-z, ]+?)(?:  |$)", PAGE, flags=re.MULTILINE)
    rooms = {name for line in drawn for name in line.split(", ")}
    there = {path.stem for path in (ROOT / "ragset").iterdir() if path.suffix in {"", ".py"} and path.stem[0] != "_"}
    assert rooms == there
    assert len(there) <= 13


@pytest.mark.parametrize(("kind", "touched"), ROWS)
def test_what_is_added_touches_at_most_three_files_that_are_there(kind: str, touched: str) -> None:
    places = re.findall(r"`([^`]+)`", touched)
    assert 1 <= len(places) <= 3, kind
    for place in places:
        assert (ROOT / place).exists(), place


def test_there_is_a_row_for_each_kind() -> None:
    kinds = ("evolution", "metric", "chunking strategy", "exporter", "importer", "reader of a file format")
    for kind in (*kinds, "embedding", "vector store", "check"):
        assert any(row.endswith(kind) for row, _ in ROWS), kind


@pytest.mark.parametrize("room", sorted((ROOT / "ragset").glob("*/")) + sorted((ROOT / "flows").glob("*/")), ids=str)
def test_each_room_says_what_lives_there(room: Path) -> None:
    if room.name == "__pycache__":
        return
    assert (room / "__init__.py").read_text(encoding="utf-8").startswith('"""'), room
