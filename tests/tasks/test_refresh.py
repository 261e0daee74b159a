from pathlib import Path

import numpy as np
import pytest
from prefect.logging import disable_run_logger

from ragset.documents import Failure
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Document, Reject, Span
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.index import build_index
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.refresh import RealignResult, realign_goldens
from tests.small_dataset import TEA, chunk_of, corpus_of, golden_of, write_small

BLACK = Document.of("Black tea may be steeped in boiling water for four minutes and more.", source="black.md")


async def realigned(
    tmp_path: Path,
    *documents: Document,
    failed: tuple[Failure, ...] = (),
    equivalent: bool = False,
    rejects: tuple[Reject, ...] = (),
) -> RealignResult:
    """A dataset of TEA and BLACK with a golden of each, in a corpus of these documents."""
    goldens = [golden_of(), golden_of("How long may black tea steep?", document=BLACK, evidence=((0, 41),))]
    if equivalent:
        goldens[1] = goldens[1].model_copy(update={"equivalents": (Span(doc_id=TEA.id, start=36, end=61),)})
    write_small(tmp_path / "teas", corpus_of(tmp_path, TEA, BLACK), goldens, rejects)
    corpus: Corpus = corpus_of(tmp_path / "now", *documents)
    env = Environment()
    with open_store(env) as store:
        index = build_index(
            [chunk_of(document) for document in documents],
            corpus="teas",
            chunking=ChunkingSettings(),
            embedder=connect_embedder(EmbeddingSettings(), env),
            home=env.ragset_home,
            store=store,
            corpus_hash=corpus.hash,
        )
    file = IndexFile(
        collection=index.collection,
        home=env.ragset_home,
        embedding="offline-512",
        embedded_by=EmbeddingSettings(),
        generation=index.meta.digest,
        chunks=len(index),
        report=index.report,
    )
    assert np.all(index.starts == 0)
    now = CorpusFile(
        key="teas",
        name="teas",
        path=corpus.path,
        hash=corpus.hash,
        documents=len(corpus),
        characters=1,
        failures=failed,
    )
    with disable_run_logger():
        return await realign_goldens.fn(str(tmp_path / "teas"), now, file)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))


async def test_chunks_with_evidence_are_taken_and_stale_goldens_are_rejects_with_their_text(tmp_path: Path) -> None:
    found = await realigned(tmp_path, TEA, Document.of("White tea is another matter altogether.", source="white.md"))
    (kept,) = found.kept
    assert kept.query == golden_of().query
    assert len(found.taken) == 1
    assert not found.same
    (stale,) = found.rejects
    assert (stale.stage, stale.reason, stale.query) == ("refresh", "stale", "How long may black tea steep?")
    assert stale.detail.endswith("stands nowhere else. Black tea may be steeped in boiling water")
    assert stale.chunks == ()


async def test_documents_of_the_same_texts_are_the_same_corpus(tmp_path: Path) -> None:
    found = await realigned(tmp_path, TEA, BLACK)
    assert found.same
    assert len(found.taken) == len(found.kept) == 2


async def test_nothing_is_drawn_again_from_what_people_took_out(tmp_path: Path) -> None:
    white = Document.of("White tea is another matter altogether.", source="white.md")
    removed, poor, gone = (
        Reject(stage=stage, reason="trivial", chunks=(chunk_of(document).id,))
        for stage, document in (("review", white), ("judge", white), ("review", BLACK))
    )
    found = await realigned(tmp_path, TEA, white, rejects=(removed, poor, gone))
    assert found.removed == found.rejects[:1] == (removed,)
    assert len(found.taken) == 2
    assert chunk_of(white).span in found.passages


async def test_a_document_that_cannot_be_read_for_once_does_not_cost_its_goldens(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"documents that cannot be read now.*\n  black\.md: timed out"):
        await realigned(tmp_path, TEA, failed=(Failure(source="black.md", reason="timed out"),))


async def test_other_documents_altogether_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of its documents and none of its evidence is in teas"):
        await realigned(tmp_path, Document.of("Nothing of the kind.", source="else.md"))


async def test_nor_does_an_equivalent_stand_in_for_one_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be read now.*\n  black\.md: timed out"):
        await realigned(tmp_path, TEA, failed=(Failure(source="black.md", reason="timed out"),), equivalent=True)
    (_, other) = (await realigned(tmp_path, TEA, equivalent=True)).anchored
    assert (other.fate, other.anchors[0].promoted) == ("moved", True)
