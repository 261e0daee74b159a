import pytest

from flows.parameters.embeddings import with_embedding
from flows.parameters.models import BenchmarkParameters, IndexParameters, MultiChunkParameters, SingleChunkParameters
from ragset.evaluation.grid import Grid
from ragset.settings import DocumentSettings, EmbeddingSettings, Environment, ModelSettings
from tasks.run.progress import watch

DOCUMENTS = DocumentSettings(sources=("docs",))
WRITER = ModelSettings(model="writer")


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []

    def list_(_env: Environment) -> list[str]:
        return names

    monkeypatch.setattr("ragset.retrieval.embedding.auto._listed", list_)
    return names


def test_contexts_of_the_offline_embedding_with_a_model_that_writes_are_worth_a_notice() -> None:
    progress = watch()
    settled = with_embedding(MultiChunkParameters(documents=DOCUMENTS, generator=WRITER))
    assert settled.embedding.model == "offline"
    assert len(progress.notices) == 1
    with_embedding(settled)  # settled already
    with_embedding(SingleChunkParameters(documents=DOCUMENTS, generator=WRITER))
    with_embedding(MultiChunkParameters(documents=DOCUMENTS))
    assert len(progress.notices) == 1


def test_a_critic_alone_counts_as_a_model_that_is_asked(listed: list[str]) -> None:
    listed.append("bge-m3")
    assert with_embedding(SingleChunkParameters(documents=DOCUMENTS, critic=WRITER)).embedding.model == "bge-m3"


def test_an_index_names_no_model_and_is_offline(listed: list[str]) -> None:
    listed.append("bge-m3")
    assert with_embedding(IndexParameters(documents=DOCUMENTS)).embedding.model == "offline"


def test_a_grid_compares_the_embedding_once_under_its_own_name(listed: list[str]) -> None:
    listed.append("bge-m3")
    grid = Grid(embedding=(EmbeddingSettings(), EmbeddingSettings(model="bge-m3"), EmbeddingSettings(model="offline")))
    settled = with_embedding(BenchmarkParameters(datasets=("set",), grid=grid, critic=WRITER))
    assert settled.grid is not None
    assert [one.model for one in settled.grid.embedding] == ["bge-m3", "offline"]
