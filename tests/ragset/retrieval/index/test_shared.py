import uuid
from pathlib import Path

import numpy as np
import pytest

from ragset.retrieval.index import Index, open_index
from ragset.retrieval.index.build import build_index
from ragset.retrieval.index.shared import bring_index
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, Environment
from tests.homes import other_home
from tests.ragset.retrieval.index.test_build import Counting, chunk, corpus


@pytest.fixture(autouse=True)
def _storage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_STORAGE", f"memory://shared-{uuid.uuid4().hex}/ragset")


def build(home: Path, embedder: Counting, size: int = 4) -> Index:
    with open_store(Environment(_env_file=None, ragset_home=home, milvus_uri=None)) as store:  # type: ignore[call-arg]
        chunks = [*corpus(size=size), chunk("d", 0)]
        settings = ChunkingSettings()
        return build_index(chunks, corpus="tea", chunking=settings, embedder=embedder, home=home, store=store)


def test_what_one_machine_has_embedded_another_does_not_embed_again() -> None:
    with other_home() as first:
        there = build(first.path, embedder := Counting())
        assert len(embedder.seen) == 13
    with other_home() as second:
        here = build(second.path, embedder := Counting())
        assert embedder.seen == []
        assert np.array_equal(here.vectors, there.vectors)
        more = build(second.path, embedder, size=5)
        assert len(embedder.seen) == 3
    # a worker on a third opens the very generation that its run began with, though there is a newer one
    with other_home() as third:
        for index in (there, more):
            bring_index(third.path, index.folder.name, index.meta.digest)
            opened = open_index(third.path, index.folder.name, index.meta.digest)
            assert opened.ids == index.ids
            assert np.array_equal(opened.vectors, index.vectors)
            assert opened.chunks([0]) == index.chunks([0])


def test_nothing_is_brought_where_nothing_was_shared() -> None:
    with other_home() as home:
        bring_index(home.path, "ragset_none")
        bring_index(home.path, "ragset_none", "0123")
        assert not (home.path / "collections" / "ragset_none" / "meta.json").exists()
