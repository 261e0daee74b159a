"""Chunks that another program cut, as goldens are made of them and as a benchmark searches them."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from prefect.logging import disable_run_logger

from ragset.dataset.relevance.qrels import gold_of
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.results.model import RetrievalResult, System
from ragset.evaluation.scoring import score_retrieval
from ragset.evaluation.systems import ask_system
from ragset.models import Golden, Span
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.search import retrieve
from ragset.retrieval.stores import open_store
from ragset.settings import (
    ChunkingSettings,
    DocumentSettings,
    EmbeddingSettings,
    Environment,
    ExistingChunks,
    RetrievalSettings,
)
from tasks import existing, index
from tasks.documents import CorpusFile, _read  # pyright: ignore[reportPrivateUsage]
from tasks.goldens import DATASET, TestSet
from tasks.results import SystemResult, write_benchmark
from tasks.systems import ScoreResult
from tests.ragset.retrieval.collections import LLAMA_INDEX, write_llama_index
from tests.small_dataset import golden_of

TEXTS = [
    f"Green tea number {n} turns bitter when the water is hotter than {60 + n} degrees, which spoils it for everybody."
    for n in range(12)
]
TEA = "\n\n".join(TEXTS)
QUERY = "How hot may the water of green tea number 7 be?"


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[CorpusFile]:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MILVUS_URI", raising=False)
    (tmp_path / "tea.md").write_text(TEA)
    with disable_run_logger():
        yield _read(DocumentSettings(sources=(str(tmp_path / "tea.md"),)))


@pytest.fixture
def collection(tmp_path: Path) -> ExistingChunks:
    """Of LlamaIndex: a chunk for each paragraph, and one that is in no document."""
    texts = [*TEXTS, "A submarine cable carries light between continents."]
    chunks = [(text, "tea.md", max(0, TEA.find(text))) for text in texts]
    write_llama_index(tmp_path / "rag.db", chunks, OfflineEmbedder().embed(texts))
    return ExistingChunks.model_validate({"milvus": str(tmp_path / "rag.db"), "collection": LLAMA_INDEX})


def with_vectors(of: ExistingChunks) -> ExistingChunks:
    return ExistingChunks.model_validate({**of.model_dump(), "fields": {"vector": "embedding"}})


class Asked(OfflineEmbedder):
    """Counts the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def embed(self, texts: Any) -> Any:
        self.texts += texts
        return super().embed(texts)


def made(of: ExistingChunks, corpus: CorpusFile, embedder: OfflineEmbedder) -> existing.ExistingIndex:
    return existing._index(of, corpus, EmbeddingSettings(), embedder)  # pyright: ignore[reportPrivateUsage]


def found(of: existing.ExistingIndex, mode: str) -> RetrievalResult:
    opened = of.index.open()
    with open_store(Environment()) as store:
        store.load(opened.collection)
        settings = RetrievalSettings.model_validate(mode)
        (hits,) = retrieve(opened, store, [QUERY], OfflineEmbedder().embed([QUERY]), settings, 30)
    return of.mapped.translated(RetrievalResult(hits={golden(corpus_at(of)).id: tuple(hits)}))


def corpus_at(of: existing.ExistingIndex) -> str:
    return of.mapped.spans[0].doc_id


def golden(doc_id: str) -> Golden:
    start = TEA.find(TEXTS[7])
    evidence = (Span(doc_id=doc_id, start=start, end=start + len(TEXTS[7])),)
    return golden_of(QUERY, "67 degrees").model_copy(update={"evidence": evidence, "metadata": {DATASET: "tea"}})


def scores(of: RetrievalResult, places: list[str] | None, corpus: Corpus, asked: Golden) -> dict[str, float]:
    gold = gold_of([asked], corpus)
    rows = score_retrieval(
        of.hits, gold, places, cutoffs=(1, 3), budgets=(64,), tokens=lambda span: span.end - span.start
    )
    return {row.metric: row.value for row in rows if "omega" not in row.metric}


@pytest.mark.parametrize("mode", ["bm25", "dense", "hybrid"])
def test_a_collection_is_searched_as_it_stands_and_scored_by_the_places_of_its_chunks(
    corpus: CorpusFile, collection: ExistingChunks, mode: str
) -> None:
    of = made(collection, corpus, OfflineEmbedder())
    assert (of.facts.chunks, of.facts.not_found, of.facts.repeated) == (13, 1, 0)
    assert of.facts.notices == ("1 of its 13 chunks could not be found in the documents, and count as irrelevant",)
    ranked = found(of, mode)
    asked = golden(corpus_at(of))
    assert ranked.hits[asked.id][0].id == asked.evidence[0].id
    assert ranked.texts[asked.evidence[0].id] == TEXTS[7]
    measured = scores(ranked, [chunk.place for chunk in of.mapped.chunks.values()], corpus.open(), asked)
    # one chunk is relevant, and it comes first
    assert (measured["recall@1"], measured["precision@3"], measured["mrr"]) == (1.0, pytest.approx(1 / 3), 1.0)


def test_its_own_vectors_are_searched_and_its_texts_are_not_embedded_again(
    corpus: CorpusFile, collection: ExistingChunks
) -> None:
    embedder = Asked()
    by_vectors = found(made(with_vectors(collection), corpus, embedder), "dense")
    assert len(embedder.texts) == 5  # by which the model is known
    by_texts = found(made(collection, corpus, OfflineEmbedder()), "dense")
    assert [hit.id for hit in next(iter(by_vectors.hits.values()))] == [
        hit.id for hit in next(iter(by_texts.hits.values()))
    ]
    with pytest.raises(InputError, match="vectors have 512 numbers, and offline-64 gives 64; name the model that made"):
        made(with_vectors(collection), corpus, OfflineEmbedder(64))


async def test_results_name_its_own_ids_and_can_be_measured_again_as_those_of_another_system(
    corpus: CorpusFile, collection: ExistingChunks, tmp_path: Path
) -> None:
    of = made(collection, corpus, OfflineEmbedder())
    ranked, asked = found(of, "bm25"), golden(corpus_at(of))
    places = [chunk.place for chunk in of.mapped.chunks.values()]
    before = scores(ranked, places, corpus.open(), asked)
    rows = tuple((asked.id, metric, value, None) for metric, value in before.items())
    system = System(name="theirs / bm25", chunking=collection.name, retrieval="bm25", chunks=13, mapping=of.facts)
    measured = SystemResult(
        system=system, ranked=ranked, scored=(ScoreResult(rows=rows),), index=of.index, mapped=of.mapped
    )
    test_set = TestSet(datasets=("tea",), goldens=(asked,), corpus=corpus, problems=())
    summary = await write_benchmark.fn(str(tmp_path / "out"), [measured], test_set, {"seed": 0}, "mrr", "")
    assert summary.mappings == {LLAMA_INDEX: of.facts}
    assert summary.cut_rates[0].cut == 0  # each paragraph is a chunk
    assert "could not be found in the documents" in (tmp_path / "out" / "report.html").read_text()
    (run,) = (tmp_path / "out" / "runs").iterdir()
    (chunks,) = (tmp_path / "out" / "chunks").iterdir()
    assert json.loads((tmp_path / "out" / "benchmark.json").read_text())["chunks"] == {
        system.name: f"chunks/{chunks.name}"
    }
    first = run.read_text().split()
    assert first[2] == f"acbe9f7f-23f0-463a-835e-{7:012d}"
    again = ask_system(ExternalSystem(name="again", runs=str(run), chunks=str(chunks)), [asked], corpus.open())
    assert again.hits == {
        id_: tuple(hit._replace(score=round(hit.score, 6)) for hit in hits) for id_, hits in ranked.hits.items()
    }


def test_goldens_are_made_of_exact_spans_of_the_documents(corpus: CorpusFile, collection: ExistingChunks) -> None:
    chunking = ChunkingSettings(existing=with_vectors(collection))
    embedder = Asked()
    of = index._index(corpus, chunking, EmbeddingSettings(), embedder)  # pyright: ignore[reportPrivateUsage]
    opened, documents = of.open(), corpus.open()
    chunks = opened.chunks(range(len(opened)))
    assert sorted(chunk.text for chunk in chunks) == sorted(TEXTS)
    assert all(documents.text(chunk.span) == chunk.text for chunk in chunks)
    assert [reject.reason for reject in of.rejects()] == ["not_in_documents"]
    assert len(embedder.texts) == 5
    assert len(list(of.all_chunks())) == 12


def test_without_documents_each_chunk_is_one(corpus: CorpusFile, collection: ExistingChunks) -> None:
    sources = DocumentSettings(sources=(collection.milvus,))
    alone = _read(sources, collection)
    assert (alone.documents, alone.name) == (13, LLAMA_INDEX)
    assert {document.sources[0][:8] for document in alone.open()} == {"acbe9f7f"}
    chunking = ChunkingSettings(existing=collection)
    of = index._index(alone, chunking, EmbeddingSettings(), OfflineEmbedder())  # pyright: ignore[reportPrivateUsage]
    assert (of.chunks, of.dropped) == (13, {})
    assert alone.hash != corpus.hash
