from ragset.dataset.report.census import take_census
from ragset.models import Document
from tests.small_dataset import TEA, chunk_of, golden_of, multi_of

COFFEE = Document.of("Coffee is roasted at 200 °C and more. It cracks when ready.", source="coffee.md", title="Coffee")
HOT, STEEPED, ROASTED = chunk_of(TEA, 0, 36), chunk_of(TEA, 36), chunk_of(COFFEE)

ACROSS = multi_of("Hotter?", (HOT, [(0, 35)]), (ROASTED, [(0, 27)]))
WITHIN = multi_of("Longer?", (HOT, [(0, 35)]), (STEEPED, [(36, 61)]), shape="bridge")


def test_a_golden_is_cross_document_when_its_evidence_is_in_two_documents() -> None:
    assert ACROSS.cross_document
    assert not WITHIN.cross_document
    assert not golden_of().cross_document


def test_chunks_of_two_documents_with_evidence_in_one_are_not_cross_document() -> None:
    assert not multi_of("Hot?", (HOT, [(0, 35)]), (ROASTED, [])).cross_document


def test_the_census_counts_kinds_and_shapes() -> None:
    # three of several chunks, one of them across documents; two of one chunk
    counted = take_census([WITHIN, ACROSS, golden_of(), WITHIN, golden_of()])
    assert (counted.multi, counted.single, counted.cross) == (3, 2, 1)
    assert counted.shapes == (("bridge", 2), ("comparison", 1))


def test_a_single_chunk_golden_that_was_split_off_does_not_count_by_the_shape_of_the_whole() -> None:
    assert take_census([multi_of("Hot?", (HOT, [(0, 35)]))]).shapes == ()


def test_a_golden_without_a_shape_is_counted_all_the_same() -> None:
    counted = take_census([ACROSS.model_copy(update={"metadata": {"shape": None}})])
    assert (counted.multi, counted.shapes) == (1, ())


def test_the_census_of_nothing_is_nought() -> None:
    assert take_census([]) == (0, 0, 0, (), 0, 0, ())


def test_unanswerable_goldens_are_counted_apart() -> None:
    nobody = golden_of().model_copy(update={"kind": "unanswerable", "answer": None, "evidence": ()})
    counted = take_census([nobody, golden_of(), ACROSS])
    assert (counted.unanswerable, counted.single, counted.multi) == (1, 1, 1)


def test_labels_are_counted_where_they_say_something() -> None:
    # the persona is on one only; of the splits there are two; no golden has a language or an equivalent
    easy, hard = (
        {"hardness": {"level": level}, "round_trip": {"rank": 1, "k": 9, "by": "bm25"}} for level in ("easy", "hard")
    )
    goldens = [
        golden_of().model_copy(update={"metadata": hard, "split": "test"}),
        golden_of().model_copy(update={"metadata": {**hard, "persona": "clerk"}, "split": "train"}),
        golden_of().model_copy(update={"metadata": easy, "split": "train"}),
    ]
    assert take_census(goldens).tallies == (
        ("split", (("train", 2), ("test", 1))),
        ("hardness", (("easy", 1), ("hard", 2))),
        ("round_trip", (("found", 3),)),
        ("persona", (("clerk", 1),)),
    )


def test_equivalents_are_counted_once_there_are_any() -> None:
    evidence = golden_of().evidence
    goldens = [golden_of(), golden_of().model_copy(update={"equivalents": evidence})]
    assert take_census(goldens).tallies == (("equivalents", (("with", 1), ("without", 1))),)
    assert take_census(goldens[:1]).tallies == ()
