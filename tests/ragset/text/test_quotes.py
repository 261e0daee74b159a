import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragset.models import Chunk, Span
from ragset.text.context_window import text_of
from ragset.text.quotes import locate, merge, merge_neighbours, whole_sentences

TEXT = "A pendulum's period depends on its length.\nHuygens built the first pendulum clock in 1656, in The Hague."


def chunk_of(text: str, start: int = 0) -> Chunk:
    return Chunk(doc_id="d", start=start, end=start + len(text), text=text)


def words_at(chunk: Chunk, spans: tuple[Span, ...]) -> list[str]:
    return [chunk.text[span.start - chunk.start : span.end - chunk.start] for span in spans]


def test_an_exact_quote_is_found_at_its_place_in_the_document() -> None:
    chunk = chunk_of(TEXT, start=1000)
    # "Huygens" begins after the first line of 42 characters and its line end
    assert locate("Huygens built", chunk) == (Span(doc_id="d", start=1043, end=1056),)


def test_white_space_is_no_difference() -> None:
    chunk = chunk_of(TEXT)
    assert words_at(chunk, locate("its   length. Huygens built", chunk)) == ["its length.\nHuygens built"]


def test_typography_and_case_are_no_difference() -> None:
    chunk = chunk_of(TEXT)
    assert words_at(chunk, locate("a pendulum’s period", chunk)) == ["A pendulum's period"]


def test_the_bracket_that_prompts_show_in_place_of_a_tag_is_found() -> None:
    chunk = chunk_of("Write </chunk> to end it.")
    assert words_at(chunk, locate("Write ‹/chunk> to end", chunk)) == ["Write </chunk> to end"]


def test_a_small_slip_is_found_and_widened_to_whole_words() -> None:
    chunk = chunk_of(TEXT)
    found = words_at(chunk, locate("Huygens build the first pendulum clock in 1656, in The Hague", chunk))
    assert found == ["Huygens built the first pendulum clock in 1656, in The Hague"]


def test_another_number_is_another_fact() -> None:
    assert locate("Huygens built the first pendulum clock in 1657, in The Hague", chunk_of(TEXT)) == ()


def test_an_ellipsis_leaves_two_spans() -> None:
    chunk = chunk_of(TEXT)
    spans = locate("A pendulum's period … first pendulum clock in 1656", chunk)
    assert words_at(chunk, spans) == ["A pendulum's period", "first pendulum clock in 1656"]


def test_a_quote_with_one_piece_lost_is_not_found() -> None:
    assert locate("A pendulum's period ... made of gold and silver", chunk_of(TEXT)) == ()


def test_an_invented_quote_is_not_found() -> None:
    assert locate("Galileo never saw a clock that ran on water", chunk_of(TEXT)) == ()
    assert locate("", chunk_of(TEXT)) == ()
    assert locate("…", chunk_of(TEXT)) == ()


def test_the_first_of_several_places_is_taken() -> None:
    assert locate("clock", chunk_of("a clock, another clock")) == (Span(doc_id="d", start=2, end=7),)


@given(st.text(min_size=1, max_size=200), st.data())
def test_every_piece_of_a_chunk_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    quote = text[start:end]
    spans = locate(quote, chunk_of(text, start=5))
    if quote.strip():
        assert words_at(chunk_of(text, start=5), spans) == [quote.strip()]


@given(st.text(max_size=80), st.text(min_size=1, max_size=200))
def test_whatever_is_found_lies_inside_the_chunk(quote: str, text: str) -> None:
    for span in locate(quote, chunk_of(text, start=7)):
        assert 7 <= span.start < span.end <= 7 + len(text)


def test_spans_that_touch_or_overlap_become_one_in_reading_order() -> None:
    spans = [Span(doc_id=d, start=a, end=b) for d, a, b in [("b", 0, 2), ("a", 5, 9), ("a", 0, 3), ("a", 3, 6)]]
    assert merge(spans) == (Span(doc_id="a", start=0, end=9), Span(doc_id="b", start=0, end=2))


LETTER = (
    "The mill of Aldmoor opened in 1902. It ground rye, e.g. for No. 3 in Brill. [4]\n\nIts wheel broke in 1911! Why?"
)
MILL = Chunk(doc_id="m" * 16, start=50, end=50 + len(LETTER), text=LETTER)


def test_spans_are_cut_where_sentences_end() -> None:
    parts = whole_sentences((MILL.span,), (MILL,))
    assert [text_of(part, (MILL,)) for part in parts] == [
        "The mill of Aldmoor opened in 1902.",
        "It ground rye, e.g. for No. 3 in Brill. [4]",
        "Its wheel broke in 1911!",
        "Why?",
    ]


def test_a_part_of_a_sentence_becomes_the_whole_of_it() -> None:
    part = Span(doc_id=MILL.doc_id, start=60, end=70)
    assert [text_of(one, (MILL,)) for one in whole_sentences((part,), (MILL,))] == [
        "The mill of Aldmoor opened in 1902."
    ]


@pytest.mark.parametrize(
    ("text", "quote", "evidence"),
    [
        (
            "One depends on wind.\n\nkestrel is a pump that needs none.",
            "needs none",
            "kestrel is a pump that needs none.",
        ),
        ("## Pumps\n\n### Kestrel\nIt lifts water. It is loud.", "lifts water", "It lifts water."),
        ("## Pumps\n\nThey lift water.", "Pumps They lift", "## Pumps\n\nThey lift water."),
        (
            "Do this:\n1. open the valve\n   slowly.\n2. start the pump.",
            "open the valve",
            "1. open the valve\n   slowly.",
        ),
        (" = = Pumps = = \n The mill had 12. It lost two.", "had 12", "The mill had 12."),
        ("Kinds:\n* a pump of wood\n* a pump of iron", "of iron", "* a pump of iron"),
        ("The mill had\n12. It lost two, e.g. its\nsmall one.", "lost two", "It lost two, e.g. its\nsmall one."),
        ("The pump of\n7) lifts it.", "lifts it", "The pump of\n7) lifts it."),
    ],
)
def test_paragraphs_and_items_of_lists_end_a_sentence_and_headings_above_a_quote_stay_out(
    text: str, quote: str, evidence: str
) -> None:
    chunk = Chunk(doc_id="d", start=5, end=5 + len(text), text=text)
    (part,) = whole_sentences(locate(quote, chunk), (chunk,))
    assert text_of(part, (chunk,)) == evidence


def test_a_part_of_a_long_table_becomes_its_line() -> None:
    rows = "\n".join(f"| Mill {number} | rye | 19{number:02} |" for number in range(40))
    table = Chunk(doc_id="t", start=0, end=len(rows), text=rows)
    start = rows.index("Mill 7 |")
    (line,) = whole_sentences((Span(doc_id="t", start=start, end=start + 6),), (table,))
    assert text_of(line, (table,)) == "| Mill 7 | rye | 1907 |"


def test_neighbours_become_one_across_white_space_alone() -> None:
    first, second, third, _ = whole_sentences((MILL.span,), (MILL,))
    assert merge_neighbours((second, first), (MILL,)) == (Span(doc_id=MILL.doc_id, start=first.start, end=second.end),)
    assert merge_neighbours((first, third), (MILL,)) == (first, third)


@given(text=st.text(st.sampled_from("Ab1. !?\n[。"), max_size=80), data=st.data())
def test_whole_sentences_hold_all_letters_of_a_span_and_overlap_nowhere(text: str, data: st.DataObject) -> None:
    assume(text)
    chunk = Chunk(doc_id="d", start=7, end=7 + len(text), text=text)
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(doc_id="d", start=7 + start, end=7 + data.draw(st.integers(start + 1, len(text))))
    parts = whole_sentences((span,), (chunk,))
    held = {place for part in parts for place in range(part.start, part.end)}
    assert len(held) == sum(part.end - part.start for part in parts)
    assert {place for place in range(span.start, span.end) if not text[place - 7].isspace()} <= held
