from pathlib import Path

from ragset.dataset.exporters import ExportSet
from ragset.models import Span
from tests.ragset.dataset.exporters.sets import COFFEE, SENTENCES, export_set
from tests.small_dataset import TEA, golden_of, write_small


def test_whole_documents_are_the_passages_unless_a_chunking_is_named(tmp_path: Path) -> None:
    whole = export_set(tmp_path, golden_of())
    assert {one.id: one.text for one in whole.passages} == {one.id: one.text for one in (TEA, COFFEE)}
    cut = ExportSet.read(tmp_path / "demo", SENTENCES)
    texts = {TEA.id: TEA.text, COFFEE.id: COFFEE.text}
    spans = [(Span.of_id(one.id), one.text) for one in cut.passages]
    assert len(spans) == 4
    assert all(texts[span.doc_id][span.start : span.end] == text for span, text in spans)


def test_passages_that_say_the_evidence_elsewhere_are_relevant_too(tmp_path: Path) -> None:
    # The evidence is the first sentence of TEA, which COFFEE says word for word from character 36 on.
    made = export_set(tmp_path, golden_of(), chunking=SENTENCES)
    [golden] = made.goldens
    assert made.qrels[golden.id] == {f"{TEA.id}:0-35": 1, f"{COFFEE.id}:36-84": 1}
    assert ExportSet.read(tmp_path / "demo").qrels[golden.id] == {TEA.id: 1, COFFEE.id: 1}


def test_every_span_is_needed_and_an_equivalent_answers_alone(tmp_path: Path) -> None:
    golden = golden_of(evidence=((0, 35), (36, 61))).model_copy(
        update={"grades": (2, 1), "equivalents": (Span(doc_id=COFFEE.id, start=0, end=35),)}
    )
    made = export_set(tmp_path, golden, chunking=SENTENCES)
    hot, steep, alone = f"{TEA.id}:0-35", f"{TEA.id}:36-61", f"{COFFEE.id}:0-35"
    again = f"{COFFEE.id}:36-84"  # says the first span word for word
    assert made.needed(golden) == [[hot, again, alone], [steep, alone]]
    assert made.qrels[golden.id] == {hot: 2, again: 2, steep: 1, alone: 1}


def test_an_unanswerable_query_needs_nothing(tmp_path: Path) -> None:
    golden = golden_of().model_copy(update={"kind": "unanswerable", "answer": None, "evidence": ()})
    made = export_set(tmp_path, golden)
    assert (made.needed(golden), made.qrels[golden.id]) == ([], {})


def test_a_version_is_not_part_of_the_name(tmp_path: Path) -> None:
    first = export_set(tmp_path, golden_of())
    write_small(tmp_path / "demo-v3", first.corpus, first.goldens)
    third = ExportSet.read(tmp_path / "demo-v3")
    assert [(one.name, one.version) for one in (first, third)] == [("demo", 1), ("demo", 3)]
