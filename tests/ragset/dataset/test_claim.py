import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from ragset.dataset.swap import claimed, unclaimed
from ragset.errors import InputError
from ragset.settings.lock import hold


def test_a_second_run_into_a_folder_is_refused_and_told_what_to_do(tmp_path: Path) -> None:
    with (
        claimed(tmp_path / "out" / "demo"),
        pytest.raises(InputError, match=r"demo: another run is writing it; wait for that run, or name another folder"),
        claimed(tmp_path / "link" / ".." / "out" / "demo"),
    ):
        pass


def test_a_folder_is_free_when_the_run_has_ended_and_nothing_is_left(tmp_path: Path) -> None:
    for _ in range(2):
        with claimed(tmp_path / "demo"):
            pass
    assert list(tmp_path.iterdir()) == []


def test_the_claim_of_a_killed_run_does_not_count(tmp_path: Path) -> None:
    program = "import os, sys; from pathlib import Path; from ragset.dataset.swap import claimed\nwith claimed(Path(sys.argv[1])): os._exit(9)"
    assert subprocess.run([sys.executable, "-c", program, str(tmp_path / "demo")], check=False).returncode == 9
    with claimed(tmp_path / "demo"):
        pass


def test_another_run_may_write_while_this_one_waits(tmp_path: Path) -> None:
    with claimed(tmp_path / "out"):
        with unclaimed(tmp_path / "out"), claimed(tmp_path / "out"):
            pass
        with pytest.raises(InputError, match="another run"), claimed(tmp_path / "out"):
            pass


def test_a_folder_that_another_run_writes_is_not_claimed_again(tmp_path: Path) -> None:
    with claimed(tmp_path / "out"), ExitStack() as waiting:
        waiting.enter_context(unclaimed(tmp_path / "out"))
        other = hold(tmp_path / ".out.lock")
        assert other is not None
        with pytest.raises(InputError, match="another run"):
            waiting.close()
        os.close(other)


@pytest.mark.parametrize("before", [False, True])
def test_what_another_run_wrote_while_this_one_waited_is_not_replaced(tmp_path: Path, before: bool) -> None:
    out = tmp_path / "out"
    if before:
        out.mkdir()
        (out / "manifest.json").write_text("before")
        os.utime(out / "manifest.json", ns=(1, 1))
    with claimed(out), ExitStack() as waiting:
        waiting.enter_context(unclaimed(out))
        out.mkdir(exist_ok=True)
        (out / "manifest.json").write_text("theirs")
        with pytest.raises(InputError, match="out: another run has written it while this one waited"):
            waiting.close()


def test_notes_beside_the_dataset_do_not_matter(tmp_path: Path) -> None:
    with claimed(tmp_path / "out"), unclaimed(tmp_path / "out"):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "notes.txt").write_text("see page 3")
