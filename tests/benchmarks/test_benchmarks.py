from importlib import import_module
from pathlib import Path

import pytest

import benchmarks
from benchmarks.__main__ import NAMES

FILES = Path(benchmarks.__file__).parent.glob("*.py")
PROGRAMS = [path.stem for path in FILES if "__main__" in path.read_text() and path.stem != "__main__"]


@pytest.mark.parametrize("name", sorted({*NAMES, *PROGRAMS, "peers.__main__"}))
def test_a_benchmark_is_a_program_that_can_be_imported(name: str) -> None:
    assert callable(import_module(f"benchmarks.{name}").main)
