"""The workflows of GitHub: their form, the rights of each job, and what is refused to be released."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from deployments.release.check import problems

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PACKAGE = '__version__ = "0.2.0"\n'
workflows = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def jobs(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


@workflows
def test_each_step_uses_a_version_or_runs_a_script_that_bash_reads(path: Path) -> None:
    for job in jobs(path).values():
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            if "uses" in step:
                assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)", step["uses"])
            else:
                assert "${{" not in step["run"], "a name in a script could hold a command"
                subprocess.run(["bash", "-n", "-c", step["run"]], check=True)


@workflows
def test_a_workflow_may_read_and_a_job_says_what_more_it_may(path: Path) -> None:
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"] == {"contents": "read"}
    writing = {name: job["permissions"] for name, job in jobs(path).items() if "permissions" in job}
    rights = {"publish": {"id-token": "write"}, "docs": {"pages": "write", "id-token": "write"}}
    assert writing == (rights if path.stem == "release" else {})


@workflows
def test_what_a_job_needs_and_what_a_step_runs_is_there(path: Path) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    for job in jobs(path).values():
        assert set(job.get("needs", [])) <= set(jobs(path))
        scripts = "\n".join(step.get("run", "") for step in job["steps"])
        assert set(re.findall(r"^make ([a-z-]+)", scripts, flags=re.MULTILINE)) <= set(targets)
        for place in re.findall(r"(?<!\S)((?:deployments|\.ci)/\S+)", scripts):
            assert (ROOT / place).is_file(), place


@pytest.mark.parametrize(
    ("tag", "changelog", "said"),
    [
        ("v0.2.0", "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- A line.\n", []),
        ("v0.2.0", "# Changelog\n\n## 0.2.0 (2026-12-01)\n\n- A line.\n", []),
        ("v0.3.0", "## 0.3.0 (2026-12-01)\n", ["the tag is v0.3.0"]),
        ("v0.2.0", "## Unreleased\n\n- A line.\n", ['no line "## 0.2.0', "lines under Unreleased"]),
    ],
)
def test_a_tag_is_released_if_version_and_changelog_agree(tag: str, changelog: str, said: list[str]) -> None:
    found = problems(tag, PACKAGE, changelog)
    assert len(found) == len(said)
    assert all(part in one for part, one in zip(said, found, strict=True))
