import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ragset.errors import StoreError
from ragset.settings.lock import locked


def test_a_second_holder_is_refused(tmp_path: Path) -> None:
    with locked(tmp_path / "lock"), pytest.raises(StoreError, match="another run"), locked(tmp_path / "lock"):
        pass


def test_the_lock_is_free_again_afterwards(tmp_path: Path) -> None:
    for _ in range(2):
        with locked(tmp_path / "new" / "lock"):
            pass


def test_an_error_inside_lets_the_lock_go(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path / "lock"):
        raise KeyError
    with locked(tmp_path / "lock"):
        pass


def test_a_killed_holder_leaves_no_lock_behind(tmp_path: Path) -> None:
    program = (
        "import pathlib, time; from ragset.settings.lock import locked\n"
        f"with locked(pathlib.Path({str(tmp_path / 'lock')!r})):\n"
        "    print('held', flush=True)\n    time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError), locked(tmp_path / "lock"):
            pass
        holder.kill()
    with locked(tmp_path / "lock"):
        pass


def test_another_thread_is_refused_too(tmp_path: Path) -> None:
    refused: list[bool] = []

    def try_it() -> None:
        try:
            with locked(tmp_path / "lock"):
                refused.append(False)
        except StoreError:
            refused.append(True)

    with locked(tmp_path / "lock"):
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()
    assert refused == [True]
