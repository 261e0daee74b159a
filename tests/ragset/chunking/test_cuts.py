from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragset.chunking import split
from ragset.chunking.cuts import Cuts, chunks_at, cut
from ragset.models import Document
from ragset.settings import ChunkingSettings

SMALL = ChunkingSettings(strategy="markdown", size=8, unit="words")
TEXTS = st.lists(st.text("ab# \n\u2028é", min_size=1, max_size=60), max_size=5, unique=True)


class Cutter:
    """Cuts documents, and knows which it was asked to cut."""

    def __init__(self, documents: list[Document], size: int = 8) -> None:
        self.settings = SMALL.model_copy(update={"size": size})
        self.documents = {document.id: document for document in documents}
        self.asked: list[str] = []

    def __call__(self, ids: list[str]) -> Iterator[bytes]:
        self.asked += ids
        return (cut(self.documents[key], self.settings)[0] for key in ids)


def documents_of(texts: list[str]) -> list[Document]:
    return sorted((Document.of(text, source="a", title="A") for text in texts), key=lambda document: document.id)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS)
def test_only_what_is_new_is_cut_and_all_chunks_are_those_of_split(
    tmp_path: Path, before: list[str], now: list[str]
) -> None:
    path = tmp_path / "cuts.txt"
    path.unlink(missing_ok=True)
    known: set[str] = set()
    for texts in (before, now, now):
        documents = documents_of(texts)
        cuts, cutter = Cuts(path, SMALL, "code"), Cutter(documents)
        cuts.update((document.id for document in documents), cutter)
        found = [chunks_at(*one) for one in zip(documents, cuts.lines(), strict=True)]
        assert found == [split(document, SMALL) for document in documents]
        assert set(cutter.asked) == cutter.documents.keys() - known
        known = set(cutter.documents)


@pytest.mark.parametrize(("size", "code", "cut_again"), [(8, "code", 0), (9, "code", 1), (8, "other", 1)])
def test_only_the_same_settings_and_code_cut_nothing_again(
    tmp_path: Path, size: int, code: str, cut_again: int
) -> None:
    documents = documents_of(["one two three four five six seven"])
    path, ids = tmp_path / "cuts.txt", [documents[0].id]
    Cuts(path, SMALL, "code").update(ids, Cutter(documents))
    cutter = Cutter(documents, size)
    Cuts(path, cutter.settings, code).update(ids, cutter)
    assert len(cutter.asked) == cut_again
