from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset import read_dataset
from ragset.dataset.review.calibration import Judged, calibrate, keep, majority, passes, recommended, thresholds_text
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.records import Review
from ragset.errors import InputError
from ragset.settings.writing import Thresholds
from ragset.settings.yaml_text import read_yaml
from tests.small_dataset import corpus_of, golden_of, write_small

BEFORE = {"groundedness": 4, "clarity": 4}


def judged(clarity: int, good: bool, times: int) -> list[Judged]:
    return [Judged({"groundedness": 4 + number % 2, "clarity": clarity}, good) for number in range(times)]


# Of 40 goldens clear to 5 all are good, of 20 clear to 4 every second one.
SAMPLE = [*judged(5, True, 40), *judged(4, True, 10), *judged(4, False, 10)]


def test_precision_is_of_what_is_kept_and_recall_of_what_is_good() -> None:
    kept = keep(SAMPLE, {"clarity": 5})
    assert (kept.precision.share, kept.precision.n, kept.recall.share, kept.recall.n) == (1.0, 40, 0.8, 50)
    # Wilson for 40 of 40: 40 / (40 + 1.96²)
    assert kept.precision.low == pytest.approx(40 / 43.8415, abs=1e-4)
    assert keep(SAMPLE, {"clarity": 4}).precision.share == pytest.approx(50 / 60)


def test_the_score_that_predicts_people_is_raised_and_the_other_is_not() -> None:
    assert recommended(SAMPLE, BEFORE, 0.95) == {"groundedness": 4, "clarity": 5}


def test_nothing_is_raised_where_enough_is_good_or_chance_could_do_it() -> None:
    assert recommended(SAMPLE, BEFORE, 0.8) == BEFORE
    few = [*judged(5, True, 4), *judged(4, True, 1), *judged(4, False, 1)]
    assert recommended(few, BEFORE, 0.95) == BEFORE


def test_of_the_steps_that_suffice_the_one_that_keeps_most_good_goldens_is_taken() -> None:
    # Clearness 4 and 5 are equally good; 3 is bad.
    sample = [*judged(5, True, 30), *judged(4, True, 30), *judged(3, False, 20)]
    assert recommended(sample, {"clarity": 3}, 0.95) == {"clarity": 4}


_scores = st.fixed_dictionaries({}, optional={name: st.integers(1, 5) for name in Thresholds.model_fields})


@given(st.lists(st.builds(Judged, _scores, st.booleans()), min_size=1, max_size=40), st.floats(0, 1))
def test_thresholds_only_rise_and_what_is_kept_is_never_worse(sample: list[Judged], wanted: float) -> None:
    found = recommended(sample, BEFORE, wanted)
    assert all(found[name] >= least for name, least in BEFORE.items())
    before, after = (keep(sample, thresholds).precision for thresholds in (BEFORE, found))
    assert (before.n == after.n == 0) or (after.n and after.share >= before.share)


def test_a_score_that_nobody_asked_for_fails_no_threshold() -> None:
    assert passes({"clarity": 4}, {"clarity": 4, "relevance": 5})
    assert not passes({"clarity": 3}, {"clarity": 4})


def said(item: str, verdict: str, reviewer: str = "Ada", **more: object) -> Review:
    return Review.of(reviewer, item, "golden", str(more.pop("guideline", "golden@1")), verdict=verdict, **more)


def test_most_people_decide_and_a_tie_is_left_out() -> None:
    three = [said("a", verdict, name) for name, verdict in (("Ada", "good"), ("Bo", "good"), ("Cy", "bad"))]
    assert majority({"a": three, "b": three[1:], "c": three[2:]}) == {"a": True, "c": False}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Sixty goldens of which the critic finds twenty less clear."""
    goldens = [
        golden_of(f"Query {number}?").model_copy(update={"scores": {"groundedness": 5, "clarity": 4 + (number < 40)}})
        for number in range(60)
    ]
    write_small(tmp_path / "teas", corpus_of(tmp_path), goldens)
    return tmp_path / "teas"


def test_the_thresholds_of_a_run_are_the_usual_ones_where_it_does_not_say(folder: Path) -> None:
    dataset = read_dataset(folder)
    ReviewFile(folder).append(*(said(golden.id, "good") for golden in dataset.goldens))
    assert calibrate(dataset, 0.95).before == {"groundedness": 4, "clarity": 4, "relevance": 4}


def test_judgements_beside_a_dataset_become_thresholds_that_can_be_read_back(folder: Path) -> None:
    dataset = read_dataset(folder)
    good = {
        golden.id: golden.scores["clarity"] == 5 or number % 2 == 0 for number, golden in enumerate(dataset.goldens)
    }
    verdicts = {item: "good" if one else "bad" for item, one in good.items()}
    ReviewFile(folder).append(*(said(item, verdict) for item, verdict in verdicts.items()))
    found = calibrate(dataset, 0.95)
    assert (found.good.n, found.good.share) == (60, pytest.approx(50 / 60))
    assert found.before == {"groundedness": 4, "clarity": 4, "relevance": 4}
    assert found.thresholds == {"groundedness": 4, "clarity": 5, "relevance": 4}
    assert found.reached
    assert [(row.score, row.threshold, row.kept.precision.n) for row in found.rows] == [
        ("clarity", 4, 60),
        ("clarity", 5, 40),
        ("groundedness", 5, 60),
    ]
    assert read_yaml(thresholds_text(found, "teas"), folder) == found.thresholds


def test_judgements_under_an_older_guideline_count_only_if_asked_for(folder: Path) -> None:
    dataset = read_dataset(folder)
    first = dataset.goldens[0].id
    ReviewFile(folder).append(*(said(golden.id, "bad") for golden in dataset.goldens))
    ReviewFile(folder).append(*(said(golden.id, "good", guideline="golden@2") for golden in dataset.goldens))
    ReviewFile(folder).append(said(first, "bad", "Bo", guideline="golden@2"))
    newest, older = calibrate(dataset, 0.95), calibrate(dataset, 0.95, "golden@1")
    assert (newest.guideline, newest.good.share, newest.tied, newest.others) == ("golden@2", 1.0, 1, {"golden@1": 60})
    assert (older.good.share, older.kept.recall.n) == (0.0, 0)


def test_without_judgements_the_error_says_how_to_make_them(folder: Path) -> None:
    with pytest.raises(InputError, match=r"judge its first goldens: .*python -m flows review"):
        calibrate(read_dataset(folder), 0.95)
