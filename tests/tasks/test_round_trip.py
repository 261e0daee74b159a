"""A batch searched for in a real index in Milvus Lite."""

from pathlib import Path

import pytest
from prefect.logging import disable_run_logger

from ragset.generation.checks import CheckSettings
from ragset.models import Candidate, Chunk, Span
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.index import build_index
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment
from tasks.batches import Batch, BatchResult, search_round_trip
from tasks.index import IndexFile
from tasks.run.models import Account

TEXTS = (
    "The tower clock of Salisbury was built in 1386 by three smiths from Delft.",
    "Three smiths from Delft came in 1386 to Salisbury, and built the clock of its tower.",
    "An incense clock burns evenly and smells of sandalwood.",
    "Green tea turns bitter above 80 °C. Steep it for two minutes.",
)
CHUNKS = tuple(Chunk(doc_id=f"{place}" * 16, start=0, end=len(text), text=text) for place, text in enumerate(TEXTS))
BUILT = Candidate(
    chunks=CHUNKS[:1],
    query="Who built the tower clock of Salisbury?",
    answer="Three smiths from Delft.",
    evidence=(Span(doc_id="0" * 16, start=0, end=len(TEXTS[0])),),
)
LOST = BUILT.model_copy(update={"chunks": CHUNKS[3:], "evidence": (CHUNKS[3].span,), "query": "incense sandalwood"})
NEAR_MISS = Candidate(
    chunks=CHUNKS[2:3],
    query="Who invented the incense clock?",
    metadata={"unanswerable": {"missing": "its inventor", "near": CHUNKS[2].id}},
)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> IndexFile:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path))
    monkeypatch.delenv("MILVUS_URI", raising=False)
    env = Environment()
    embedder = connect_embedder(EmbeddingSettings(), env)
    with open_store(env) as store:
        built = build_index(
            CHUNKS, corpus="clocks", chunking=ChunkingSettings(), embedder=embedder, home=tmp_path, store=store
        )
    return IndexFile(
        collection=built.collection,
        home=tmp_path,
        embedding=embedder.name,
        embedded_by=EmbeddingSettings(),
        generation=built.meta.digest,
        chunks=len(built),
        report=built.report,
    )


async def find(index: IndexFile, *candidates: Candidate, **checks: object) -> BatchResult:
    with disable_run_logger():
        batch = Batch(label="1–3", candidates=candidates)
        return await search_round_trip.fn(index, batch, CheckSettings.model_validate(checks), Account())


async def test_ranks_and_pools_come_from_the_index(index: IndexFile) -> None:
    grown = await find(index, BUILT, NEAR_MISS, holes=True, round_trip_by="hybrid", pool=2)
    built, near_miss = grown.batch.candidates
    assert built.metadata["round_trip"] == {"rank": 1, "k": 10, "by": "hybrid"}
    assert CHUNKS[1] in built.found
    assert CHUNKS[0] not in built.found
    assert near_miss.found[0] == CHUNKS[2]
    (found,) = grown.stages
    assert (found.stage, found.entered, found.left, found.rejects, found.usage) == ("find", 2, 2, (), ())


async def test_what_enters_leaves_or_is_rejected(index: IndexFile) -> None:
    grown = await find(index, BUILT, LOST, round_trip="filter", round_trip_k=1)
    (found,) = grown.stages
    assert found.entered == len(grown.batch.candidates) + len(found.rejects) == 2
    assert [reject.reason for reject in found.rejects] == ["not_found_again"]


async def test_words_alone_need_no_embedding(index: IndexFile) -> None:
    assert (await find(index, BUILT)).stages[0].embedded == ()
    assert (await find(index, BUILT, holes=True)).stages[0].embedded == (BUILT.query,)
