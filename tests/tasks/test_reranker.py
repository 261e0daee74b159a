"""A reranker from a split dataset over a real index: what it learns, what it refuses, and what is written."""

from collections.abc import Generator
from functools import partial
from pathlib import Path
from random import Random

import pytest
import yaml
from prefect.logging import disable_run_logger

from ragset.evaluation.grid import Grid
from ragset.models import Document
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.learned_reranker import read_reranker, write_reranker
from ragset.settings import ChunkingSettings, EmbeddingSettings, RetrievalSettings
from ragset.training.negatives import NegativeSettings
from ragset.training.sides import SIDES
from tasks import effect as effects
from tasks.effect import write_trained
from tasks.fitting import FittedReranker, fit_reranker
from tasks.goldens import _read  # pyright: ignore[reportPrivateUsage]
from tasks.index import _index  # pyright: ignore[reportPrivateUsage]
from tasks.run.models import Account
from tasks.training import by_side, mine_examples
from tests.small_dataset import corpus_of, golden_of, write_small

GRID = Grid(retrieval=(RetrievalSettings(mode="dense"),), reranker=("none", "learned:out"))

BEGINNINGS, ENDINGS = (
    ("Al", "Bor", "Cin", "Dur", "Els", "Fal", "Gor", "Hes"),
    ("ham", "ton", "wick", "dale", "ford", "ley"),
)
PLACES = [f"{first}{last}" for first in BEGINNINGS for last in ENDINGS]
COMMON = [
    "tower",
    "clock",
    "smith",
    "river",
    "mill",
    "barley",
    "market",
    "frost",
    "parish",
    "chest",
    "weather",
    "toll",
    "repair",
    "bridge",
    "council",
    "bell",
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MILVUS_URI", raising=False)
    with disable_run_logger():
        yield tmp_path


async def fitted(home: Path, *, shuffled: bool) -> FittedReranker:
    """Trained with dense search: places are in one document each, and all other words of a query in most; by chance if `shuffled`."""
    draw = Random(0)
    documents = [
        Document.of(f"{place} has {' '.join(draw.choices(COMMON, k=40))}.", source=place, title="") for place in PLACES
    ]
    queries = [f"{place}: {' '.join(draw.sample(COMMON, 8))}?" for place in PLACES]
    if shuffled:
        draw.shuffle(queries)
    goldens = [
        golden_of(query, document=document).model_copy(update={"split": SIDES[number % 3]})
        for number, (query, document) in enumerate(zip(queries, documents, strict=True))
    ]
    write_small(home / "parishes", corpus_of(home, *documents), goldens)
    training = by_side(_read((str(home / "parishes"),), None, ()), "parishes", SIDES)
    index = _index(training.corpus, ChunkingSettings(), EmbeddingSettings(), OfflineEmbedder())
    made = await mine_examples.fn(training, index, NegativeSettings(margin=0), Account())
    dense = RetrievalSettings(mode="dense")
    return await fit_reranker.fn(training, index, made, dense, 30, None, 0, Account())


async def test_a_reranker_learns_what_the_search_overlooks(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = await fitted(home, shuffled=False)
    assert found.reranker is not None
    assert found.reranker.embedding == "offline-512"
    assert found.effect.verdict == "helps"
    assert found.effect.trained_with == len(PLACES) / 3
    assert [point.goldens for point in found.effect.curve] == [0, 4, 8, 16]

    async def unseen(*_: object) -> None: ...

    monkeypatch.setattr(effects, "show_effect", unseen)
    monkeypatch.setattr(effects, "show_report", unseen)
    keep = partial(write_reranker, reranker=found.reranker)
    told = await write_trained(str(home / "out"), "parishes", found.effect, {}, keep, GRID)
    assert told.kept
    assert Grid.model_validate(yaml.safe_load((home / "out" / "grid.yaml").read_text())["grid"]) == GRID
    assert 'id="next"' in (home / "out" / "report.html").read_text()
    assert read_reranker(home / "out") == found.reranker
    again = await write_trained(str(home / "out"), "parishes", found.effect, {}, None, GRID)
    assert not again.kept
    assert sorted(path.name for path in (home / "out").iterdir()) == ["effect.json", "report.html"]


async def test_shuffled_queries_teach_nothing_that_is_kept(home: Path) -> None:
    found = await fitted(home, shuffled=True)
    assert found.reranker is None
    assert found.effect.told.startswith("The reranker is not used")
    assert found.effect.metrics[0].difference == 0
