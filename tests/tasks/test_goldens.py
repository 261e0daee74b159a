from pathlib import Path

import pytest

from ragset.errors import InputError
from tasks.goldens import read_test_set
from tests.small_dataset import corpus_of, golden_of, write_small

SIDES = ("train", "test", "test", "validation")


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    goldens = [golden_of(f"Question {number}?").model_copy(update={"split": side}) for number, side in enumerate(SIDES)]
    write_small(tmp_path / "teas", corpus_of(tmp_path), goldens)
    return str(tmp_path / "teas")


async def sides_read(dataset: str, *splits: str) -> list[str]:
    found = await read_test_set.fn((dataset,), None, splits)
    return [golden.split for golden in found.goldens]


@pytest.fixture(autouse=True)
def _no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import logging

    monkeypatch.setattr("tasks.goldens.get_run_logger", lambda: logging.getLogger("tasks"))


async def test_goldens_of_all_splits_are_read_unless_some_are_named(dataset: str) -> None:
    assert await sides_read(dataset) == list(SIDES)
    assert await sides_read(dataset, "test") == ["test", "test"]
    assert await sides_read(dataset, "validation", "train") == ["train", "validation"]


async def test_a_split_that_no_golden_has_is_refused_with_those_that_there_are(dataset: str) -> None:
    with pytest.raises(
        InputError, match=r"splits: no golden is of 'tset'; there are test \(2\), train \(1\), validation"
    ):
        await sides_read(dataset, "test", "tset")


async def test_the_corpus_is_the_same_whatever_the_split(dataset: str) -> None:
    whole, part = [await read_test_set.fn((dataset,), None, splits) for splits in ((), ("train",))]
    assert whole.corpus.hash == part.corpus.hash
