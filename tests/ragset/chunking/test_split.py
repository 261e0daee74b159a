import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.chunking import STRATEGIES, split, strategy
from ragset.chunking.boundaries import Pattern
from ragset.chunking.ruler import Ruler
from ragset.chunking.strategies import Places
from ragset.errors import InputError
from ragset.models import Chunk, Document
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.settings import ChunkingSettings
from ragset.text.tokens import count_tokens

UNITS = ("tokens", "characters", "words")
EMBED = OfflineEmbedder(32).embed

PIECES = ["# A\n", "## B\n", "text. ", "More text here! ", "\n\n", "| a | b |\n", "|---|---|\n", "| 1 | 2 |\n", "```\n"]
PIECES += [
    "    code\n",
    "---\n",
    'Dr. No said "hi." ',
    "漢字。",
    "   ",
    "word ",
    "<!-- ",
    "-->\n",
    "🦙",
    "e\u0301",
    "\u2028",
]
TEXTS = (
    st.text(min_size=1, max_size=300)
    | st.text(alphabet="ab. \n#|-`é漢。😀>*", min_size=1, max_size=300)
    | st.lists(st.sampled_from(PIECES), min_size=1, max_size=60).map("".join)
)


def document(text: str, title: str = "") -> Document:
    return Document.of(text, source="a.md", title=title)


def texts(text: str, **options: object) -> list[str]:
    return [chunk.text for chunk in split(document(text), ChunkingSettings.model_validate(options), EMBED)]


def check(text: str, chunks: list[Chunk], chunking: ChunkingSettings) -> None:
    """The laws of every strategy."""
    ruler = Ruler(text, chunking.measured_in)
    covered = np.zeros(len(text), dtype=bool)
    for chunk in chunks:
        assert text[chunk.start : chunk.end] == chunk.text == chunk.text.strip() != ""
        assert ruler.measure(chunk.start, chunk.end) <= chunking.size
        covered[chunk.start : chunk.end] = True
    for one, other in pairwise(chunks):
        assert one.start < other.start
        assert one.end < other.end
        assert other.start >= one.end or ruler.measure(other.start, one.end) <= chunking.overlap
    assert not "".join(text[place] for place in np.flatnonzero(~covered)).strip()


@pytest.mark.parametrize("strategy", STRATEGIES.names())
@given(TEXTS, st.integers(8, 40), st.integers(0, 39), st.sampled_from(UNITS))
def test_chunks_are_exact_within_their_size_and_leave_nothing_out(
    strategy: str, text: str, size: int, overlap: int, unit: str
) -> None:
    chunking = ChunkingSettings.model_validate(
        {"strategy": strategy, "size": size, "overlap": overlap % size, "unit": unit}
    )
    check(text, split(document(text), chunking, EMBED), chunking)


@pytest.mark.parametrize("overlap", [0, 10])
@pytest.mark.parametrize("strategy", STRATEGIES.names())
def test_chunks_of_a_repetitive_text_are_where_they_are_and_not_where_their_text_first_stands(
    strategy: str, overlap: int
) -> None:
    text = "The clock strikes one. The clock strikes one. \n\n" * 100
    chunking = ChunkingSettings.model_validate({"strategy": strategy, "size": 20, "overlap": overlap})
    chunks = split(document(text), chunking, EMBED)
    check(text, chunks, chunking)
    # no two begin at one place, and the last one ends the text
    assert len(chunks) >= 40
    assert chunks[-1].end == len(text.rstrip())


@pytest.mark.parametrize("strategy", STRATEGIES.names())
@pytest.mark.parametrize("text", ["", " \n\t\n "])
def test_a_text_without_a_character_to_see_has_no_chunks(strategy: str, text: str) -> None:
    assert texts(text, strategy=strategy) == []


@pytest.mark.parametrize(
    ("strategy", "unit"),
    [*((strategy, "tokens") for strategy in STRATEGIES), ("recursive", "characters"), ("recursive", "words")],
)
def test_a_line_of_200_000_letters_is_cut(strategy: str, unit: str) -> None:
    text = "x" * 200_000
    chunking = ChunkingSettings.model_validate({"strategy": strategy, "size": 8_000, "unit": unit})
    check(text, split(document(text), chunking, EMBED), chunking)


def test_recursive_cuts_at_paragraphs_first() -> None:
    # 4 + 3 words; with the third paragraph they would be 11
    text = "One two three four.\n\nFive six seven.\n\nEight nine. Ten\neleven."
    assert texts(text, unit="words", size=8) == [
        "One two three four.\n\nFive six seven.",
        "Eight nine. Ten\neleven.",
    ]


def test_recursive_cuts_at_lines_before_sentences() -> None:
    # of the 8 words in reach the line holds 5 and the sentence 6
    text = "One two three four five\nSix. Seven eight nine ten eleven twelve"
    assert texts(text, unit="words", size=8)[0] == "One two three four five"


def test_recursive_cuts_at_a_sentence_before_a_line_that_was_wrapped() -> None:
    text = "One two three four five. Six seven\neight nine ten eleven twelve"
    assert texts(text, unit="words", size=8)[0] == "One two three four five."


def test_recursive_cuts_at_words_and_last_of_all_at_characters() -> None:
    assert texts("one two three", unit="characters", size=9) == ["one two", "three"]
    assert texts("abcdefghijklmnopqrst", unit="characters", size=8) == ["abcdefgh", "ijklmnop", "qrst"]


def test_recursive_parts_no_heading_from_its_paragraph() -> None:
    text = "One two three four five.\n\n## Six\n\nSeven eight nine ten."
    assert texts(text, unit="words", size=8) == ["One two three four five.", "## Six\n\nSeven eight nine ten."]


def test_sentence_ends_at_the_last_sentence_that_fits() -> None:
    text = "Dr. Dent came in. He sat down. He looked at the clock."
    # 4 + 3 words; the third sentence has 5
    assert texts(text, strategy="sentence", unit="words", size=8) == [
        "Dr. Dent came in. He sat down.",
        "He looked at the clock.",
    ]


def test_sentence_overlaps_by_whole_sentences() -> None:
    text = "One two three. Four five six. Seven eight nine. Ten eleven twelve."
    assert texts(text, strategy="sentence", unit="words", size=8, overlap=4) == [
        "One two three. Four five six.",
        "Four five six. Seven eight nine.",
        "Seven eight nine. Ten eleven twelve.",
    ]


def test_sentence_cuts_chinese_without_spaces() -> None:
    # 7 characters each, and 8 in a chunk
    assert texts("今天下雨了吗。昨天没有下雨。", strategy="sentence", unit="characters", size=8) == [
        "今天下雨了吗。",
        "昨天没有下雨。",
    ]


def test_words_are_windows_of_equal_length() -> None:
    text = " ".join(map(str, range(20)))
    assert texts(text, strategy="words", size=8, overlap=2) == [
        "0 1 2 3 4 5 6 7",
        "6 7 8 9 10 11 12 13",
        "12 13 14 15 16 17 18 19",
    ]


def test_token_makes_windows_of_tokens() -> None:
    # each word is one token with the space before it
    text = "The cat sat on the mat and the dog sat on the rug"
    assert texts(text, strategy="token", size=8, overlap=3) == [
        "The cat sat on the mat and the",
        "mat and the dog sat on the rug",
    ]
    assert [count_tokens(one) for one in texts(text, strategy="token", size=8)] == [8, 5]


def test_markdown_cuts_at_headings_and_remembers_them() -> None:
    text = "# Tea\n\nHot.\n\n## Green\n\nCool.\n"
    chunks = split(document(text), ChunkingSettings(strategy="markdown"))
    assert [(chunk.text, chunk.headings) for chunk in chunks] == [
        ("# Tea\n\nHot.", ("Tea",)),
        ("## Green\n\nCool.", ("Tea", "Green")),
    ]


def test_markdown_keeps_a_table_whole_that_fits() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |"  # 5 + 1 + 5 words
    text = f"One two three. Four five six.\n\n{table}\n\nSeven eight."
    assert texts(text, strategy="markdown", unit="words", size=12) == [
        "One two three. Four five six.",
        table,
        "Seven eight.",
    ]
    assert table not in texts(text, strategy="markdown", unit="words", size=8)


def test_semantic_cuts_topics_that_are_longer_than_the_size() -> None:
    text = "Green tea is green. " * 4
    assert texts(text, strategy="semantic", unit="words", size=8) == ["Green tea is green. Green tea is green."] * 2


def test_semantic_without_an_embedding_says_so() -> None:
    with pytest.raises(InputError, match="semantic: name the embedding"):
        split(document("Tea. Clocks."), ChunkingSettings(strategy="semantic"))


@pytest.mark.parametrize("strategy", STRATEGIES.names())
def test_a_chunk_carries_its_documents_id_and_title(strategy: str) -> None:
    whole = document("Tea is hot.", title="Tea")
    (chunk,) = split(whole, ChunkingSettings.model_validate({"strategy": strategy}), EMBED)
    assert (chunk.doc_id, chunk.title, chunk.id) == (whole.id, "Tea", f"{whole.id}:0-11")


def test_a_strategy_is_added_in_one_place() -> None:
    @strategy("at semicolons")
    def semicolons(text: str, _settings: ChunkingSettings, _embed: object) -> Places:
        return Places((Pattern(text, re.compile(";")),))

    try:
        assert texts("one two three; four five six; seven eight nine", strategy="semicolons", size=8, unit="words") == [
            "one two three; four five six;",
            "seven eight nine",
        ]
        assert (
            "semicolons: at semicolons" in ChunkingSettings.model_json_schema()["properties"]["strategy"]["description"]
        )
    finally:
        del STRATEGIES["semicolons"]
