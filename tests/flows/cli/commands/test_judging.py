import json
from pathlib import Path

from typer.testing import CliRunner, Result

from flows.__main__ import app
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.records import Review
from tests.small_dataset import corpus_of, golden_of, write_small

GOLDENS = [golden_of(f"Query {number}?") for number in range(3)]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)])


def said(number: int, verdict: str, reviewer: str = "Ada") -> Review:
    return Review.of(reviewer, GOLDENS[number].id, "golden", "golden@1", verdict=verdict, reasons=("trivial",))


def test_apply_review_writes_a_version_says_what_it_did_not_do_and_show_tells_of_both(tmp_path: Path) -> None:
    folder = tmp_path / "teas"
    write_small(folder, corpus_of(tmp_path), GOLDENS)
    ReviewFile(folder).append(said(0, "bad"), said(1, "good"), said(1, "bad", "Bo"), said(2, "good"))
    done = run("apply-review", folder)
    assert done.exit_code == 0
    assert "2 goldens left; 3 were judged, 1 removed, 0 corrected" in done.stdout
    assert f"{GOLDENS[1].id}: 1 call it good and 1 bad" in done.stderr
    assert "People judged 3 of teas: 1 removed, 0 corrected" in run("show", tmp_path / "teas-v2").stdout
    shown = run("show", folder).stdout
    assert "2 people judged 3 goldens by golden@1" in shown
    assert "Reasons: trivial 2" in shown
    review = json.loads(run("show", folder, "--json").stdout)["review"]
    assert (review["good"]["share"], review["agreement"]["items"], review["groups"]) == (0.5, 1, [])
    assert json.loads(run("show", tmp_path / "teas-v2", "--json").stdout)["review"] is None


def test_without_judgements_the_command_says_how_to_make_some(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path), GOLDENS)
    done = run("apply-review", tmp_path / "teas", "--json")
    assert done.exit_code == 2
    assert "python -m flows review" in done.stderr + json.dumps(done.stdout)
