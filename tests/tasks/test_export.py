import json
import logging
from pathlib import Path

import pytest

from ragset.errors import InputError
from ragset.settings import ChunkingSettings, ExportSettings
from tasks.export import check_exports, export_dataset, export_test_set, place_of
from tasks.run.models import Account
from tests.small_dataset import corpus_of, golden_of, write_small


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    write_small(tmp_path / "demo", corpus_of(tmp_path), [golden_of()])
    return tmp_path / "demo"


async def test_an_export_goes_beside_its_dataset_unless_a_place_is_named(dataset: Path, tmp_path: Path) -> None:
    done = await export_dataset(dataset, ExportSettings(to="jsonl"))
    assert done.out == str(tmp_path / "demo-jsonl.jsonl")
    assert len((tmp_path / "demo-jsonl.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    assert place_of(dataset, ExportSettings(to="jsonl", out="else.jsonl")) == "else.jsonl"


async def test_meanings_turn_where_the_embedding_of_the_dataset_says(dataset: Path, tmp_path: Path) -> None:
    asked = ExportSettings(to="jsonl", out=str(tmp_path / "out"), chunking=ChunkingSettings(strategy="semantic"))
    done = await export_dataset(dataset, asked)
    assert done.chunking == "semantic-256-0-tokens-p95-b1"
    [relevant] = json.loads((tmp_path / "out").read_text(encoding="utf-8"))["relevant"]
    assert ":" in relevant["id"]


def test_a_format_that_nobody_registered_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no 'word'; choose from"):
        ExportSettings(to="word")


async def test_a_folder_without_a_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no dataset"):
        await export_dataset(tmp_path, ExportSettings(to="jsonl"))


async def test_one_export_that_fails_stops_no_other_and_is_said(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.export.get_run_logger", lambda: logging.getLogger("tasks"))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "other.txt").write_text("")
    exports = (
        ExportSettings(to="beir", out=str(tmp_path / "full")),
        ExportSettings(to="jsonl", out=str(tmp_path / "out.jsonl")),
    )
    with pytest.raises(
        InputError, match=r"is written, and could not be exported everywhere\nexport to beir: .*something else"
    ):
        await export_test_set.fn(str(dataset), exports, Account())
    assert (tmp_path / "out.jsonl").is_file()
    [done] = await export_test_set.fn(str(dataset), exports[1:], Account())
    assert (done.to, done.goldens) == ("jsonl", 1)


def test_places_are_checked_before_there_is_a_dataset(dataset: Path, tmp_path: Path) -> None:
    check_exports(tmp_path / "new", [ExportSettings(to="beir"), ExportSettings(to="csv", out=str(tmp_path / "a.csv"))])
    with pytest.raises(InputError, match="is where the dataset goes"):
        check_exports(dataset, [ExportSettings(to="beir", out=str(dataset))])
    with pytest.raises(InputError, match="is a folder, and csv is one file"):
        check_exports(tmp_path / "new", [ExportSettings(to="csv", out=str(tmp_path))])
