import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml
from typer.testing import CliRunner

import ragset
from flows.__main__ import app
from flows.parameters.models import SingleChunkParameters
from flows.parameters.options import OPTIONS
from flows.parameters.reading import read_parameters

NO_SERVER = {"PREFECT_API_URL": "http://127.0.0.1:9/api"}
"""With a server configured, a command starts none."""
DEFAULT = re.compile(r"\(default: ([^)]+)\)")


def default_of(name: str) -> object:
    """The default behind a dotted name; a critic is the generator's."""
    value: object = SingleChunkParameters.model_validate({"documents": {"sources": ["x"]}})
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize(
    "name",
    [
        "chunking.size",
        "chunking.overlap",
        "chunking.unit",
        "embedding.model",
        "n",
        "seed",
        "sampling.min_chars",
        "writing.thresholds.clarity",
    ],
)
def test_help_says_the_default_that_holds(name: str) -> None:
    told = CliRunner().invoke(app, ["single-chunk", "--help"], env={"COLUMNS": "400"}).output
    line = next(line for line in told.splitlines() if f"--{OPTIONS[name]} " in line)
    assert DEFAULT.findall(line) == [str(default_of(name))]


def test_every_command_explains_itself() -> None:
    for command in (
        "single-chunk",
        "multi-chunk",
        "estimate",
        "index",
        "label",
        "refresh",
        "benchmark",
        "train-data",
        "train-adapter",
        "train-reranker",
        "calibrate-critic",
        "show",
        "prompts",
    ):
        result = CliRunner().invoke(app, [command, "--help"])
        assert result.exit_code == 0
        assert "Usage" in result.output


def test_help_shows_each_command_once_and_those_to_begin_with_first() -> None:
    told = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).output
    names = re.findall(r"^│ ([a-z][a-z-]+)  ", told, flags=re.MULTILINE)
    assert names[:4] == ["demo", "config", "estimate", "single-chunk"]
    assert sorted(names) == sorted(typer.main.get_command(app).commands)  # pyright: ignore[reportAttributeAccessIssue]
    assert "─ Commands ─" not in told  # all stand under a heading


def test_version_is_that_of_the_package() -> None:
    assert CliRunner().invoke(app, ["--version"]).output == f"ragset {ragset.__version__}\n"


def test_no_arguments_show_help_and_an_unknown_option_is_exit_code_2() -> None:
    assert "single-chunk" in CliRunner().invoke(app, []).output
    assert CliRunner().invoke(app, ["single-chunk", "--nonsense"], env=NO_SERVER).exit_code == 2


def test_the_demos_configuration_is_valid() -> None:
    path = Path(__file__).parents[2] / "examples" / "demo.yaml"
    assert read_parameters(SingleChunkParameters, path, {}).n == yaml.safe_load(path.read_text())["n"] == 40


def test_help_waits_for_no_large_library() -> None:
    code = "import sys, flows.__main__; print([one for one in ('pydantic', 'prefect', 'pandas') if one in sys.modules])"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_commands_that_run_no_flow_import_no_prefect() -> None:
    code = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from flows.__main__ import app\n"
        "for asked in (['--help'], ['plan', '--difference', '0.05'], ['show', 'nowhere'], ['compare', 'a', 'b']):\n"
        "    CliRunner().invoke(app, asked)\n"
        "print([name for name in ('prefect', 'pymilvus', 'llama_index') if name in sys.modules])\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
