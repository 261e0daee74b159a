from importlib import import_module
from pathlib import Path

import pytest

import benchmarks
from benchmarks.__main__ import NAMES


@pytest.mark.parametrize(
    "name",
    [
        *NAMES,
        "adapter",
        "chroma",
        "hardness",
        "label",
        "negatives",
        "queries",
        "review",
        "scale",
        "validity",
    ],
)
def test_a_benchmark_is_a_program_that_can_be_imported(name: str) -> None:
    assert callable(import_module(f"benchmarks.{name}").main)


def test_no_benchmark_is_left_out() -> None:
    programs = {path.stem for path in Path(benchmarks.__file__).parent.glob("*.py")}
    assert programs == {
        *NAMES,
        "adapter",
        "chroma",
        "hardness",
        "label",
        "negatives",
        "queries",
        "review",
        "exponents",
        "scale",
        "validity",
        "shared",
        "validity_tables",
        "__init__",
        "__main__",
    }
