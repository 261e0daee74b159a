import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.chunking import split
from ragset.chunking.ruler import Ruler
from ragset.generation.passages import LONGEST, ROUNDS, SHORTEST, Place, draw_passages, place_in
from ragset.models import Chunk, Document, Span
from ragset.settings import ChunkingSettings
from ragset.text.sentences import PARAGRAPH, sentences
from ragset.text.tokens import count_tokens

WORDS = ["tea", "leaf", "water", "pot", "cup", "steam", "bitter", "green", "black", "warm", "spoon", "kettle", "minute"]


def prose(seed: int, *, count: int = 120) -> str:
    """Sentences of 3 to 20 words, some of which end a paragraph or stand under a heading."""
    chance = random.Random(seed)
    parts = ["# Tea\n\n"]
    for number in range(count):
        said = " ".join(chance.choice(WORDS) for _ in range(chance.randint(3, 20)))
        parts.append(f"{said.capitalize()}.")
        parts.append(chance.choice([" ", " ", " ", "\n\n", f"\n\n## Part {number}\n\n"]))
    return "".join(parts)


def drawn_of(documents: Sequence[Document], places: Sequence[Place], size: int = 10_000) -> list[Chunk]:
    return draw_passages(places, {one.id: one for one in documents}.__getitem__, size=size)[0]


def places_of(document: Document, count: int, seed: int) -> list[Place]:
    chance = random.Random(seed)
    return [Place(document.id, chance.randrange(len(document.text))) for _ in range(count)]


@given(st.integers(0, 10_000), st.integers(1, 30))
def test_a_passage_is_whole_sentences_of_its_document(seed: int, count: int) -> None:
    document = Document.of(prose(seed), source="tea.md")
    begins = {0, *sentences(document.text, "en"), *(match.end() for match in PARAGRAPH.finditer(document.text))}
    ends = {len(document.text[:place].rstrip()) for place in (*begins, len(document.text))}
    ruler = Ruler(document.text, "tokens")
    for passage in drawn_of([document], places_of(document, count, seed)):
        assert passage.text == document.text[passage.start : passage.end]
        assert passage.start in begins
        assert passage.end in ends
        assert SHORTEST <= ruler.measure(passage.start, passage.end) <= LONGEST


@given(st.integers(0, 10_000), st.integers(0, 25))
def test_a_larger_draw_begins_with_the_smaller_one(seed: int, size: int) -> None:
    document = Document.of(prose(seed), source="tea.md")
    places = places_of(document, 60, seed)
    everything = drawn_of([document], places)
    assert drawn_of([document], places, size) == everything[:size]


@given(st.integers(0, 10_000))
@settings(max_examples=20)
def test_draws_in_rounds_are_the_same_as_one_draw(seed: int) -> None:
    document = Document.of(prose(seed), source="tea.md")
    places, drawn, used = places_of(document, 60, seed), [], 0
    for size in (3, 1, 5, 100):
        more, taken = draw_passages(places[used:], {document.id: document}.__getitem__, size=size, taken=drawn)
        drawn, used = [*drawn, *more], used + taken
    assert drawn == drawn_of([document], places)


@given(st.integers(0, 10_000))
@settings(max_examples=20)
def test_passages_hardly_overlap(seed: int) -> None:
    document = Document.of(prose(seed), source="tea.md")
    drawn = drawn_of([document], places_of(document, 60, seed))
    for number, one in enumerate(drawn):
        for other in drawn[:number]:
            assert 2 * one.overlap(other) <= min(len(one.text), len(other.text))


def test_in_late_rounds_a_short_passage_within_a_long_one_counts_as_another() -> None:
    document = Document.of(prose(3), source="tea.md")
    places = places_of(document, 60, 3)
    late = [place._replace(round=ROUNDS - 1) for place in places]
    assert len(drawn_of([document], [*places, *late])) > len(drawn_of([document], [*places, *places]))


def test_chunks_of_any_strategy_that_hold_a_place_give_the_same_passage() -> None:
    document = Document.of(prose(5), source="tea.md")
    place = len(document.text) // 2
    found: set[Chunk] = set()
    for strategy in ("recursive", "sentence", "token", "words"):
        chunks = split(document, ChunkingSettings(strategy=strategy, size=64))
        assert any(chunk.start <= place < chunk.end for chunk in chunks)
        found.update(drawn_of([document], [Place(document.id, place)]))
        (passage,) = found
        # the chunk around it ends elsewhere
        assert not any((chunk.start, chunk.end) == (passage.start, passage.end) for chunk in chunks)


@given(st.integers(0, 1000), st.integers(1, 400), st.integers(0, 1000), st.integers(0, ROUNDS - 1))
def test_a_place_is_a_character_of_its_chunk(start: int, length: int, seed: int, number: int) -> None:
    chunk = Span(doc_id="d", start=start, end=start + length)
    place = place_in(chunk, seed, number)
    assert start <= place.at < start + length
    assert place == place_in(chunk, seed, number)


def test_places_spread_evenly_over_a_chunk() -> None:
    chunk = Span(doc_id="d", start=100, end=200)
    quarters = [(place_in(chunk, seed).at - 100) // 25 for seed in range(2_000)]
    # 500 expected in each; five standard deviations are 97
    assert all(400 < quarters.count(quarter) < 600 for quarter in range(4))


def test_lengths_are_log_uniform() -> None:
    # 60 to 173 tokens is half of the logarithms: ln 173.2 is in the middle of ln 60 and ln 500
    documents = [Document.of(prose(seed, count=200), source=f"{seed}.md") for seed in range(100)]
    drawn = drawn_of(documents, [places_of(document, 1, 1)[0] for document in documents])
    short = sum(count_tokens(passage.text) <= 173 for passage in drawn)
    assert 25 <= short <= 60  # ends move to those of paragraphs, so it is a little less than half


def test_a_short_document_is_one_passage() -> None:
    document = Document.of(
        "Green tea turns bitter above 80 °C. Steep it for two minutes.\n", source="tea.md", title="Tea"
    )
    (passage,) = drawn_of([document], [Place(document.id, 50), Place(document.id, 3)])
    assert (passage.text, passage.title) == (document.text.strip(), "Tea")


def test_a_passage_knows_the_headings_above_all_of_it() -> None:
    body = " ".join(f"The kettle number {n} of the east wing is warm." for n in range(60))
    text = f"# Tea\n\n## Brewing\n\n{body}\n\n## Storing\n\n{body}"
    document = Document.of(text, source="tea.md")
    seam = text.index("## Storing")
    inside = drawn_of([document], [Place(document.id, seam // 2)])
    assert [passage.headings for passage in inside] == [("Tea", "Brewing")]
    across = drawn_of([document], [Place(document.id, seam - 3), Place(document.id, seam + 30)])
    for passage in across:
        both = passage.start < seam < passage.end
        assert passage.headings == (("Tea",) if both else ("Tea", "Brewing" if passage.end <= seam else "Storing"))


@pytest.mark.parametrize(
    "text",
    [
        "緑茶は八十度で淹れる。二分間待つ。" * 2_000,
        "緑茶を八十度で淹れて二分間待つ" * 2_000,  # no stop at all
        "leaf,80,2\n" * 5_000,
        "| leaf | degrees |\n|---|---|\n" + "| green | 80 |\n" * 3_000,
        "word " * 20_000,
        "x" * 50_000,
        "Tea is hot. " * 100_000,  # one line of 1.2 MB
    ],
    ids=["japanese", "unbroken japanese", "csv", "table", "words", "one word", "long line"],
)
def test_texts_of_any_form_give_passages_within_the_bounds(text: str) -> None:
    document = Document.of(text, source="any.txt")
    drawn = drawn_of([document], places_of(document, 40, 1))
    ruler = Ruler(text, "tokens")
    assert len(drawn) >= 5
    for passage in drawn:
        assert passage.text == text[passage.start : passage.end]
        assert SHORTEST <= ruler.measure(passage.start, passage.end) <= LONGEST
