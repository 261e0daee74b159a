"""Documents read, cut and embedded by workers make the files that one process makes."""

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from prefect.logging import disable_run_logger

from ragset.documents.corpus import Corpus
from ragset.documents.isolated import Readers
from ragset.models import Document
from ragset.settings import ChunkingSettings, DocumentSettings, EmbeddingSettings
from tasks import reading
from tasks.documents import CorpusFile, read_corpus
from tasks.index import IndexFile, index_corpus
from tasks.run.models import Account
from tests.fake_openai import fake_openai
from tests.tasks.workers.fake_cluster import fake_workers

RECURSIVE = ChunkingSettings(size=64)
LLAMAINDEX = ChunkingSettings(strategy="llamaindex:SentenceSplitter")
SEMANTIC = ChunkingSettings(strategy="semantic", size=64)
OFFLINE, PAID = EmbeddingSettings(), EmbeddingSettings(model="test-embedding")

Move = Callable[[str], Path]


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Move]:
    """A function that goes on with the RAGSET_HOME of that name. Slabs and row groups are small."""
    monkeypatch.delenv("MILVUS_URI", raising=False)
    for name in ("reading._SLAB", "cutting._SLAB", "cutting._SLAB_TO_EMBED", "embedding._SLAB"):
        monkeypatch.setattr(f"tasks.{name}", 1)
    monkeypatch.setattr("ragset.retrieval.index.table.GROUP", 16)

    def move(name: str) -> Path:
        (tmp_path / name).mkdir(exist_ok=True)
        monkeypatch.setenv("RAGSET_HOME", str(tmp_path / name))
        return tmp_path / name

    with disable_run_logger():
        yield move


def clocks(changed: str = "") -> list[Document]:
    """Six documents, of which the last may be another text."""

    def text(number: int) -> str:
        lines = (f"Clock {number} of tower {line} strikes {number * line} times a day. It is old." for line in range(9))
        return f"# Clock {number}\n\n" + "\n\n".join(lines)

    texts = [text(number) for number in range(5)]
    return [Document.of(one, source=f"{n}.md") for n, one in enumerate([*texts, changed or text(5)])]


async def indexed(
    home: Path, documents: list[Document], chunking: ChunkingSettings, embedded_by: EmbeddingSettings = OFFLINE
) -> IndexFile:
    corpus = Corpus.write(home / "corpus.jsonl", documents)
    file = CorpusFile(
        key="clocks",
        name="clocks",
        path=corpus.path,
        hash=corpus.hash,
        documents=len(corpus),
        characters=corpus.characters,
        language="en",
        failures=(),
    )
    return await index_corpus.fn(file, chunking, embedded_by, Account(run="r"))


def files(home: Path) -> dict[str, bytes]:
    found = [*home.glob("corpora/*/*"), *home.glob("collections/*/*")]
    kept = (path for path in found if path.is_file() and path.suffix != ".lock" and not path.name.startswith("stored"))
    return {str(path.relative_to(home)): path.read_bytes() for path in kept}


async def test_what_workers_read_is_the_corpus_of_one_process(
    tmp_path: Path, at_home: Move, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for document in clocks():
        (docs / document.sources[0]).write_text(document.text)
    (docs / "again.md").write_bytes((docs / "3.md").read_bytes())
    (docs / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    settings = DocumentSettings(sources=(str(docs),))
    one = at_home("one")
    alone: Any = await read_corpus.fn(settings)
    many = at_home("many")
    idle: list[Readers] = []
    monkeypatch.setattr(reading, "_idle", idle)
    async with fake_workers(1) as workers:
        together = await read_corpus.fn(settings)
    for readers in idle:
        readers.close()
    assert workers.called == ["tasks.reading:read_slab"] * 8
    assert files(many) == files(one) != {}
    assert together.failures == alone.failures != ()
    assert not [*(many / "parts").iterdir()]


@pytest.mark.parametrize("chunking", [RECURSIVE, LLAMAINDEX], ids=lambda one: one.strategy)
async def test_what_workers_cut_and_embed_is_the_index_of_one_process(
    at_home: Move, chunking: ChunkingSettings
) -> None:
    one = at_home("one")
    alone = await indexed(one, clocks(), chunking)
    many = at_home("many")
    async with fake_workers(2) as workers:
        together = await indexed(many, clocks(), chunking)
    assert set(workers.called) == {"tasks.cutting:cut_slab", "tasks.embedding:embed_slab"}
    assert files(many) == files(one) != {}
    assert together.model_copy(update={"home": one}) == alone
    assert not [*(many / "parts").iterdir()]


async def test_what_did_not_change_is_neither_cut_nor_embedded_again(at_home: Move) -> None:
    many = at_home("many")
    changed = clocks("# Clock 5\n\nIt strikes no more, as its tower has fallen down.")
    async with fake_workers(2) as workers:
        await indexed(many, clocks(), RECURSIVE)
        workers.called.clear()
        after = await indexed(many, changed, RECURSIVE)
    assert workers.called == ["tasks.cutting:cut_slab", "tasks.embedding:embed_slab"]
    assert after.report.added == 1
    alone = await indexed(at_home("one"), changed, RECURSIVE)
    assert alone.generation == after.generation


async def test_embeddings_are_paid_once_and_cost_what_they_cost_in_one_process(
    at_home: Move, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_openai() as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        one = at_home("one")
        alone = await indexed(one, clocks(), SEMANTIC, PAID)
        asked = sorted(entry["digest"] for entry in fake.log())
        fake.reset()
        many = at_home("many")
        async with fake_workers(2):
            for _ in range(2):
                assert (await indexed(many, clocks(), SEMANTIC, PAID)).usage == alone.usage
        assert sorted(entry["digest"] for entry in fake.log()) == asked != []
    assert files(many) == files(one)
