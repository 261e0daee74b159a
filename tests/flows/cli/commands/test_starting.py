from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.__main__ import app
from flows.cli.commands.starting import has_browser


@pytest.mark.parametrize(
    ("environ", "platform", "shown"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "linux", False),
        ({"SSH_CONNECTION": "10.0.0.1 50000 10.0.0.2 22"}, "linux", False),
        ({"DISPLAY": ":0", "CI": "true"}, "linux", False),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "10.0.0.1 50000 10.0.0.2 22"}, "darwin", False),
    ],
)
def test_a_report_opens_where_somebody_sees_it(environ: dict[str, str], platform: str, shown: bool) -> None:
    assert has_browser(environ, platform) is shown


def test_config_writes_a_file_once_and_says_the_command_that_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["config", "multi-chunk"])
    assert (done.exit_code, done.output.splitlines()[-1].endswith("multi-chunk --config ragset.yaml")) == (0, True)
    assert "contexts:" in (tmp_path / "ragset.yaml").read_text()
    again = CliRunner().invoke(app, ["config"])
    assert again.exit_code == 2
    assert "ragset.yaml: is there already; --force replaces it" in " ".join(again.output.split())
    assert CliRunner().invoke(app, ["config", "--force"]).exit_code == 0
    assert "contexts:" not in (tmp_path / "ragset.yaml").read_text()


def test_config_of_a_command_without_a_file_names_those_that_have_one() -> None:
    done = CliRunner().invoke(app, ["config", "review"])
    assert done.exit_code == 2
    assert "review: no command of that name reads a file; choose from single-chunk, multi-chunk" in " ".join(
        done.output.split()
    )
