import json
from pathlib import Path
from typing import Any

from benchmarks.peers.measure import Measured, Run
from benchmarks.peers.table import Report


def run(**more: Any) -> Run:
    usual: dict[str, Any] = {"goldens": 20, "garbled": 0, "seconds": 12.4, "processor": 3.2, "asking": 5.0, "calls": 60}
    usual |= {"embeddings": 20, "tokens": 30_000}
    return Run(**usual | more)


def report(*measured: Measured) -> Report:
    return Report(20, 0.5, 16, 300, "2026-01-02", "3.11.7", list(measured))


def row(one: Measured) -> list[str]:
    return [cell.strip() for cell in report(one).markdown().splitlines()[4].strip("|").split("|")]


def test_a_row_says_what_a_golden_costs_and_what_each_fault_leaves() -> None:
    # 60 calls and 30,000 tokens for 20 goldens; (60 + 20) requests × 0.5 s ÷ 16 = 2.5 s of the 5 s of asking
    runs = {
        "undisturbed": run(),
        "errors": run(goldens=18, ended="ValueError: a | b\nc"),
        "malformed": run(garbled=3),
        "hung": run(goldens=0, ended="hung, stopped after 300 s"),
        "killed": run(calls=30),
        "again": run(calls=60),
    }
    assert row(Measured("a", "1.2", runs=runs))[:7] == ["a 1.2", "20", "3.0", "1,500", "20", "12 (3)", "0.50"]
    line = report(Measured("a", "1.2", runs=runs)).markdown().splitlines()[4]
    told = ["18 (ValueError: a \\| b c)", "20, 3 of them garbled", "0 (hung, stopped after 300 s)", "30 of 30 calls |"]
    assert line.endswith(" | ".join(told))
    runs["again"] = run(ended="hung, stopped after 300 s")
    assert row(Measured("a", "1.2", runs=runs))[-1] == "hung, stopped after 300 s"


def test_a_peer_that_was_not_installed_or_made_nothing_says_why() -> None:
    failed = row(Measured("a", failed="not installed: no wheel"))
    empty = row(Measured("a", "1", runs={"undisturbed": run(goldens=0, ended="KeyError: 'x'")}))
    silent = row(Measured("a", "1", runs={"undisturbed": run(goldens=0)}))
    assert [cells[:2] for cells in (failed, empty, silent)] == [
        ["a", "not installed: no wheel"],
        ["a 1", "KeyError: 'x'"],
        ["a 1", "made none"],
    ]
    assert len(failed) == len(empty) == 11


def test_the_files_hold_the_table_and_all_figures(tmp_path: Path) -> None:
    runs: dict[str, Run] = dict.fromkeys(("undisturbed", "errors", "malformed", "hung", "killed", "again"), run())
    written = report(Measured("a", "1", runs=runs), Measured("b", failed="no"))
    written.write(tmp_path / "out")
    assert (
        (tmp_path / "out" / "peers.md")
        .read_text()
        .startswith("2026-01-02, Python 3.11.7: 20 goldens, 16 calls at once of 0.5 s.")
    )
    told = json.loads((tmp_path / "out" / "peers.json").read_text())
    assert (told["date"], told["n"], told["latency"]) == ("2026-01-02", 20, 0.5)
    assert told["peers"][0]["runs"]["undisturbed"]["calls"] == 60
    assert told["peers"][0]["ideal"] == dict.fromkeys(runs, 0.5)
    assert told["peers"][1]["failed"] == "no"
