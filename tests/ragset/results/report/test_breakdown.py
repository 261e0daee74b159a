from pathlib import Path

from ragset.models import Document
from ragset.results.report.board import make_board
from ragset.results.report.breakdown import breakdowns
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
    assert [(group.name, group.n, group.few) for group in found["document"].groups] == [
        ("Tea", 2, True),
        ("Coffee", 1, True),
    ]
    entry, cells = found["document"].rows[0]
    # what was not judged is left out of the mean: 1.0 alone
    assert (entry.name, [cell.mean for cell in cells]) == ("fine", [1.0, 0.5])
    # the other configuration has no scores
    assert [cell.mean for cell in found["document"].rows[1][1]] == [None, None]
    assert [group.name for group in found["kind"].groups] == ["single-chunk", "multi-chunk"]


def test_documents_of_one_title_are_told_apart_by_their_sources(tmp_path: Path) -> None:
    other = Document.of("Another text of tea, which is long.", source="more.md", title="Tea")
    goldens = (golden_of("A?"), golden_of("B?", document=other))
    results = tea_results(tmp_path, corpus=corpus_of(tmp_path, TEA, other), goldens=goldens)
    [table] = [table for table in breakdowns(results, make_board(results)) if table.title == "document"]
    assert {group.name for group in table.groups} == {"Tea (tea.md)", "Tea (more.md)"}
