from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ragset.evaluation.results.report.board import make_board
from ragset.evaluation.results.report.breakdown import Breakdown, breakdowns
from ragset.models import Document
from tests.small_dataset import TEA, corpus_of, golden_of
from tests.small_results import frame_of, tea_results

COFFEE = Document.of("Coffee is roasted at 200 °C and more.", source="coffee.md", title="Coffee")


def test_a_metric_is_broken_down_by_document_and_by_labels_that_vary(tmp_path: Path) -> None:
    goldens = (golden_of("A?"), golden_of("B?", style="exam"), golden_of("C?", document=COFFEE))
    goldens = (*goldens[:2], goldens[2].model_copy(update={"kind": "multi-chunk"}))
    values = (1.0, float("nan"), 0.5)
    rows = [("fine", golden.id, "recall@5", value) for golden, value in zip(goldens, values, strict=True)]
    results = tea_results(tmp_path, corpus=corpus_of(tmp_path, TEA, COFFEE), goldens=goldens, scores=frame_of(rows))
    found = {table.title: table for table in breakdowns(results, make_board(results))}
    assert list(found) == ["kind", "document", "style"]
    assert found["document"].groups == (("Tea", 2), ("Coffee", 1))
    entry, cells = found["document"].rows[0]
    # what was not judged is left out of the mean: 1.0 alone
    assert (entry.name, [cell.mean for cell in cells]) == ("fine", [1.0, 0.5])
    # the other configuration has no scores
    assert [cell.mean for cell in found["document"].rows[1][1]] == [None, None]
    assert [group.name for group in found["kind"].groups] == ["single-chunk", "multi-chunk"]


def test_documents_of_one_title_are_told_apart_by_their_sources(tmp_path: Path) -> None:
    other = Document.of("Another text of tea, which is long.", source="more.md", title="Tea")
    goldens = (golden_of("A?"), golden_of("B?", document=other))
    rows = [("fine", golden.id, "recall@5", 1.0) for golden in goldens]
    results = tea_results(tmp_path, corpus=corpus_of(tmp_path, TEA, other), goldens=goldens, scores=frame_of(rows))
    [table] = [table for table in breakdowns(results, make_board(results)) if table.title == "document"]
    assert {group.name for group in table.groups} == {"Tea (tea.md)", "Tea (more.md)"}


def labelled(tmp_path: Path, labels: Sequence[dict[str, Any]], values: Sequence[float]) -> dict[str, Breakdown]:
    goldens = tuple(
        golden_of(f"Q{number}?").model_copy(update={"metadata": given}) for number, given in enumerate(labels)
    )
    rows = [("fine", golden.id, "recall@5", value) for golden, value in zip(goldens, values, strict=True)]
    results = tea_results(tmp_path, goldens=goldens, scores=frame_of(rows))
    return {table.title: table for table in breakdowns(results, make_board(results))}


def means(table: Breakdown) -> dict[str, float | None]:
    return {group.name: cell.mean for group, cell in zip(table.groups, table.rows[0][1], strict=True)}


def test_labels_of_hardness_memory_and_round_trip_are_broken_down(tmp_path: Path) -> None:
    def given(level: str, known: bool | None, rank: int | None) -> dict[str, Any]:
        return {
            "hardness": {"level": level},
            "closed_book": {"known": known},
            "round_trip": {"rank": rank, "k": 10, "by": "bm25"},
        }

    found = labelled(
        tmp_path,
        [given("hard", False, None), given("easy", True, 1), given("easy", None, 2), given("hard", False, 9)],
        [0.0, 1.0, 0.5, 0.5],
    )
    assert list(found) == ["hardness", "closed_book", "round_trip"]
    # in the order of levels; an unread closed book is of neither side
    assert list(means(found["hardness"]).items()) == [("easy", 0.75), ("hard", 0.25)]
    assert means(found["closed_book"]) == {"not known": 0.25, "known": 1.0}
    assert means(found["round_trip"]) == {"found": 2 / 3, "not found": 0.0}


def test_overlap_is_broken_down_by_thirds(tmp_path: Path) -> None:
    shares = (0.1, 0.9, 0.2, 0.5, 0.6, 1.0)
    found = labelled(tmp_path, [{"overlap": {"covered": share}} for share in shares], [0, 1, 0, 0.5, 0.5, 1])
    assert list(means(found["overlap"]).items()) == [
        ("low, to 20%", 0),
        ("middle", 0.5),
        ("high, from 90%", 1),
    ]


def test_where_most_share_one_overlap_the_others_stand_apart(tmp_path: Path) -> None:
    found = labelled(tmp_path, [{"overlap": {"covered": share}} for share in (1, 1, 1, 1, 0.5)], [1, 1, 1, 1, 0])
    assert means(found["overlap"]) == {"low, to 50%": 0, "high, from 100%": 1}


def test_a_label_that_all_share_or_none_has_is_no_breakdown(tmp_path: Path) -> None:
    same = {"hardness": {"level": "easy"}, "overlap": {"covered": 0.5}}
    assert labelled(tmp_path, [same, same, {}], [1, 0, 1]) == {}


def test_a_mean_has_its_interval_and_that_of_one_golden_has_none(tmp_path: Path) -> None:
    found = labelled(tmp_path, [{"hardness": {"level": level}} for level in ("easy", "easy", "hard")], [1, 1, 0])
    easy, hard = found["hardness"].rows[0][1]
    assert (easy.mean, easy.low, easy.high) == (1, 1, 1)
    assert (hard.mean, hard.low, hard.high) == (0, None, None)


def test_goldens_that_the_primary_metric_does_not_score_are_in_no_group(tmp_path: Path) -> None:
    goldens = (
        golden_of("A?"),
        golden_of("B?", style="exam"),
        golden_of("C?").model_copy(update={"kind": "unanswerable", "evidence": ()}),
    )
    rows = [("fine", golden.id, "recall@5", 1.0) for golden in goldens[:2]]
    results = tea_results(tmp_path, goldens=goldens, scores=frame_of(rows))
    assert [table.title for table in breakdowns(results, make_board(results))] == ["style"]
