from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragset.chunking import cuts, split
from ragset.chunking.cuts import Cuts
from ragset.models import Document
from ragset.settings import ChunkingSettings

SMALL = ChunkingSettings(strategy="markdown", size=8, unit="words")
TEXTS = st.lists(st.text("ab# \n\u2028é", min_size=1, max_size=60), max_size=5, unique=True)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS)
def test_what_was_cut_before_is_cut_alike(tmp_path: Path, before: list[str], now: list[str]) -> None:
    path = tmp_path / "cuts.txt"
    path.unlink(missing_ok=True)
    for texts in (before, now, now):
        documents = [Document.of(text, source="a", title="A") for text in texts]
        kept = Cuts(path, SMALL, "code")
        assert [kept.split(document) for document in documents] == [split(document, SMALL) for document in documents]
        kept.write()


@pytest.mark.parametrize(("size", "code", "cut"), [(8, "code", 0), (9, "code", 1), (8, "other", 1)])
def test_only_the_same_settings_and_code_cut_nothing_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, code: str, cut: int
) -> None:
    document = Document.of("one two three four five six seven", source="a")
    kept = Cuts(tmp_path / "cuts.txt", SMALL, "code")
    kept.split(document)
    kept.write()
    seen: list[str] = []
    monkeypatch.setattr(cuts, "split", lambda found, given: seen.append(found.id) or split(found, given))
    Cuts(tmp_path / "cuts.txt", SMALL.model_copy(update={"size": size}), code).split(document)
    assert len(seen) == cut
