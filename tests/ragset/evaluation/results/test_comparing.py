import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.results.comparing import Change, compare
from ragset.evaluation.results.folder import StoredResults, golden_digests, read_results
from ragset.evaluation.results.model import Results, System
from ragset.evaluation.results.writing import write_results
from ragset.models import Document, Golden, Span
from tests.small_dataset import TEA, golden_of

GOLDENS = tuple(golden_of(f"Query {number}?") for number in range(30))
NAN = float("nan")


def write(
    folder: Path, goldens: tuple[Golden, ...] = GOLDENS, metric: str = "mrr", **values: list[float] | np.ndarray
) -> StoredResults:
    folder.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        (name, golden.id, metric, float(value))
        for name, column in values.items()
        for golden, value in zip(goldens, column, strict=True)
    ]
    results = Results(
        name="teas",
        datasets=("d",),
        corpus=Corpus.write(folder.parent / "corpus.jsonl", [TEA]),
        goldens=goldens,
        systems=tuple(System(name=name) for name in values),
        runs={},
        answers={},
        scores=pd.DataFrame(rows, columns=["configuration", "golden", "metric", "value"]),
        standings=(),
        comparisons=(),
        primary=metric,
        baseline="",
    )
    write_results(folder, results, "")
    return read_results(folder)


def in_documents(documents: int, each: int) -> tuple[Golden, ...]:
    goldens = (golden_of(f"Query {number}?") for number in range(documents * each))
    return tuple(
        golden.model_copy(update={"evidence": (Span(doc_id=f"d{place // each:02d}", start=0, end=9),)})
        for place, golden in enumerate(goldens)
    )


def changes(before: StoredResults, after: StoredResults) -> dict[str, Change]:
    return {change.configuration: change for change in compare(before, after, across_corpora=True).changes}


def test_a_fall_beyond_noise_is_one_and_a_small_one_is_not(tmp_path: Path) -> None:
    before = write(tmp_path / "before", a=[1.0] * 30, b=[1.0] * 30)
    after = write(tmp_path / "after", a=[0.0] * 15 + [1.0] * 15, b=[0.0] + [1.0] * 29)
    found = changes(before, after)
    assert (found["a"].before, found["a"].after, found["a"].difference) == (1.0, 0.5, -0.5)
    assert found["a"].fell
    assert not found["b"].fell


def test_a_rise_is_no_fall(tmp_path: Path) -> None:
    before, after = write(tmp_path / "before", a=[0.0] * 30), write(tmp_path / "after", a=[1.0] * 30)
    (change,) = compare(before, after).changes
    assert change.difference == 1
    assert not change.fell


def test_nothing_in_common_is_an_error_that_names_both(tmp_path: Path) -> None:
    before, after = write(tmp_path / "before", a=[0.0] * 30), write(tmp_path / "after", b=[1.0] * 30)
    with pytest.raises(InputError, match=r"no configuration in common in mrr: .* there are a before, b after"):
        compare(before, after)
    others = tuple(golden_of(f"Another {number}?") for number in range(30))
    with pytest.raises(InputError, match=r"no golden in common in mrr; measure both on one dataset"):
        compare(before, write(tmp_path / "other", others, a=[1.0] * 30), across_corpora=True)


@pytest.mark.parametrize(
    ("before", "after", "gone", "come"),
    [
        (("a", "b"), ("a", "c"), ("b",), ("c",)),
        (("a", "b", "c"), ("c",), ("a", "b"), ()),
        (("a",), ("a", "b", "c"), (), ("b", "c")),
        (("a", "b"), ("b", "a"), (), ()),
        (("prod", "a"), ("Prod", "a"), ("prod",), ("Prod",)),
    ],
)
def test_a_configuration_that_stands_in_one_alone_is_named(
    tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...], gone: tuple[str, ...], come: tuple[str, ...]
) -> None:
    one: dict[str, Any] = {name: [1.0] * 30 for name in before}
    other: dict[str, Any] = {name: [1.0] * 30 for name in after}
    found = compare(write(tmp_path / "before", **one), write(tmp_path / "after", **other))
    assert (found.only_before, found.only_after) == (gone, come)
    assert {change.configuration for change in found.changes} == {*before} & {*after}


def test_a_configuration_without_any_score_afterwards_is_gone(tmp_path: Path) -> None:
    before = write(tmp_path / "before", a=[1.0] * 30, b=[1.0] * 15 + [NAN] * 15)
    after = write(tmp_path / "after", a=[1.0] * 30, b=[NAN] * 30)
    assert compare(before, after).only_before == ("b",)
    # nor is there anything to compare where no golden has a score in both
    other = write(tmp_path / "other", a=[1.0] * 30, b=[NAN] * 15 + [1.0] * 15)
    assert compare(before, other).only_before == ("b",)


def test_goldens_that_stand_in_one_alone_are_counted(tmp_path: Path) -> None:
    before = write(tmp_path / "before", GOLDENS[:12], a=[1.0] * 12)
    after = write(tmp_path / "after", GOLDENS[3:14], a=[1.0] * 11)
    (shared,) = compare(before, after, across_corpora=True).goldens
    assert (shared.both, shared.only_before, shared.only_after) == (9, 3, 2)
    assert changes(before, after)["a"].goldens == 9


def test_means_are_of_the_goldens_that_both_have_judged(tmp_path: Path) -> None:
    before = write(tmp_path / "before", a=[NAN] * 10 + [1.0] * 20)
    after = write(tmp_path / "after", a=[0.0] * 10 + [1.0] * 10 + [NAN] * 10)
    (change,) = compare(before, after).changes
    assert (change.before, change.after, change.difference, change.goldens) == (1, 1, 0, 10)


def test_a_metric_there_is_none_of_is_an_error_with_the_choice(tmp_path: Path) -> None:
    before, after = write(tmp_path / "before", a=[0.0] * 30), write(tmp_path / "after", metric="map", a=[1.0] * 30)
    with pytest.raises(InputError, match="before: there is no metric nosuch; choose from mrr"):
        compare(before, before, ("nosuch",))
    with pytest.raises(InputError, match="after: there is no metric mrr; choose from map"):
        compare(before, after)
    with pytest.raises(InputError, match="a higher gold_rank is not better"):
        compare(before, before, ("gold_rank",))


def test_one_golden_is_compared_and_nothing_falls(tmp_path: Path) -> None:
    before, after = write(tmp_path / "b", GOLDENS[:1], a=[1.0]), write(tmp_path / "a", GOLDENS[:1], a=[0.0])
    found = compare(before, after)
    (change,) = found.changes
    assert (change.difference, change.low, change.high, change.fell) == (-1, None, None, False)
    assert "NaN" not in json.dumps(found.model_dump(mode="json"))


def test_goldens_of_one_document_fall_together(tmp_path: Path) -> None:
    # of 12 documents 2 lose all their goldens: 20 falls of 120 by themselves, 2 of 12 as documents
    goldens = in_documents(12, 10)
    before = write(tmp_path / "before", goldens, a=[1.0] * 120)
    after = write(tmp_path / "after", goldens, a=[0.0] * 20 + [1.0] * 100)
    (change,) = compare(before, after).changes
    assert not change.fell
    # two signs, both as observed: p is 1/2
    assert change.p == pytest.approx(0.5, abs=0.03)
    # one golden in each of the 12 documents is no chance
    spread_out = write(tmp_path / "spread", goldens, a=[0.0, *[1.0] * 9] * 12)
    assert compare(before, spread_out).fell


def test_whole_documents_that_go_up_and_down_by_chance_raise_no_alarm(tmp_path: Path) -> None:
    goldens, rng = in_documents(15, 8), np.random.default_rng(7)
    falls = 0
    for number in range(12):
        first = rng.uniform(0.3, 0.7, len(goldens))
        second = np.clip(first + np.repeat(rng.normal(0, 0.25, 15), 8), 0, 1)
        before, after = (write(tmp_path / f"{name}{number}", goldens, a=a) for name, a in (("b", first), ("a", second)))
        falls += bool(compare(before, after).fell)
    assert falls <= 2


def test_other_goldens_are_refused_unless_told_and_named(tmp_path: Path) -> None:
    before = write(tmp_path / "before", GOLDENS[:20], a=[1.0] * 20)
    edited = GOLDENS[3].model_copy(update={"evidence": (Span(doc_id=TEA.id, start=0, end=12),)})
    after = write(tmp_path / "after", (*GOLDENS[1:3], edited, *GOLDENS[4:30]), a=[1.0] * 2 + [0.0] + [1.0] * 26)
    with pytest.raises(InputError, match=r"goldens: 1 removed, 10 added, 1 changed, 18 the same.*--across-corpora"):
        compare(before, after)
    found = compare(before, after, across_corpora=True)
    assert found.ground.changed == (edited.id,)
    # the golden whose evidence is another is in no change: its fall says nothing
    assert [(change.goldens, change.difference) for change in found.changes] == [(18, 0)]
    assert compare(before, before).ground.differs is False


def test_other_documents_are_refused_unless_told(tmp_path: Path) -> None:
    before = write(tmp_path / "before", a=[1.0] * 30)
    path = write(tmp_path / "after", a=[1.0] * 30).folder / "benchmark.json"
    written = json.loads(path.read_text())
    path.write_text(json.dumps({**written, "corpus_hash": "0123456789abcdef"}))
    after = read_results(path.parent)
    with pytest.raises(InputError, match=rf"corpus {written['corpus_hash']} before, 0123456789abcdef after"):
        compare(before, after)
    assert compare(before, after, across_corpora=True).changes[0].goldens == 30


def test_evidence_that_a_refresh_found_in_another_place_is_the_same(tmp_path: Path) -> None:
    moved = Document.of(f"Something new.\n\n{TEA.text}", source="tea.md")
    shift = len(moved.text) - len(TEA.text)

    def digest(golden: Golden, document: Document) -> str:
        folder = tmp_path / document.id
        folder.mkdir(exist_ok=True)
        return golden_digests([golden], Corpus.write(folder / "corpus.jsonl", [document]))[golden.id]

    golden = GOLDENS[0]
    (span,) = golden.evidence
    after = Span(doc_id=moved.id, start=span.start + shift, end=span.end + shift)
    assert digest(golden, TEA) == digest(golden.model_copy(update={"evidence": (after,)}), moved)
    beside = Span(doc_id=moved.id, start=span.start + shift + 1, end=span.end + shift)
    assert digest(golden, TEA) != digest(golden.model_copy(update={"evidence": (beside,)}), moved)


def test_a_change_that_missing_judgements_could_explain_is_none(tmp_path: Path) -> None:
    # of 30 all were right, and 12 are now; 15 could not be judged, so that at best 27 are
    before = write(tmp_path / "before", a=[1.0] * 30, b=[1.0] * 30)
    after = write(tmp_path / "after", a=[1.0] * 12 + [0.0] * 3 + [NAN] * 15, b=[0.0] * 26 + [NAN] * 4)
    found = changes(before, after)
    assert found["a"].bounds is not None
    assert (found["a"].bounds.worst, found["a"].bounds.best) == pytest.approx((-18 / 30, -3 / 30))
    assert (found["a"].missing, found["a"].fell) == (15, False)
    # b fell whatever the four would have been
    assert found["b"].fell
    assert changes(before, before)["a"].bounds is None


def test_an_interval_of_a_change_excludes_0_exactly_where_it_is_told(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    names = "abcdefgh"
    scores: dict[str, Any] = {name: rng.random(30) for name in names}
    before = write(tmp_path / "before", **scores)
    lower: dict[str, Any] = {
        name: np.clip(values - 0.04 * place * rng.random(30), 0, 1)
        for place, (name, values) in enumerate(scores.items())
    }
    found = changes(before, write(tmp_path / "after", **lower))
    assert {change.fell for change in found.values()} == {True, False}
    for change in found.values():
        assert change.low is not None
        assert change.high is not None
        assert (change.p_holm < 0.05) == (change.high < 0 or change.low > 0)
