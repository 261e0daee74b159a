import json
from pathlib import Path

import pytest

from ragset.errors import InputError
from tasks.goldens import read_test_set
from tests.small_dataset import TEA, corpus_of, golden_of, write_small

SIDES = ("train", "test", "test", "validation")


@pytest.fixture
def dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    goldens = [golden_of(f"Question {number}?").model_copy(update={"split": side}) for number, side in enumerate(SIDES)]
    write_small(tmp_path / "teas", corpus_of(tmp_path), goldens)
    return str(tmp_path / "teas")


async def sides_read(dataset: str, *splits: str) -> list[str]:
    found = await read_test_set.fn((dataset,), None, splits)
    return [golden.split for golden in found.goldens]


@pytest.fixture(autouse=True)
def _no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import logging

    monkeypatch.setattr("tasks.goldens.get_run_logger", lambda: logging.getLogger("tasks"))


async def test_goldens_of_all_splits_are_read_unless_some_are_named(dataset: str) -> None:
    assert await sides_read(dataset) == list(SIDES)
    assert await sides_read(dataset, "test") == ["test", "test"]
    assert await sides_read(dataset, "validation", "train") == ["train", "validation"]


async def test_a_split_that_no_golden_has_is_refused_with_those_that_there_are(dataset: str) -> None:
    with pytest.raises(
        InputError, match=r"splits: no golden is of 'tset'; there are test \(2\), train \(1\), validation"
    ):
        await sides_read(dataset, "test", "tset")


async def test_the_corpus_is_the_same_whatever_the_split(dataset: str) -> None:
    whole, part = [await read_test_set.fn((dataset,), None, splits) for splits in ((), ("train",))]
    assert whole.corpus.hash == part.corpus.hash


async def test_the_chunking_that_queries_were_drawn_from_is_known(dataset: str, tmp_path: Path) -> None:
    manifest = Path(dataset) / "manifest.json"
    assert (await read_test_set.fn((dataset,), None)).homes == {"teas": "recursive-96-0-tokens"}
    for source, homes in (("passages", {}), ("chunks", {"teas": "recursive-96-0-tokens"})):
        fields = json.loads(manifest.read_text())
        fields["parameters"]["sampling"] = {"from": source}
        manifest.write_text(json.dumps(fields))
        assert (await read_test_set.fn((dataset,), None)).homes == homes
    others = beir(tmp_path / "beir", "query-id\tcorpus-id\tscore\nq1\tb\t1\n")
    assert (await read_test_set.fn((others,), None)).homes == {}


def beir(folder: Path, judged: str) -> str:
    """Two documents of 41 and 9 characters."""
    (folder / "qrels").mkdir(parents=True)
    rows = [{"_id": "a", "text": "Green tea is steeped at eighty degrees now"}, {"_id": "b", "text": "Black tea"}]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": f"q{n}", "text": f"Tea {n}?"}) + "\n" for n in "12")
    )
    (folder / "qrels" / "test.tsv").write_text(judged)
    return str(folder)


async def test_whole_documents_as_evidence_are_noticed(dataset: str, tmp_path: Path) -> None:
    assert not (await read_test_set.fn((dataset,), None)).whole
    folder = beir(tmp_path / "beir", "q1\ta\t1\nq2\tb\t1\nq9\tb\t1\n")
    found = await read_test_set.fn((folder,), None)
    assert found.whole
    (problem,) = found.problems
    assert (problem.where, problem.reason) == ("qrels/test.tsv: line 3", "queries.jsonl has no query q9")
    # four goldens of ours against two with whole documents
    both = await read_test_set.fn((dataset, folder), None)
    assert not both.whole
    assert [one.where for one in both.problems] == ["beir: qrels/test.tsv: line 3"]


@pytest.mark.parametrize(
    ("spans", "whole"),
    [
        ([(0, 61)], True),
        ([(0, 30), (30, 61)], True),
        ([(0, 30)], False),
        ([(5, 20), (25, 61)], False),
        ([(3, 59)], True),
    ],
)
async def test_a_document_is_evidence_as_a_whole_where_nine_tenths_of_it_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spans: list[tuple[int, int]], whole: bool
) -> None:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    assert len(TEA.text) == 61
    write_small(tmp_path / "teas", corpus_of(tmp_path), [golden_of("How long?", evidence=spans)])
    assert (await read_test_set.fn((str(tmp_path / "teas"),), None)).whole is whole
