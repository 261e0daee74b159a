import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.relevance.qrels import Gold, Pieces
from ragset.errors import InputError
from ragset.evaluation.metrics.spans import recall_at_tokens, span_scores
from ragset.models import Span
from ragset.retrieval.fusion import Hit
from tests.ragset.evaluation.metrics.gold import hits, span

RANGES = st.tuples(st.integers(0, 60), st.integers(1, 25)).map(lambda pair: (pair[0], pair[0] + pair[1]))
IDS = RANGES.map(lambda range_: f"d:{range_[0]}-{range_[1]}")
SPANS = RANGES.map(lambda range_: span(*range_))


def scores_of(
    pieces: Pieces, *retrieved: str, chunks: list[str] | None = None, equivalents: tuple[Span, ...] = ()
) -> list[float]:
    """Recall, precision and IoU, and precision-omega where chunks are given."""
    gold = {"g": (pieces, *(((span,),) for span in equivalents))}
    rows = span_scores({"g": hits(*retrieved)}, gold, 5, chunks)
    assert [row.metric for row in rows] == [
        "span_recall@5",
        "span_precision@5",
        "span_iou@5",
        *(["span_precision_omega"] if chunks is not None else []),
    ]
    return [row.value for row in rows]


def test_one_chunk_that_holds_the_evidence() -> None:
    # 20 of 20 characters in a chunk of 100: recall 20/20, precision 20/100, IoU 20/(100 + 0 missed)
    assert scores_of(((span(40, 60),),), "d:0-100") == pytest.approx([1, 0.2, 0.2])


def test_one_chunk_that_holds_half_of_it() -> None:
    # 10 of 20: recall 1/2, precision 10/50, IoU 10/(50 + 10 missed)
    assert scores_of(((span(40, 60),),), "d:0-50") == pytest.approx([1 / 2, 1 / 5, 1 / 6])


def test_overlapping_chunks_count_once_in_the_evidence_and_twice_in_what_was_retrieved() -> None:
    # 0-50 and 25-75 hold 40-50 and 40-60: together 20 of 20; retrieved 50 + 50
    assert scores_of(((span(40, 60),),), "d:0-50", "d:25-75") == pytest.approx([1, 0.2, 0.2])


def test_evidence_in_several_pieces() -> None:
    # pieces of 20 and 30, of which 20 and 10 are found in 100 + 20; 20 missed
    gold = ((span(40, 60),), (span(200, 230),))
    assert scores_of(gold, "d:0-100", "d:190-210") == pytest.approx([30 / 50, 30 / 120, 30 / 140])


def test_only_the_first_k_hits_count() -> None:
    rows = span_scores({"g": hits("e:0-10", "d:0-10")}, {"g": (((span(0, 10),),),)}, 1)
    assert [(row.metric, row.value) for row in rows] == [
        ("span_recall@1", 0),
        ("span_precision@1", 0),
        ("span_iou@1", 0),
    ]


def test_another_document_is_another_place() -> None:
    assert scores_of(((span(0, 10),),), "e:0-10") == [0, 0, 0]


@pytest.mark.parametrize("run", [{}, {"g": []}])
def test_nothing_retrieved_is_0(run: dict[str, list[Hit]]) -> None:
    assert [row.value for row in span_scores(run, {"g": (((span(0, 10),),),)}, 5)] == [0, 0, 0]


def test_a_text_that_stands_twice_is_covered_by_either_place() -> None:
    # the place of 22 in e is whole: recall 22/22, precision 22/50, IoU 22/50
    gold = ((span(40, 60), span(10, 32, "e")),)
    assert scores_of(gold, "e:0-50") == pytest.approx([1, 0.44, 0.44])


def test_both_places_of_a_text_count_once() -> None:
    # 20 of 20, in 50 + 50 retrieved
    gold = ((span(40, 60), span(10, 30, "e")),)
    assert scores_of(gold, "e:0-50", "d:30-80") == pytest.approx([1, 0.2, 0.2])


def test_halves_of_two_places_are_not_a_whole() -> None:
    # the first half here and the second there: the best place has 10 of 20
    gold = ((span(40, 60), span(10, 30, "e")),)
    assert scores_of(gold, "d:30-50", "e:20-40") == pytest.approx([1 / 2, 10 / 40, 10 / 50])


def test_two_pieces_with_one_text_are_both_found_where_it_is_found_once() -> None:
    # both pieces are best covered at 0-20, which is 20 of 20
    gold = ((span(0, 20), span(100, 120)), (span(100, 120), span(0, 20)))
    assert scores_of(gold, "d:0-40") == pytest.approx([1, 0.5, 0.5])


def test_pieces_that_overlap_are_counted_once() -> None:
    # 0-20 and 10-30 are 30 characters
    assert scores_of(((span(0, 20),), (span(10, 30),)), "d:0-60") == pytest.approx([1, 0.5, 0.5])


def test_precision_omega_is_that_of_all_chunks_that_overlap_the_evidence() -> None:
    # evidence 40-60 lies in 0-50 and 50-100: 20 of 100
    chunks = ["d:0-50", "d:50-100", "d:100-150"]
    assert scores_of(((span(40, 60),),), chunks=chunks)[3] == pytest.approx(0.2)


def test_precision_omega_counts_overlapping_chunks_once() -> None:
    # 0-50, 25-75 and 50-100 together are 100 characters
    chunks = ["d:0-50", "d:25-75", "d:50-100", "d:75-125"]
    assert scores_of(((span(40, 60),),), chunks=chunks)[3] == pytest.approx(0.2)


def test_precision_omega_counts_evidence_that_no_chunk_holds_as_missed() -> None:
    # 40-50 is held, in 50 characters; 50-60 is not: 10 / (50 + 10)
    assert scores_of(((span(40, 60),),), chunks=["d:0-50"])[3] == pytest.approx(1 / 6)


def test_a_chunk_that_ends_where_evidence_begins_does_not_overlap_it() -> None:
    assert scores_of(((span(50, 100),),), chunks=["d:0-50", "d:50-100", "d:100-150"])[3] == 1


def test_a_chunk_that_touches_overlaps_in_the_published_numbers() -> None:
    # 50 of 0-150; 151-200 does not touch
    chunks = ["d:0-50", "d:50-100", "d:100-150", "d:151-200"]
    rows = span_scores({}, {"g": (((span(50, 100),),),)}, 5, chunks, touching=True)
    assert rows[3].value == pytest.approx(50 / 150)


def test_precision_omega_of_lost_evidence_is_that_of_its_other_place() -> None:
    # 40-60 in no chunk; 10-30 of e in 0-40
    gold = ((span(40, 60), span(10, 30, "e")),)
    assert scores_of(gold, chunks=["d:100-200", "e:0-40"])[3] == pytest.approx(0.5)
    assert scores_of(gold, chunks=["d:100-200"])[3] == 0


def test_a_golden_without_evidence_has_no_rows() -> None:
    assert span_scores({"g": hits("d:0-10")}, {"g": ()}, 5, ["d:0-10"]) == []
    assert recall_at_tokens({"g": hits("d:0-10")}, {"g": ()}, 100, lambda _: 1) == []


def test_a_hit_without_a_place_is_refused() -> None:
    with pytest.raises(InputError, match="doc_id:start-end"):
        span_scores({"g": hits("chunk-7")}, {"g": (((span(0, 10),),),)}, 5)


def tokens_of(chunk: Span) -> int:
    """One for each 5 characters."""
    return (chunk.end - chunk.start) // 5


def recall_of(gold: tuple[tuple[Span, ...], ...], budget: int, *retrieved: str) -> float:
    (row,) = recall_at_tokens({"g": hits(*retrieved)}, {"g": (gold,)}, budget, tokens_of)
    assert row.metric == f"recall@{budget}tokens"
    return row.value


def test_hits_within_the_budget_count_whole() -> None:
    # 10 + 10 tokens
    assert recall_of(((span(60, 100),),), 20, "d:0-50", "d:50-100") == 1


def test_the_hit_that_no_longer_fits_is_cut_in_proportion() -> None:
    # 10 of 15 tokens are left of 20: 5 of 10 of the second, so 50-75, with 15 of the 40 characters 60-100
    assert recall_of(((span(60, 100),),), 15, "d:0-50", "d:50-100") == pytest.approx(15 / 40)


def test_hits_after_the_budget_do_not_count() -> None:
    assert recall_of(((span(60, 100),),), 10, "d:0-50", "d:50-100") == 0


def test_large_and_small_chunks_have_the_same_recall_of_the_same_characters() -> None:
    gold = ((span(0, 100),),)
    assert recall_of(gold, 12, "d:0-100") == recall_of(gold, 12, "d:0-50", "d:50-100") == pytest.approx(0.6)


def test_recall_at_tokens_is_that_of_the_best_place() -> None:
    # 5 tokens: all of 10-30 in e, or nothing of d
    assert recall_of(((span(40, 60), span(10, 30, "e")),), 10, "e:0-50", "d:30-80") == 1


def test_a_golden_that_is_not_in_the_run_has_recalled_nothing() -> None:
    (row,) = recall_at_tokens({}, {"g": (((span(0, 10),),),)}, 100, tokens_of)
    assert row.value == 0


@given(st.lists(SPANS, min_size=1, max_size=4), st.lists(IDS, max_size=5), st.lists(IDS, max_size=8))
def test_scores_are_those_of_sets_of_characters(pieces: list[Span], retrieved: list[str], chunks: list[str]) -> None:
    gold: Gold = {"g": (tuple((piece,) for piece in pieces),)}
    recall, precision, iou, omega = (row.value for row in span_scores({"g": hits(*retrieved)}, gold, 5, chunks))

    def characters(chunk_id: str) -> set[int]:
        return set(range(*map(int, chunk_id.removeprefix("d:").split("-"))))

    evidence = {place for piece in pieces for place in range(piece.start, piece.end)}
    found = evidence & {place for chunk in retrieved for place in characters(chunk)}
    length = sum(len(characters(chunk)) for chunk in retrieved)
    assert recall == pytest.approx(len(found) / len(evidence))
    assert precision == pytest.approx(len(found) / length if length else 0)
    assert iou == pytest.approx(len(found) / (length + len(evidence - found)))
    held = {place for chunk in chunks if characters(chunk) & evidence for place in characters(chunk)}
    assert omega == pytest.approx(len(evidence & held) / len(evidence | held))


@given(st.lists(SPANS, min_size=1, max_size=3), st.lists(IDS, max_size=6))
def test_the_order_within_k_makes_no_difference(pieces: list[Span], retrieved: list[str]) -> None:
    gold: Gold = {"g": (tuple((piece,) for piece in pieces),)}
    assert span_scores({"g": hits(*retrieved)}, gold, 6) == span_scores({"g": hits(*sorted(retrieved))}, gold, 6)


@given(st.lists(SPANS, min_size=1, max_size=3), st.lists(IDS, max_size=6), st.integers(0, 20), st.integers(0, 20))
def test_a_larger_budget_never_recalls_less(pieces: list[Span], retrieved: list[str], budget: int, more: int) -> None:
    gold: Gold = {"g": (tuple((piece,) for piece in pieces),)}
    run = {"g": hits(*retrieved)}
    (less_row,), (more_row,) = (
        recall_at_tokens(run, gold, limit, lambda chunk: chunk.end - chunk.start) for limit in (budget, budget + more)
    )
    assert 0 <= less_row.value <= more_row.value <= 1


def test_with_an_equivalent_every_score_is_as_worked_out_by_hand() -> None:
    evidence, other = ((span(0, 20),), (span(100, 120),)), span(0, 30, "e")
    # 20 of 40 of the evidence, all 30 of the equivalent, and 10 of neither: 60 retrieved. Recall 30/30, precision 50/60;
    # IoU of the equivalent 30/(60 - 20 of the other set), of the evidence 20/(60 - 30 of the other + 20 missed)
    assert scores_of(evidence, "d:0-25", "e:0-35", equivalents=(other,)) == pytest.approx([1, 50 / 60, 30 / 40])
    # without it: 20/40, 20/60, 20/(60 + 20)
    assert scores_of(evidence, "d:0-25", "e:0-35") == pytest.approx([1 / 2, 1 / 3, 1 / 4])


def test_a_perfect_retriever_may_return_the_set_that_the_chunking_cuts_best() -> None:
    # evidence of 10 in a chunk of 100: 10/100; equivalent of 30 in one of 40: 30/40
    chunks = ["d:0-100", "e:0-40"]
    assert scores_of(((span(0, 10),),), chunks=chunks, equivalents=(span(5, 35, "e"),))[3] == pytest.approx(3 / 4)


def test_the_budget_is_best_spent_on_one_set() -> None:
    # 20 of 20 in an equivalent, which fits 20 tokens of one character each; of the evidence 0 of 50
    gold: Gold = {"g": (((span(0, 50),),), ((span(0, 20, "e"),),))}
    (row,) = recall_at_tokens({"g": hits("e:0-20", "d:0-50")}, gold, 20, lambda chunk: chunk.end - chunk.start)
    assert row.value == 1


@given(
    st.lists(SPANS, min_size=1, max_size=3),
    st.lists(SPANS, max_size=2),
    SPANS,
    st.lists(IDS, max_size=5),
    st.lists(IDS, max_size=8),
)
def test_one_more_equivalent_never_lowers_a_score(
    pieces: list[Span], equivalents: list[Span], more: Span, retrieved: list[str], chunks: list[str]
) -> None:
    evidence = tuple((piece,) for piece in pieces)
    before, after = (
        scores_of(evidence, *retrieved, chunks=chunks, equivalents=given)
        for given in ((*equivalents,), (*equivalents, more))
    )
    assert all(0 <= one <= other <= 1 for one, other in zip(before, after, strict=True))


@given(st.lists(IDS, min_size=1, max_size=5), SPANS)
def test_an_equivalent_alone_scores_as_the_evidence_alone(retrieved: list[str], evidence: Span) -> None:
    # the same place in another document
    twin = evidence.model_copy(update={"doc_id": "e"})
    moved = [chunk.replace("d:", "e:") for chunk in retrieved]
    ours, theirs = (scores_of(((evidence,),), *given, equivalents=(twin,)) for given in (retrieved, moved))
    assert ours == theirs
