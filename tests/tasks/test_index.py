"""Runs that index the same documents at the same time, as their tasks do."""

from collections.abc import Generator
from pathlib import Path

import pytest
from prefect.logging import disable_run_logger

from ragset.errors import StoreError
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.index.uses import let_go
from ragset.settings import ChunkingSettings, ContextSettings, DocumentSettings, EmbeddingSettings
from tasks.documents import _read  # pyright: ignore[reportPrivateUsage]
from tasks.index import IndexFile, _index  # pyright: ignore[reportPrivateUsage]
from tasks.run.progress import watch
from tasks.sampling import _expand  # pyright: ignore[reportPrivateUsage]

TEA = "\n\n".join(
    f"Green tea number {n} turns bitter when the water is hotter than {60 + n} degrees." for n in range(30)
)
REFERENCES = (
    "\n\n## References\n\n1. Ukers, W. H. All About Tea. New York, 1935.\n2. Okakura, K. The Book of Tea. 1906.\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """Documents, with a home of their own for what is made of them."""
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MILVUS_URI", raising=False)
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in "ab":
        (docs / f"{name}.md").write_text(f"# Tea of {name}\n\n{TEA.replace('tea', f'tea {name}')}{REFERENCES}")
    with disable_run_logger():
        yield docs


def indexed(folder: Path, *, drop_references: bool = False) -> IndexFile:
    corpus = _read(DocumentSettings(sources=(str(folder),), drop_references=drop_references))
    return _index(corpus, ChunkingSettings(size=32), EmbeddingSettings(), OfflineEmbedder())


def goes_on(index: IndexFile, ids: list[str], texts: list[str]) -> None:
    """It has the chunks that it began with, in its files and in Milvus."""
    opened = index.open()
    assert opened.ids == ids
    assert [chunk.text for chunk in opened.chunks(range(len(ids)))] == texts
    grown = _expand(index, list(range(len(ids))), ContextSettings(), 20, [])
    assert len(grown.contexts) > 5
    assert {row for context in grown.contexts for row in context.rows} <= set(range(len(ids)))


def contents(index: IndexFile) -> tuple[list[str], list[str]]:
    opened = index.open()
    return opened.ids, [chunk.text for chunk in opened.chunks(range(len(opened)))]


def test_a_run_goes_on_while_another_cleans_the_same_documents_otherwise(folder: Path) -> None:
    mine = indexed(folder, drop_references=True)
    before = contents(mine)
    other = indexed(folder)
    assert other.chunks > mine.chunks
    assert other.report.removed == 0
    goes_on(mine, *before)


@pytest.mark.parametrize("edit", ["changed", "added", "gone"])
def test_a_run_goes_on_while_another_indexes_documents_that_were_edited(folder: Path, edit: str) -> None:
    mine = indexed(folder)
    before = contents(mine)
    if edit == "gone":
        (folder / "b.md").unlink()
    else:
        (folder / ("b.md" if edit == "changed" else "c.md")).write_text("# Coffee\n\n" + TEA.replace("tea", "coffee"))
    other = indexed(folder)
    assert other.collection == mine.collection
    assert other.generation != mine.generation
    goes_on(mine, *before)
    assert contents(other) != before


def test_a_run_whose_chunks_are_gone_is_told_what_it_began_with_and_that_nothing_is_lost(folder: Path) -> None:
    mine = indexed(folder)
    let_go(mine.home / "collections" / mine.collection, mine.generation)
    (folder / "b.md").unlink()
    indexed(folder)
    said = rf"has other chunks now .*began with {mine.chunks} chunks.*Run the same command again: nothing"
    with pytest.raises(StoreError, match=said):
        mine.open()


def test_what_is_dropped_stays_as_long_as_the_run_and_other_machines_get_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGSET_STORAGE", f"memory://dropped-{tmp_path.name}/ragset")
    mine = indexed(folder)
    rejects = list(mine.rejects())
    assert mine.dropped == {"repeated": len(rejects)} != {"repeated": 0}  # the references of both documents
    chunks = list(mine.all_chunks())
    assert len(chunks) == mine.chunks + len(rejects)
    (folder / "b.md").write_text(f"# Coffee{REFERENCES}")
    later = indexed(folder)
    assert later.generation != mine.generation
    assert list(mine.rejects()) == rejects != list(later.rejects())
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "elsewhere"))
    there = mine.model_copy(update={"home": tmp_path / "not-there"})
    assert list(there.rejects()) == rejects


def test_a_large_corpus_in_milvus_lite_is_told_that_a_server_would_hold_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.index._MANY", 10)
    shown = watch()
    mine = indexed(folder)
    indexed(folder)  # writes nothing
    (notice,) = shown.notices
    assert f"all {mine.chunks} chunks" in notice
    assert "MILVUS_URI" in notice
