import json
from pathlib import Path

from typer.testing import CliRunner

from flows.__main__ import app
from tests.small_review import grade, judged_results


def test_correct_prints_what_people_would_find(tmp_path: Path) -> None:
    pool = judged_results(tmp_path)
    bench = str(tmp_path / "bench")
    nobody = CliRunner().invoke(app, ["correct", bench])
    assert nobody.exit_code == 0
    assert "Nobody has judged anything" in nobody.stderr
    grade(tmp_path, dict.fromkeys((id_ for id_, item in pool.items.items() if item.kind == "answer"), 5))
    done = CliRunner().invoke(app, ["correct", bench])
    assert "6 judgements of answer under answer@1, people: 1" in done.stdout
    assert "correctness" in done.stdout
    [one] = json.loads(CliRunner().invoke(app, ["correct", bench, "--json"]).stdout)["judged"]
    assert [row["mean"] for row in one["metrics"][0]["means"]] == [1.0, 0.75]


def test_a_folder_without_results_is_named(tmp_path: Path) -> None:
    failed = CliRunner().invoke(app, ["correct", str(tmp_path)])
    assert failed.exit_code == 2
    assert "holds no results of a benchmark" in failed.stderr
