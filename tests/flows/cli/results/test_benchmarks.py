from typing import Any

import pytest

from flows.cli.results.benchmarks import print_benchmark
from flows.cli.running import Run
from ragset.dataset.importers import Unaligned
from ragset.evaluation.metrics.scores import Bounds
from ragset.evaluation.results.facts import DatasetCutRate, DatasetDiscrimination
from ragset.evaluation.results.model import Comparison
from tasks.results import ResultsSummary
from tasks.run.progress import Progress
from tests.small_results import alike_of, compared_of, standing_of

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
        "agreements": (),
    }
    return ResultsSummary(**{**fields, **more})


def could_show(name: str, against: str, smallest: float | None) -> Comparison:
    return compared_of(name, against, -0.1).model_copy(update={"smallest": smallest})


def said(capsys: pytest.CaptureFixture[str], given: ResultsSummary) -> tuple[str, str]:
    print_benchmark(Run(given, Progress(), 10))
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_a_single_configuration_is_not_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, summary("prod"))
    assert "1 configuration in 10 s" in out
    assert "Best" not in out
    assert "goldens" not in out


def test_a_winner_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, summary("good", "bad", comparisons=(could_show("bad", "good", 0.2),)))
    assert "Best: good" in out
    assert "*" not in out
    assert "A difference from the best of 0.200 would show in 4 of 5 benchmarks." in out
    assert "2 configurations in 10 s" in out


def test_in_a_pipe_those_that_are_not_told_apart_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = said(capsys, summary("a", "b", "c", leaders=("a", "c")))
    lines = [line.split()[:2] for line in out.splitlines()]
    assert ["a", "*"] in lines
    assert ["c", "*"] in lines
    assert ["b", "*"] not in lines
    assert "The data do not tell the 2 configurations marked * from each other." in out
    assert "bold" not in out


def test_the_difference_that_each_pair_could_show_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = (
        could_show("b", "a", 0.2),
        could_show("c", "a", 0.31),
        could_show("d", "a", None),
        could_show("a", "b", 0.9),
    )
    out, _ = said(capsys, summary("a", "b", "c", "d", comparisons=pairs))
    assert (
        "A difference from the best of 0.200 to 0.310, by pair, would show in 4 of 5 benchmarks (not known of 1 of 3 pairs)."
    ) in out
    out, _ = said(capsys, summary("a", "b", comparisons=(could_show("b", "a", None),)))
    assert "How large a difference must be to show is not known" in out


def test_what_could_not_be_judged_stands_beside_the_mean_with_its_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    rows = (standing_of("a", 0.9, n=10, missing=2, bounds=Bounds(worst=0.75, best=0.9167)), standing_of("b", 0.5, n=12))
    out, _ = said(capsys, summary("a", "b", standings=rows))
    assert "2 not judged, could be 0.750–0.917" in out
    assert out.count("could be") == 1


def test_goldens_made_by_rules_have_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = said(capsys, summary("a", made_by_rules=12))
    assert "All 12 goldens were made by rules (offline), not by a language model." in err
    _, err = said(capsys, summary("a", made_by_rules=3))
    assert "3 of 12 goldens were made by rules" in err
    _, err = said(capsys, summary("a"))
    assert "rules" not in err


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


def test_an_agreement_is_said_with_its_ceiling(capsys: pytest.CaptureFixture[str]) -> None:
    ceiling: dict[str, Any] = {
        "ceiling": 0.9,
        "ceiling_low": 0.7,
        "ceiling_high": 1.0,
        "ceiling_goldens": 50,
        "ratio": 0.889,
    }
    out, _ = said(capsys, summary("a", "b", agreements=(alike_of("ours", "theirs", **ceiling),)))
    assert "ours and theirs rank 2 configurations with tau-b 0.80 (0.60 to 0.90)." in out
    assert "The ceiling, 50 random goldens of theirs against the rest of it, is 0.90 (0.70 to 1.00)." in out
    assert "The agreement is 89% of it." in out
    out, _ = said(capsys, summary("a", "b", agreements=(alike_of("ours", "theirs"),)))
    assert "ceiling" not in out


def test_a_dataset_that_favours_a_chunking_under_test_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    rate = DatasetCutRate(dataset="teas", chunking="token-256", goldens=100, cut=0.02, chance=0.3, noise=0.09)
    home = rate.model_copy(update={"chunking": "recursive-256", "cut": 0.3, "home": True})
    neither = rate.model_copy(update={"chunking": "sentence-256", "cut": 0.22})
    _, err = said(capsys, summary("a", "b", cut_rates=(rate, home, neither)))
    assert (
        "teas favours token-256, which cuts the evidence of 2.0% of its goldens, by chance 30.0% (± 9.0%).\n"
        "teas favours recursive-256: its queries were drawn from chunks of that chunking, which cuts the evidence of"
    ) in err
    assert "sentence-256" not in err


def test_the_pairs_that_each_dataset_tells_apart_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    one = DatasetDiscrimination(dataset="teas", metric="mrr", goldens=12, told=3, pairs=10)
    out, _ = said(capsys, summary("a", "b", discrimination=(one,)))
    assert "teas tells 3 of 10 pairs of configurations apart." in out
