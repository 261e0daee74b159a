from pathlib import Path

import pytest

from ragset.dataset import Split, problems, read_dataset, write_dataset
from ragset.dataset.manifest import Leakage, Side
from ragset.dataset.review.file import REVIEWS, ReviewFile
from ragset.dataset.review.new_version import write_reviewed
from ragset.dataset.review.records import Edit, Review
from ragset.errors import InputError
from tests.small_dataset import corpus_of, files_of, golden_of, manifest_of, reject_of, write_small

HOT = golden_of().model_copy(update={"split": "train"})
LONG = golden_of("How long does it steep?", "Two minutes", evidence=((36, 61),))
BITTER = golden_of("What turns bitter above 80 °C?", "Green tea").model_copy(update={"split": "train"})


def said(golden: str, verdict: str = "good", reviewer: str = "Ada", version: int = 1, **more: object) -> Review:
    return Review.of(reviewer, golden, "golden", f"golden@{version}", verdict=verdict, **more)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_small(tmp_path / "teas", corpus_of(tmp_path), [HOT, LONG, BITTER], [reject_of()])
    return tmp_path / "teas"


def test_a_version_is_written_beside_the_old_one_and_both_are_whole(folder: Path) -> None:
    reviews = [
        said(HOT.id, edit=Edit(query="How hot may green tea be at most?")),
        said(BITTER.id, "bad", reasons=("trivial",)),
        said(LONG.id, version=2),
    ]
    ReviewFile(folder).append(*reviews)
    before = files_of(folder)
    done = write_reviewed(folder, guideline="golden@1")
    assert files_of(folder) == before
    new = read_dataset(Path(done.folder))
    assert (Path(done.folder).name, problems(new)) == ("teas-v2", [])
    assert [golden.id for golden in new.goldens] == [HOT.id, LONG.id]
    assert new.goldens[0].query == "How hot may green tea be at most?"
    assert [reject.reason for reject in new.rejects] == ["not_self_contained", "trivial"]
    assert new.manifest.kept == 2
    assert new.manifest.funnel[-1].model_dump() == {
        "stage": "review",
        "entered": 3,
        "left": 2,
        "rejected": {"trivial": 1},
    }
    assert new.manifest.reviewed
    assert new.manifest.reviewed.model_dump() == {
        "before": "teas",
        "guideline": "golden@1",
        "judged": 2,
        "removed": 1,
        "corrected": 1,
        "unapplied": 0,
    }
    assert done.others == {"golden@2": 1}
    assert not (new.folder / REVIEWS).exists()
    report = (new.folder / "report.html").read_text()
    assert "What people say" in report
    assert 'id="map"' not in report


def test_by_itself_the_newest_guideline_counts(folder: Path) -> None:
    ReviewFile(folder).append(said(HOT.id, "bad"), said(LONG.id, version=2))
    done = write_reviewed(folder)
    assert (done.kept, done.reviewed.guideline, done.others) == (3, "golden@2", {"golden@1": 1})


def test_the_sides_of_a_split_are_counted_again(folder: Path) -> None:
    read = read_dataset(folder)
    side = Side(wanted=1.5, goldens=2, components=2, documents=1, kinds={"single-chunk": 2})
    leak = Leakage(sides=("test", "train"), evidence=0, chunks=3, repeats=1, documents=1, highest_cosine=0.5)
    split = Split(by="evidence", sides={"train": side, "test": side}, leakage=(leak,))
    manifest = manifest_of(read.corpus, 3).model_copy(update={"split": split})
    write_dataset(folder, goldens=read.goldens, rejects=(), corpus=read.corpus, manifest=manifest, report="")
    ReviewFile(folder).append(said(BITTER.id, "bad"))
    found = read_dataset(Path(write_reviewed(folder).folder)).manifest.split
    assert found
    assert {name: one.goldens for name, one in found.sides.items()} == {"train": 1, "test": 1}
    assert found.leakage == (leak.model_copy(update={"chunks": 2}),)


@pytest.mark.parametrize(
    ("reviews", "guideline", "why"),
    [
        ([], None, "no golden is judged yet"),
        ([said(HOT.id)], "golden@7", "no golden is judged under golden@7; there are golden@1"),
        ([said(one.id, "bad") for one in (HOT, LONG, BITTER)], None, "nothing would be left"),
    ],
)
def test_what_would_make_no_version_is_said_and_nothing_is_written(
    folder: Path, reviews: list[Review], guideline: str | None, why: str
) -> None:
    ReviewFile(folder).append(*reviews)
    with pytest.raises(InputError, match=why):
        write_reviewed(folder, guideline=guideline)
    assert not folder.with_name("teas-v2").exists()


def test_the_dataset_that_was_judged_is_not_replaced(folder: Path) -> None:
    ReviewFile(folder).append(said(HOT.id))
    with pytest.raises(InputError, match="is the dataset that was judged"):
        write_reviewed(folder, folder.parent / "." / folder.name)
