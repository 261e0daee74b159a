from typing import Any

import pytest

from flows.results import print_benchmark
from ragset.foreign import Unaligned
from tasks.progress import Progress
from tasks.results import ResultsSummary
from tests.small_results import standing_of

PROBLEMS = tuple(Unaligned(where=f"questions.json: {number}", reason="has no answer") for number in range(10))


def summary(*names: str, leaders: tuple[str, ...] = (), **more: Any) -> ResultsSummary:
    fields: dict[str, Any] = {
        "folder": "out/b",
        "report": "out/b/report.html",
        "goldens": 12,
        "problems": 0,
        "primary": "recall@5",
        "leaders": leaders or names[:1],
        "standings": tuple(standing_of(name, 0.5, n=12) for name in names),
        "comparisons": (),
        "smallest_difference": None,
        "agreements": (),
    }
    return ResultsSummary(**{**fields, **more})


def said(capsys: pytest.CaptureFixture[str], given: ResultsSummary) -> tuple[str, str]:
    print_benchmark(given, Progress(), 10)
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_a_single_configuration_is_not_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, summary("prod"))
    assert "1 configuration in 10 s" in out
    assert "Best" not in out
    assert "goldens" not in out


def test_a_winner_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, summary("good", "bad", smallest_difference=0.2))
    assert "Best: good" in out
    assert "*" not in out
    assert "12 goldens show a difference of 0.200 in 4 of 5 cases." in out
    assert "2 configurations in 10 s" in out


def test_in_a_pipe_those_that_are_not_told_apart_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, summary("a", "b", "c", leaders=("a", "c")))
    lines = [line.split()[:2] for line in out.splitlines()]
    assert ["a", "*"] in lines
    assert ["c", "*"] in lines
    assert ["b", "*"] not in lines
    assert "The data do not tell the 2 configurations marked * from each other." in out
    assert "bold" not in out


def test_where_scores_hardly_differ_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, summary("a", "b", smallest_difference=0.404, spread_assumed=True))
    assert "Scores hardly differ here from query to query; the spread cannot be told." in out
    assert "By a cautious guess of it, 0.5, 12 goldens show a difference of 0.404" in out


def test_too_few_goldens_show_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    few = summary("a", "b", standings=(standing_of("a", 1.0, n=5), standing_of("b", 0.0, n=5)))
    out, _ = said(capsys, few)
    assert "5 goldens can show no difference: it takes 6 or more." in out


def test_records_that_could_not_be_used_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = said(capsys, summary("a", problems=13, first_problems=PROBLEMS))
    assert "13 records of the datasets could not be used:" in err
    assert all(f"{problem.where}: has no answer" in err for problem in PROBLEMS)
    assert "and 3 more, all in out/b/benchmark.json" in err
    _, err = said(capsys, summary("a", problems=1, first_problems=PROBLEMS[:1]))
    assert "1 record of the datasets could not be used:" in err
    assert "more" not in err


def test_why_another_metric_ranks_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, summary("a", primary_basis="Ranked by ndcg@10, as whole documents are the evidence here."))
    assert "Ranked by ndcg@10, as whole documents are the evidence here." in out
