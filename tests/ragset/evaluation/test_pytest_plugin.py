"""pytest over a test set, run in this process on the tests of a team."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

# Imported before pytester notes what is there: it takes away what a run imports, and these cannot be imported twice.
import ir_measures
import pandas as pd
import pyarrow as pa
import pytest
import scipy.stats

from ragset.evaluation import evaluate, evaluation, golden_case
from ragset.evaluation.golden_case import case_ids
from ragset.models import Document, Golden
from tests.small_dataset import corpus_of, golden_of, write_small

pytest_plugins = ["pytester"]
LOADED = (ir_measures, pd, pa, scipy.stats, evaluate, evaluation, golden_case)

TEXTS = [f"Lamp number {number} stands at kilometre {number * 7} of the quay." for number in range(12)]
DOCUMENTS = [Document.of(text, source=f"{number}.md") for number, text in enumerate(TEXTS)]
GOLDENS = [
    golden_of(
        f"Where does lamp {number} stand?", f"At kilometre {number * 7}.", document=one, evidence=((0, len(one.text)),)
    )
    for number, one in enumerate(DOCUMENTS)
]
Run = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs tests of a team whose search finds the evidence of the first `good` goldens."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # two versions of a file within a second would be one
    write_small(tmp_path / "lamps", corpus_of(tmp_path / "given", *DOCUMENTS), GOLDENS)

    def ran(tests: str, *options: str, good: int = 12, dataset: bool = True) -> pytest.RunResult:
        pytester.makepyfile(test_rag=_source(tests, good))
        named = [f"--ragset={tmp_path / 'lamps'}"] if dataset else []
        return pytester.runpytest_inprocess(
            "-p", "ragset.evaluation.pytest_plugin", "-p", "no:asyncio", *named, *options
        )

    return ran


def _source(tests: str, good: int) -> str:
    head = "import pytest\n\n" + f"TEXTS = {TEXTS!r}\n\ndef search(query):\n    number = int(query.split()[3])\n"
    return head + f"    return [TEXTS[number if number < {good} else 0]]\n\n{tests}\n"


HITS = "def test_search(golden):\n    golden.assert_hit(search(golden.query), k=1)\n"
SCORES = "def test_search(golden):\n    golden.score(search(golden.query), ['hit_rate@1'])\n"


def test_a_test_runs_once_for_each_golden_and_names_it_by_its_query(run: Run) -> None:
    result = run(HITS, "-v", good=11)
    result.assert_outcomes(passed=11, failed=1)
    result.stdout.fnmatch_lines(["test_rag.py::test_search[[]where-does-lamp-3-stand[]] PASSED*"])
    result.stdout.fnmatch_lines(
        [
            "*AssertionError: none of the first 1 passages holds evidence",
            "*query: Where does lamp 11 stand?",
            "*evidence: Lamp number 11 stands at kilometre 77 of the quay.",
        ]
    )
    # 11 of 12
    result.stdout.fnmatch_lines(["test_rag.py::test_search: 12 goldens", "  hit_rate@1 *0.917  0.*"])


def test_the_summary_tells_a_fall_from_noise(run: Run) -> None:
    assert "last run" not in run(SCORES).stdout.str()
    run(SCORES).stdout.fnmatch_lines(["  hit_rate@1 *1.000 *as in the last run"])
    # one of 12 differs: p is 1; then 11 of 12: below 0.05
    one = run(SCORES, good=11).stdout
    one.fnmatch_lines(["  hit_rate@1 *-0.083 since the last run: within noise (p 1.000)"])
    one.fnmatch_lines(["  1.00 → 0.00 hit_rate@1: Where does lamp 11 stand[?]"])
    run(SCORES, good=0).stdout.fnmatch_lines(
        ["  hit_rate@1 *-0.833 since the last run: fell by more than noise (p 0.0*)"]
    )


def test_a_part_of_the_goldens_is_compared_with_their_own_last_scores(run: Run) -> None:
    run(SCORES)
    part = run(SCORES, "-k", "lamp-1-", good=0)
    part.stdout.fnmatch_lines(
        ["test_rag.py::test_search: 1 golden", "  1.00 → 0.00 hit_rate@1: Where does lamp 1 stand[?]"]
    )
    run(SCORES, good=12).stdout.fnmatch_lines(["  0.00 → 1.00 hit_rate@1: Where does lamp 1 stand[?]"])


MARKED = "@pytest.mark.ragset(at_least={'hit_rate@1': 0.9})\n" + SCORES


@pytest.mark.parametrize(("good", "code"), [(12, 0), (10, 0), (4, 1)])
def test_a_threshold_fails_only_beyond_noise(run: Run, good: int, code: int) -> None:
    result = run(MARKED, "--strict-markers", good=good)
    assert result.ret == code
    result.assert_outcomes(passed=13 - code, failed=code)
    if code:
        told = "hit_rate@1 is 0.333 (95 % interval 0.* to 0.*) on 12 goldens, which is below 0.9"
        result.stdout.fnmatch_lines([f"*{told}", "FAILED test_rag.py::test_search[[]hit_rate@1 >= 0.9[]]*"])


def test_junit_has_the_scores_as_properties_and_each_threshold_as_a_case(run: Run, pytester: pytest.Pytester) -> None:
    run(MARKED, "--junit-xml=out.xml", good=4)
    cases = {case.get("name"): case for case in ElementTree.parse(pytester.path / "out.xml").iter("testcase")}
    assert len(cases) == 13
    properties = {
        one.get("name"): one.get("value") for one in cases["test_search[where-does-lamp-5-stand]"].iter("property")
    }
    assert properties == {"golden": GOLDENS[5].id, "hit_rate@1": "0"}
    failure = cases["test_search[hit_rate@1 >= 0.9]"].find("failure")
    assert failure is not None
    assert "hit_rate@1 is 0.333" in str(failure.get("message"))


def test_answers_and_recall_are_asserted(run: Run) -> None:
    tests = (
        "def test_answer(golden):\n"
        "    golden.assert_answer(golden.answer if '3' not in golden.query else 'Nobody knows')\n"
        "def test_recall(golden):\n"
        "    golden.assert_recall(search(golden.query), tokens=64)\n"
    )
    result = run(tests)
    result.assert_outcomes(passed=23, failed=1)
    result.stdout.fnmatch_lines(["*AssertionError: token_f1 is 0.00, below 0.5", "*the reference: 'At kilometre 21.'"])
    result.stdout.fnmatch_lines(["test_rag.py::test_answer: 12 goldens", "  token_f1 *0.917*"])


def test_a_whole_evaluation_joins_the_summary(run: Run) -> None:
    tests = "def test_all(ragset_evaluate):\n    ragset_evaluate(search).assert_at_least('mrr', 0.9)\n"
    run(tests).stdout.fnmatch_lines(["test_rag.py::test_all: 12 goldens", "  recall@512tokens *1.000*"])
    fallen = run(tests, good=3)
    fallen.assert_outcomes(failed=1)
    fallen.stdout.fnmatch_lines(["*AssertionError: search: mrr is 0.250 *"])
    fallen.stdout.fnmatch_lines(["  mrr *0.250 *-0.750 since the last run: fell by more than noise*"])


def test_a_sample_is_the_same_each_time(run: Run) -> None:
    names = [re.findall(r"test_search\[(.*?)\]", run(SCORES, "-v", "--ragset-sample=4").stdout.str()) for _ in range(2)]
    assert len(names[0]) == 4
    assert names[0] == names[1]


def test_without_a_test_set_such_tests_are_skipped_and_a_wrong_one_is_a_usage_error(run: Run, tmp_path: Path) -> None:
    run(HITS, dataset=False).assert_outcomes(skipped=1)
    wrong = run(HITS, f"--ragset={tmp_path / 'nowhere'}", dataset=False)
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR
    wrong.stderr.fnmatch_lines(["ERROR: ragset: *nowhere: there is no such file or folder"])


def test_workers_of_xdist_send_their_scores(run: Run) -> None:
    result = run(MARKED, "-p", "xdist", "-n", "1", good=4)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["test_rag.py::test_search: 12 goldens", "  hit_rate@1 *0.333*"])


def test_ids_are_readable_and_unique() -> None:
    queries = ("Où est le café ?", "Où est le café?", "灯台はどこですか", "x" * 90)
    goldens: list[Golden] = [golden_of(query) for query in queries]
    first, second, third, long = case_ids(goldens)
    assert first.startswith("ou-est-le-cafe-")
    assert first != second
    assert third == goldens[2].id
    assert len(long) == 60
