import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.scale import Paragraphs, exponent, read_rows, tables, write_corpus

SIZES = [20, 1_000, 3_000, 10_000, 30_000, 100_000]


@given(st.floats(0.5, 2.0), st.floats(0.001, 10.0), st.floats(0.0, 0.01))
def test_the_exponent_of_a_power_law_is_found(power: float, factor: float, start: float) -> None:
    found = exponent(SIZES, [start, *(start + factor * size**power for size in SIZES[1:])])
    assert found
    assert found[0] == pytest.approx(power)


def test_the_exponent_has_the_interval_of_a_slope() -> None:
    # In decades x = 1, 2, 3, 4 and y = x ± s in turns (s = log10 2). The slope is 1 + (−1.5 + 0.5 + 0.5 − 1.5)s/5 = 1 − 0.4s.
    # The rest is 0.4s, −1.2s, 1.2s, −0.4s, of which the squares sum up to 3.2s²: its error is √(3.2s²/2/5) = 0.566s, and the
    # quantile of t with two degrees of freedom 4.303.
    s = 0.30103
    found = exponent([1, 10, 100, 1_000, 10_000], [0, 20, 50, 2_000, 5_000])
    assert found
    value, low, high = found
    assert value == pytest.approx(1 - 0.4 * s, abs=1e-3)
    assert (high - value, value - low) == pytest.approx((4.303 * 0.566 * s,) * 2, abs=2e-3)


def test_what_does_not_rise_above_the_start_is_not_fitted() -> None:
    assert exponent([1, 10, 100, 1_000, 10_000], [10.0, 10.1, 10.5, 11.0, 11.5]) is None
    assert exponent([1, 10, 100, 1_000, 10_000], [0, 0, 0, 0, 0]) is None


def test_a_cost_that_stays_the_same_above_the_start_has_the_exponent_0() -> None:
    assert exponent([1, 10, 100, 1_000, 10_000], [32, 302, 302, 302, 302]) == pytest.approx((0, 0, 0))


def test_a_size_that_was_measured_is_read_again_and_half_a_line_is_not(tmp_path: Path) -> None:
    row = {
        "curve": "index",
        "asked": 20,
        "size": 21,
        "seconds": 1.0,
        "processor": 1.0,
        "memory": 9.0,
        "disk": 1.0,
        "calls": 0,
    }
    file = tmp_path / "scale.jsonl"
    file.write_text(f'{json.dumps(row)}\n{{"curve": "ind', encoding="utf-8")
    assert read_rows(file) == [row]
    assert read_rows(tmp_path / "none.jsonl") == []


def test_a_table_has_a_line_for_each_size_and_the_exponents() -> None:
    rows = [
        {
            "curve": "index",
            "asked": size,
            "size": size,
            "calls": 0,
            **dict.fromkeys(("processor", "memory", "disk"), 5.0),
        }
        | {"seconds": size / 10}
        for size in SIZES
    ]
    (_, _, *lines) = tables(rows)
    assert len(lines) == len(SIZES) + 2
    assert lines[-1].startswith("| exponent | 1.00 (")
    assert lines[-1].endswith("|  |")


def test_documents_are_the_same_each_time_until_their_version_changes(tmp_path: Path) -> None:
    write_corpus(tmp_path, 400)
    before = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert len(before) == 20
    write_corpus(tmp_path, 400)
    write_corpus(tmp_path, 400, version=1, every=10)
    changed = [name for name, text in before.items() if (tmp_path / name).read_text(encoding="utf-8") != text]
    assert sorted(changed) == ["000000.txt", "000010.txt"]


def test_paragraphs_are_about_a_chunk_each() -> None:
    paragraphs = Paragraphs().document(0).strip().split("\n\n")
    assert len(paragraphs) == 20
    assert 800 < sum(map(len, paragraphs)) / 20 < 1_200
