"""Runs on a real Ray, started for the run."""

from pathlib import Path

import pytest

from tests.fake_openai import Fake
from tests.integration.conftest import Command, asked, files_of, url

pytestmark = [pytest.mark.engines, pytest.mark.xdist_group("ray")]


def test_a_dataset_made_on_ray_is_that_of_one_process(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    words = ["single-chunk", str(corpus), "--chunk-size", "100", "--n", "8", "--model", "test-model"]
    words += ["--embedding", "offline"]
    beside = command.beside(tmp_path / "other")
    assert beside.run(*words, "--out", str(tmp_path / "local"), **url(fake)).code == 0
    wanted = asked(fake)
    fake.reset()
    ray = ["--out", str(tmp_path / "ray"), "--runner", "ray", "--workers", "2"]
    ended = command.run(*words, *ray, real=True, **url(fake))
    assert ended.code == 0, ended.err
    assert "auth" not in ended.err
    assert sorted(asked(fake)) == sorted(wanted)
    assert files_of(tmp_path / "ray") == files_of(tmp_path / "local")
