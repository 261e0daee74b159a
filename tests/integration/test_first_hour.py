"""The first hour of a newcomer with the command `ragset`, as a built wheel installs it in an environment of its own, away from the repository."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import ragset
from tests.fake_openai import Fake
from tests.integration.conftest import ROOT, url

pytestmark = [pytest.mark.slow, pytest.mark.service]

GRID = "grid:\n  chunking: [sentence, {strategy: recursive, size: 100}]\n  retrieval: bm25\n"
EVALUATE = """
import sys
import ragset

evidence = {golden.query: golden.evidence for golden in ragset.read_dataset("out/docs").goldens}
found = ragset.evaluate("out/docs", lambda query: list(evidence[query]))
print(len(found.frame), found.scores.loc["hit_rate@1", "mean"], "prefect" in sys.modules)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`ragset` of a new environment, which takes what ragset depends on from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    ours = sysconfig.get_path("purelib", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")})
    (Path(ours) / "tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (wheel,) = folder.glob("*.whl")
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel], check=True)
    return folder / "venv" / "bin" / "ragset"


def test_from_the_demo_to_a_refreshed_test_set_of_own_documents(
    program: Path, corpus: Path, tmp_path: Path, prefect_api: str, fake: Fake
) -> None:
    (tmp_path / "tasks.py").write_text(
        "raise AssertionError('a module of the user that has the name of one of ours')\n"
    )
    apart = ("OPENAI_", "RAGSET_", "PYTHON", "DISPLAY", "WAYLAND_")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(apart)}
    env = {**inherited, **url(fake), "PREFECT_API_URL": prefect_api, "COLUMNS": "200", "TMPDIR": str(tmp_path)}

    def run(*words: str, first: Path = program) -> str:
        done = subprocess.run([first, *words], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert run("--version") == f"ragset {ragset.__version__}\n"
    assert "40 of 40 goldens" in run("demo")
    assert (tmp_path / "out" / "demo" / "report.html").is_file()

    # A configuration for documents of one's own.
    run("config")
    file = tmp_path / "ragset.yaml"
    text = file.read_text()
    for default, ours in (
        ("#n: 100", "n: 6"),
        ("  #model: offline", "  model: test-model"),
        ("#out: out/single-chunk", "out: out/docs"),
    ):
        assert default in text
        text = text.replace(default, ours)
    file.write_text(text.replace("  #size: 256", "  size: 100"))
    assert "calls" in run("estimate", "--config", "ragset.yaml")
    assert "6 of 6 goldens" in run("single-chunk", "--config", "ragset.yaml")
    assert run("-c", EVALUATE, first=program.with_name("python")).split() == ["6", "1.0", "False"]

    # Systems compared, and the same comparison later.
    (tmp_path / "grid.yaml").write_text(GRID)
    run("benchmark", "out/docs", "--config", "grid.yaml")
    assert (tmp_path / "out" / "benchmark" / "report.html").is_file()
    run("compare", "out/benchmark", "out/benchmark")

    # The documents change.
    (corpus / "glasses.md").unlink()
    run("refresh", "out/docs", "--documents", "docs")
    assert (tmp_path / "out" / "docs-v2" / "manifest.json").is_file()
    assert "beir" in run("export", "out/docs-v2", "--to", "beir")
