"""Exit codes of `compare`, and what it prints, of results made up so that they are known."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from flows.__main__ import app
from ragset.evaluation.results.model import Results, System
from ragset.evaluation.results.writing import write_results
from tests.small_dataset import corpus_of, golden_of

GOLDENS = tuple(golden_of(f"Query {number}?") for number in range(12))
GOOD, BAD = [1.0] * 12, [0.0] * 12


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def results(folder: Path, first: int = 0, **values: list[float]) -> Path:
    goldens = GOLDENS[first:]
    rows = [
        (name, golden.id, "mrr", value)
        for name, column in values.items()
        for golden, value in zip(goldens, column, strict=False)
    ]
    write_results(
        folder,
        Results(
            name="teas",
            datasets=("d",),
            corpus=corpus_of(folder.parent / "corpus"),
            goldens=goldens,
            systems=tuple(System(name=name) for name in values),
            runs={},
            answers={},
            scores=pd.DataFrame(rows, columns=["configuration", "golden", "metric", "value"]),
            standings=(),
            comparisons=(),
            primary="mrr",
            baseline="",
        ),
        "",
    )
    return folder


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ({"prod": GOOD, "a": GOOD}, {"prod": GOOD, "a": GOOD}, 0),
        ({"prod": BAD}, {"prod": GOOD, "new": GOOD}, 0),
        ({"prod": GOOD, "a": GOOD}, {"prod": BAD, "a": GOOD}, 1),
        ({"prod": GOOD, "a": GOOD}, {"production": BAD, "a": GOOD}, 2),
        # what fell is told too, but what is gone cannot be judged
        ({"prod": GOOD, "a": GOOD}, {"a": BAD}, 2),
        ({"prod": GOOD}, {"other": GOOD}, 2),
    ],
)
def test_a_gate_passes_only_where_all_that_was_there_is_there_and_did_not_fall(
    tmp_path: Path, before: dict[str, Any], after: dict[str, Any], code: int
) -> None:
    one, other = results(tmp_path / "before", **before), results(tmp_path / "after", **after)
    assert run("compare", one, other).exit_code == code
    assert run("compare", one, other, "--format", "markdown").exit_code == code


def test_a_format_is_all_that_stdout_has(tmp_path: Path) -> None:
    one, other = results(tmp_path / "before", prod=GOOD), results(tmp_path / "after", prod=BAD)
    assert run("compare", one, other, "--format", "markdown").stdout.startswith(
        "<!-- ragset compare -->\n### ragset: 1 "
    )
    assert run("compare", one, other, "--format", "junit").stdout.startswith("<testsuite ")
    plain = run("compare", one, other, "--format", "json").stdout
    assert json.loads(plain)["changes"][0]["fell"]
    assert plain == run("compare", one, other, "--json").stdout


def test_what_is_not_compared_is_named(tmp_path: Path) -> None:
    before, after = results(tmp_path / "b", a=GOOD, prod=GOOD, old=GOOD), results(tmp_path / "a", 3, a=GOOD, new=GOOD)
    refused = run("compare", before, after)
    assert refused.exit_code == 2
    assert "goldens: 3 removed, 9 the same" in refused.stderr
    compared = run("compare", before, after, "--across-corpora")
    assert "Not measured on the same: goldens: 3 removed, 9 the same. Only the same" in compared.stderr
    assert "Compared on 9 goldens that both have (3 only before)." in compared.stdout
    assert "Only in BEFORE, not compared: prod, old" in compared.stdout
    assert "Only in AFTER, not compared: new" in compared.stdout
    told = json.loads(run("compare", before, after, "--across-corpora", "--json").stdout)
    assert (told["only_before"], told["only_after"]) == (["prod", "old"], ["new"])
    assert told["goldens"] == [{"metric": "mrr", "both": 9, "only_before": 3, "only_after": 0}]
    assert [(change["configuration"], change["fell"]) for change in told["changes"]] == [("a", False)]


def test_a_metric_that_there_is_none_of_is_exit_code_2(tmp_path: Path) -> None:
    before = results(tmp_path / "b", a=GOOD)
    refused = run("compare", before, before, "--metric", "nosuch", "--json")
    assert refused.exit_code == 2
    assert "there is no metric nosuch; choose from mrr" in json.loads(refused.stdout)["error"]


def test_a_plan_from_results_that_hardly_differ_says_so(tmp_path: Path) -> None:
    planned = run("plan", "--difference", 0.1, "--results", results(tmp_path / "r", a=GOOD, b=GOOD))
    assert planned.exit_code == 0
    assert planned.stdout.startswith("197 queries show a difference of 0.1")
    assert "scores hardly differ in" in planned.stdout
    assert "the spread cannot be told" in planned.stdout
