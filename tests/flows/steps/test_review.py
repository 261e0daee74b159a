"""When a review lets a run go on; the wait itself is tested with a server."""

from pathlib import Path

import pytest

from flows.steps.review import judged_good
from ragset.dataset import read_dataset
from ragset.dataset.review.figures import figures
from ragset.dataset.review.order import ReviewPlan
from ragset.dataset.review.records import Review
from ragset.errors import InputError
from ragset.settings import ReviewSettings
from tests.small_dataset import corpus_of, golden_of, write_small


def said(folder: Path, well: int, bad: int, **asked: object) -> str:
    goldens = [golden_of(f"How hot may tea {n} be?") for n in range(well + bad)]
    verdicts = ["good"] * well + ["bad"] * bad
    lines = [
        Review.of("Ada", golden.id, "golden", "golden@1", verdict=verdict, reasons=("trivial",) * (verdict == "bad"))
        for golden, verdict in zip(goldens, verdicts, strict=True)
    ]
    found = figures(goldens, lines, ReviewPlan(), "golden@1")
    return judged_good(found, folder, ReviewSettings.model_validate({"sample": 100, **asked}))


def test_the_share_or_the_lower_end_of_its_interval_must_reach_what_is_demanded(tmp_path: Path) -> None:
    # Wilson's interval of 19 of 20 is 0.764 to 0.991.
    assert said(tmp_path, 19, 1, good=0.95).startswith("95.0% of 20 goldens drawn at random are good as made (95 %")
    assert "76.4% to 99.1%" in said(tmp_path, 19, 1, good=0.75, by="lower end")
    with pytest.raises(InputError, match=r"80\.0% are demanded of the lower end, .*Reasons: trivial 1\."):
        said(tmp_path, 19, 1, good=0.8, by="lower end")
    with pytest.raises(InputError, match=r"90\.0% of 20 .* and 95\.0% are demanded of the share"):
        said(tmp_path, 18, 2, good=0.95)


def test_a_set_that_nobody_has_judged_is_not_good_enough(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path), [golden_of()])
    found = figures(read_dataset(tmp_path / "teas").goldens, (), ReviewPlan())
    with pytest.raises(InputError, match="no golden of its sample is judged"):
        judged_good(found, tmp_path, ReviewSettings())
