"""From a split dataset to training files, over a real index."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest
from prefect.logging import disable_run_logger

from ragset.errors import InputError
from ragset.models import Document
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.settings import ChunkingSettings, EmbeddingSettings
from ragset.training.negatives import NegativeSettings
from ragset.training.sides import SIDES
from tasks.goldens import _read  # pyright: ignore[reportPrivateUsage]
from tasks.index import _index  # pyright: ignore[reportPrivateUsage]
from tasks.run.models import Account
from tasks.training import TrainingSet, by_side, mine_examples, write_training_files
from tests.small_dataset import corpus_of, golden_of, write_small

TEAS = [
    Document.of(
        f"Green tea number {n} turns bitter above {60 + n} degrees. Its leaves come from the hill {n}.", source=str(n)
    )
    for n in range(12)
]


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MILVUS_URI", raising=False)
    made = [
        golden_of(f"How hot may green tea number {n} be?", document=document).model_copy(update={"split": SIDES[n % 3]})
        for n, document in enumerate(TEAS)
    ]
    for name in ("teas", "teas-v3"):
        write_small(tmp_path / name, corpus_of(tmp_path, *TEAS), made)
    with disable_run_logger():
        yield tmp_path / "teas-v3"


def training_set(dataset: Path) -> TrainingSet:
    return by_side(_read((str(dataset),), None, ()), str(dataset), SIDES)


async def test_training_files_show_no_passage_of_the_test_side(dataset: Path, tmp_path: Path) -> None:
    training, settings = training_set(dataset), EmbeddingSettings()
    index = _index(training.corpus, ChunkingSettings(size=64), settings, OfflineEmbedder())
    made = await mine_examples.fn(training, index, NegativeSettings(margin=0), Account())
    assert [one.golden for one in made.examples] == [one.id for one in training.sides.train]
    assert all(one.negatives for one in made.examples)
    assert {negative.source for one in made.examples for negative in one.negatives} == {"bm25", "dense"}
    out = tmp_path / "out"
    written = await write_training_files.fn(training, index, made, ["pylate"], 2, 0, str(out), Account())
    assert (written.dataset, written.version, written.examples) == ("teas", 3, 4)
    held_out = {TEAS[n].text for n in range(12) if n % 3}
    texts = {json.loads(line)["text"] for line in (out / "chunks.jsonl").read_text(encoding="utf-8").splitlines()}
    assert texts <= {document.text for document in TEAS} - held_out


def test_a_dataset_that_is_not_split_is_refused(dataset: Path, tmp_path: Path) -> None:
    write_small(tmp_path / "whole", corpus_of(tmp_path, TEAS[0]), [golden_of(document=TEAS[0])])
    with pytest.raises(InputError, match="has no goldens with evidence for train and validation"):
        training_set(tmp_path / "whole")
