"""From a split dataset to an adapter, over a real index."""

from collections.abc import Generator
from pathlib import Path

import pytest
from prefect.logging import disable_run_logger

from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment
from ragset.training.adapter_folder import write_adapter_folder
from ragset.training.negatives import NegativeSettings
from ragset.training.sides import SIDES
from tasks.fitting import FittedAdapter, fit_adapter
from tasks.goldens import _read  # pyright: ignore[reportPrivateUsage]
from tasks.index import _index  # pyright: ignore[reportPrivateUsage]
from tasks.run.models import Account, embedding
from tasks.training import by_side, mine_examples
from tests.adapter_sample import DIMENSIONS, german_goldens, write_german


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MILVUS_URI", raising=False)
    with disable_run_logger():
        yield tmp_path


async def trained_on(folder: Path) -> FittedAdapter:
    dataset = str(write_german(folder))
    training = by_side(_read((dataset,), None, ()), dataset, SIDES)
    index = _index(
        training.corpus,
        ChunkingSettings(size=64),
        EmbeddingSettings(dimensions=DIMENSIONS),
        OfflineEmbedder(DIMENSIONS),
    )
    made = await mine_examples.fn(training, index, NegativeSettings(), Account())
    return await fit_adapter.fn(training, index, made, 0, Account())


async def test_words_of_queries_are_learnt_from_the_train_side_and_measured_on_the_test_side(home: Path) -> None:
    fitted = await trained_on(home)
    assert fitted.trained.stop.kept, fitted.trained.stop.told
    assert fitted.trained.matrix is not None
    assert fitted.effect.verdict == "helps"
    assert (fitted.effect.goldens, fitted.effect.trained_with) == (24, 72)
    assert [point.goldens for point in fitted.effect.curve] == [0, 18, 36, 72]
    write_adapter_folder(
        home / "adapter",
        matrix=fitted.trained.matrix,
        embedding="offline-128",
        embedded_by=EmbeddingSettings(model="offline", dimensions=DIMENSIONS),
        dataset="words",
        stop=fitted.trained.stop,
        effect=fitted.effect,
    )
    card = (home / "adapter" / "README.md").read_text(encoding="utf-8")
    assert fitted.effect.told in card
    assert "`embedding: {model: offline, dimensions: 128, adapter: FOLDER}`" in card
    # The folder, as a setting, gives queries the same vectors, and passages those that they had.
    settings = EmbeddingSettings(model="offline", dimensions=DIMENSIONS, adapter=str(home / "adapter"))
    env = Environment()
    queries = [golden.query for golden in german_goldens()][:3]
    adapted = connect_embedder(settings, env, queries=True).embed(queries)
    async with embedding(settings, Account(), queries=True) as embedder:
        assert (embedder.embed(queries) == adapted).all()
    async with embedding(settings, Account()) as embedder:
        assert (embedder.embed(queries) == OfflineEmbedder(DIMENSIONS).embed(queries)).all()
        assert not (embedder.embed(queries) == adapted).all()
