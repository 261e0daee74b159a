from pathlib import Path

from ragset.dataset import Dataset, read_dataset
from ragset.models import Document, Golden
from tests.small_dataset import TEA, corpus_of, golden_of, write_small
from tests.small_results import HOSTILE


def stored(folder: Path, goldens: list[Golden], document: Document = TEA) -> Dataset:
    write_small(folder / "set", corpus_of(folder, document), goldens)
    return read_dataset(folder / "set")


def test_a_dataset_shows_its_goldens_with_the_text_of_their_evidence(tmp_path: Path) -> None:
    dataset = stored(tmp_path, [golden_of(), golden_of("How long is it steeped?", "2 min")])
    assert repr(dataset) == (
        f"<Dataset {tmp_path / 'set'}: 2 goldens (single-chunk) of teas, 1 document, made by m; 0 rejected>"
    )
    shown = dataset._repr_html_()
    assert all(golden.id in shown for golden in dataset.goldens)
    assert "Green tea turns bitter above 80 °C." in shown
    assert "more: frame()" not in shown
    assert [golden.id for golden in dataset.first(1).goldens] == [dataset.goldens[0].id]


def test_a_dataset_of_many_goldens_shows_ten_and_says_where_the_others_are(tmp_path: Path) -> None:
    goldens = [golden_of(f"How hot is cup {number}?") for number in range(12)]
    shown = stored(tmp_path, goldens)._repr_html_()
    assert shown.count("How hot is cup") == 10
    assert "… and 2 more: frame() has all of them." in shown  # 12 - 10


def test_what_notebooks_show_runs_nothing(tmp_path: Path) -> None:
    hostile = Document.of(f"Tea {HOSTILE} is hot.", source=f"{HOSTILE}.md", title=HOSTILE)
    golden = golden_of(HOSTILE, HOSTILE, document=hostile, evidence=((0, len(hostile.text)),))
    dataset = stored(tmp_path, [golden], hostile)
    for shown in (dataset._repr_html_(), golden._repr_html_(), hostile._repr_html_()):
        assert "&lt;script&gt;" in shown
        assert "<script" not in shown
        assert "<img" not in shown


def test_a_golden_shows_every_field_in_a_notebook_and_those_to_read_in_a_shell() -> None:
    golden = golden_of()
    shown = golden._repr_html_()
    for text in (golden.id, "80 °C", f"{TEA.id}:0-35", "groundedness: 5", "draft_open_query@1", "style: open"):
        assert text in shown
    assert "grades" not in shown  # it has none
    assert "query='How hot may green tea be?'" in repr(golden)
    assert "lineage" not in repr(golden)
