"""The action for GitHub: its form, and its shell steps, run as a runner runs them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.flows.cli.commands.test_measuring import BAD, GOOD, results

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / ".github" / "actions" / "ragset" / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}
GH = """#!/bin/sh
echo "$*" >> "$RUNNER_TEMP/gh.log"
case "$*" in *--jq*) [ -z "$COMMENTS" ] || echo "$COMMENTS";; esac
exit "${GH_CODE:-0}"
"""


@pytest.fixture
def step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a step of the action as a runner does, with `ragset` of this repository and a `gh` that notes how it is called."""
    programs = {"ragset": f'#!/bin/sh\nexec "{sys.executable}" -m flows "$@"\n', "gh": GH}
    for name, script in programs.items():
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text(script)
        (tmp_path / "bin" / name).chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_REPOSITORY": "team/rag",
    }

    def run(name: str, **values: object) -> subprocess.CompletedProcess[str]:
        given = {key: str(values.get(key, "")) for key in STEPS[name].get("env", {})}
        others = {key: str(value) for key, value in values.items() if key not in given}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]]
        return subprocess.run(
            command, env={**environment, **given, **others}, cwd=tmp_path, capture_output=True, text=True, check=False
        )

    return run


def test_each_step_is_a_named_one_of_bash_and_takes_inputs_by_its_environment_alone() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert {"name", "description", "inputs", "outputs", "runs"} == set(ACTION)
    for step in ACTION["runs"]["steps"]:
        assert set(step) <= {"name", "id", "if", "shell", "env", "run"}
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "an input in a script could hold a command"
        subprocess.run(["bash", "-n", "-c", step["run"]], check=True)


def test_inputs_and_steps_that_are_named_are_there() -> None:
    said = str(ACTION["runs"]) + str(ACTION["outputs"])
    assert set(re.findall(r"inputs\.(\w+)", said)) == set(ACTION["inputs"])
    assert set(re.findall(r"steps\.(\w+)", said)) == {step["id"] for step in STEPS.values() if "id" in step}
    for one in ACTION["inputs"].values():
        assert set(one) == {"description", "default"}


def test_a_fall_is_in_the_summary_in_junit_and_in_the_exit_code(step: Any, tmp_path: Path) -> None:
    before, after = results(tmp_path / "before", prod=GOOD), results(tmp_path / "after", prod=BAD)
    done = step("Compare", BEFORE=before, AFTER=after, METRICS="mrr", JUNIT="reports/ragset.xml")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "output").read_text() == "code=1\n"
    assert "### ragset: 1 metric fell by more than noise" in (tmp_path / "summary").read_text()
    assert (tmp_path / "summary").read_text() == (tmp_path / "ragset.md").read_text()
    assert "<failure " in (tmp_path / "reports" / "ragset.xml").read_text()
    assert step("Outcome", CODE=1).returncode == 1


def test_what_cannot_be_compared_is_said_and_is_exit_code_2(step: Any, tmp_path: Path) -> None:
    done = step("Compare", BEFORE=tmp_path / "nowhere", AFTER=tmp_path / "nowhere", JUNIT="ragset.xml")
    assert done.returncode == 0
    assert (tmp_path / "output").read_text() == "code=2\n"
    assert "### ragset: not compared\n````\nError: " in (tmp_path / "summary").read_text()
    assert "holds no results of a benchmark" in (tmp_path / "ragset.md").read_text()
    assert not (tmp_path / "ragset.xml").exists()


@pytest.mark.parametrize(
    ("known", "called"),
    [
        ("", "api --method POST repos/team/rag/issues/7/comments -F body=@"),
        ("31", "api --method PATCH repos/team/rag/issues/comments/31 -F body=@"),
    ],
)
def test_there_is_one_comment_which_later_runs_update(step: Any, tmp_path: Path, known: str, called: str) -> None:
    assert step("Comment", PULL_REQUEST=7, GH_TOKEN="t", COMMENTS=known).returncode == 0
    assert (tmp_path / "gh.log").read_text().splitlines()[1].startswith(called)


def test_a_token_that_may_not_comment_fails_nothing(step: Any) -> None:
    done = step("Comment", PULL_REQUEST=7, GH_CODE=1)
    assert done.returncode == 0
    assert "::warning::ragset may not comment" in done.stdout


def test_a_benchmark_gets_the_files_that_were_named_whatever_they_are_called(step: Any, tmp_path: Path) -> None:
    (tmp_path / "bin" / "ragset").write_text('#!/bin/sh\nfor one in "$@"; do echo "[$one]"; done\n')
    said = step("Measure", DATASET="my sets/a; b", CONFIG="", AFTER="out").stdout
    assert said.splitlines() == ["[benchmark]", "[my sets/a; b]", "[--out]", "[out]"]
    said = step("Measure", DATASET="d", CONFIG="c i.yaml", AFTER="out").stdout
    assert said.splitlines() == ["[benchmark]", "[d]", "[--config]", "[c i.yaml]", "[--out]", "[out]"]
