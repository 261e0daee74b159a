import pytest
from typer.testing import CliRunner

from flows.__main__ import app
from flows.cli.commands.making import refresh_code
from tasks.refresh import RefreshSummary

REFRESHED = RefreshSummary(
    state="refreshed",
    folder="out/teas-v2",
    before="out/teas",
    report="out/teas-v2/report.html",
    changes="out/teas-v2/CHANGES.md",
    wanted=12,
    kept=12,
    valid=10,
    moved=0,
    stale=2,
    added=2,
    ended="complete",
    dataset=None,
)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, 0),
        ({"kept": 11, "ended": "corpus used up"}, 4),
        ({"kept": 11, "ended": "budget spent"}, 4),
        # as many as wanted, and not of the hardness asked for
        ({"ended": "corpus used up"}, 4),
        ({"state": "unchanged", "ended": "corpus used up"}, 0),
        ({"state": "unchanged", "kept": 11}, 4),
    ],
)
def test_a_refresh_ends_as_making_does(changes: dict[str, object], code: int) -> None:
    assert refresh_code(REFRESHED.model_copy(update=changes)) == code


def test_a_refresh_without_documents_says_the_command_with_them() -> None:
    failed = CliRunner().invoke(app, ["refresh", "out/my set"], env={"PREFECT_API_URL": "http://127.0.0.1:9/api"})
    assert failed.exit_code == 2
    assert "refresh 'out/my set' --documents FOLDER" in " ".join(failed.stderr.split())
