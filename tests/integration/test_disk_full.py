"""A disk without room: one line, nothing more is paid, and what was kept is not asked again."""

import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from ragset.settings.home import LEAST_FREE
from tests.fake_openai import Fake
from tests.integration.conftest import ROOT, Command, Ended, asked, url

pytestmark = [pytest.mark.slow, pytest.mark.service]
SMALL, ENOUGH = LEAST_FREE // 4, 4 * LEAST_FREE


def mounted(folder: Path, size: int) -> Generator[Path]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk needs the rights to do so")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def small(tmp_path: Path) -> Generator[Path]:
    yield from mounted(tmp_path / "small", SMALL)


@pytest.fixture
def enough(tmp_path: Path) -> Generator[Path]:
    yield from mounted(tmp_path / "enough", ENOUGH)


def errors(ended: Ended) -> list[str]:
    assert "Traceback" not in ended.err, ended.err
    return [line for line in ended.err.splitlines() if line.startswith("Error: ")]


def test_a_disk_that_is_too_small_is_told_before_anything_starts(command: Command, small: Path, tmp_path: Path) -> None:
    arguments = ["single-chunk", str(ROOT / "examples" / "corpus"), "--n", "3", "--out", str(tmp_path / "out")]
    ended = command.run(*arguments, RAGSET_HOME=str(small), PREFECT_API_URL="")
    assert ended.code == 2
    assert ended.err.count("\n") == 2  # "starting", and the error
    assert str(small) in ended.err
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    ended = command.run(*arguments, RAGSET_HOME=str(small), PREFECT_API_URL="")
    assert ended.code == 2
    assert ended.err == (
        f"starting\nError: RAGSET_HOME: {small} cannot be written (Read-only file system); let it be written, or name another "
        "folder\n"
    )


def test_a_disk_that_fills_up_ends_the_asking(
    command: Command, fake: Fake, corpus: Path, enough: Path, tmp_path: Path
) -> None:
    fake.set(latency=0.5)
    arguments = ["single-chunk", str(corpus), "--n", "20", "--model", "m", "--concurrency", "4"]
    arguments += ["--out", str(tmp_path / "out")]
    process = command.start(*arguments, **url(fake), RAGSET_HOME=str(enough), PREFECT_API_URL="")
    while process.poll() is None and len(asked(fake)) < 8:
        time.sleep(0.05)
    with (enough / "filler").open("wb") as file, pytest.raises(OSError, match="No space left"):  # noqa: PT012
        while True:
            file.write(b"0" * 65536)
            file.flush()
    full = time.time()
    out, err = process.communicate(timeout=400)
    ended = Ended(process.returncode, out, err)
    assert ended.code == 2, err
    assert len(errors(ended)) == 1, ended.err
    assert str(enough) in errors(ended)[0]
    late = [entry for entry in fake.log() if entry["started"] > full + 0.5]
    assert not late
    (enough / "filler").unlink()
    fake.set(latency=0.0)
    again = command.run(*arguments, **url(fake), RAGSET_HOME=str(enough))
    assert again.code in {0, 4}, again.err
    # replies that were under way when the disk was full to the last byte could not be kept
    assert len(asked(fake)) - len({*asked(fake)}) <= 4


def test_a_folder_for_the_dataset_without_room_is_named(command: Command, tmp_path: Path) -> None:
    for disk in mounted(tmp_path / "out", 16 * 1024):
        ended = command.run(
            "single-chunk", str(ROOT / "examples" / "corpus"), "--n", "3", "--out", str(disk / "dataset")
        )
        assert ended.code == 2
        assert len(errors(ended)) == 1, ended.err
        assert str(disk) in errors(ended)[0]


def test_files_that_may_not_grow_are_a_full_disk(command: Command, tmp_path: Path) -> None:
    """As a quota does; for this nobody needs rights."""
    words = ["single-chunk", str(ROOT / "examples" / "corpus"), "--n", "3", "--out", str(tmp_path / "out")]
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -f 300; exec "$@"', "limited", sys.executable, "-m", "flows", *words],
        cwd=ROOT,
        env={**command.env, "PREFECT_API_URL": ""},
        capture_output=True,
        text=True,
        timeout=400,
    )
    ended = Ended(limited.returncode, limited.stdout, limited.stderr)
    assert ended.code == 2, ended.err
    assert "no room on its disk" in errors(ended)[0]
