from pathlib import Path

import pytest

from flows.steps.finish import export_all
from ragset.errors import InputError
from ragset.settings import ExportSettings
from tasks.run.models import Account
from tests.small_dataset import corpus_of, golden_of, write_small


async def test_a_place_that_nobody_named_has_to_be_one_that_the_run_may_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_small(tmp_path / "demo", corpus_of(tmp_path), [golden_of()])
    monkeypatch.setenv("RAGSET_ROOTS", str(tmp_path / "demo"))
    # beside the dataset
    with pytest.raises(InputError, match=r"demo-jsonl\.jsonl is in no folder that runs may use"):
        await export_all(str(tmp_path / "demo"), (ExportSettings(to="jsonl"),), Account())
    assert await export_all(str(tmp_path / "demo"), (), Account()) == ()
