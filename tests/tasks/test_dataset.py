from pathlib import Path
from typing import Any

import pytest

from ragset.dataset import read_dataset, write_dataset
from ragset.errors import InputError
from tasks.dataset import Work, write_test_set
from tests.small_dataset import corpus_of, golden_of, manifest_of


async def test_goldens_are_not_replaced_by_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    corpus = corpus_of(tmp_path)
    golden = golden_of()
    manifest = manifest_of(corpus)
    write_dataset(tmp_path / "out", goldens=[golden], rejects=[], corpus=corpus, manifest=manifest, report="")
    nothing = Work(
        kind="single-chunk",
        wanted=3,
        goldens=(),
        rejects=(),
        usage=(),
        funnel=(),
        ended="budget spent",
        prompts=(),
        generator="m",
        critic="m",
        seed=0,
        parameters={},
    )
    unread: Any = None
    with pytest.raises(InputError, match="holds 1 golden, and this run made none"):
        await write_test_set.fn(str(tmp_path / "out"), nothing, unread, unread)
    assert read_dataset(tmp_path / "out").goldens == (golden,)
