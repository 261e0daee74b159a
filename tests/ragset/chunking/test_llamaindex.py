"""Nodes of LlamaIndex's own parsers as chunks."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import BaseNode, TextNode
from pydantic import ValidationError

from ragset.chunking import split, split_and_refuse
from ragset.chunking.llamaindex import align
from ragset.errors import InputError
from ragset.models import Document
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.settings import ChunkingSettings

TEXT = "# Tea\n\nGreen tea is bitter. Black tea is not.\n\n# Water\n\nIt boils. It boils. It freezes."


class Upper(NodeParser):
    """Says the first line, then all of the text in capitals, then what precedes it."""

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:
        text = nodes[0].get_content()
        return [TextNode(text=part) for part in (text[:20], " ", text.upper(), text[:5])]


class Talks(NodeParser):
    llm: Any = None

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:
        raise ZeroDivisionError("of theirs")


class Fails(Talks):
    llm: Any = None


Fails.model_fields.pop("llm")


def chunking(parser: str, **arguments: Any) -> ChunkingSettings:
    return ChunkingSettings(strategy=f"llamaindex:{parser}", arguments=arguments)


def document(text: str = TEXT) -> Document:
    return Document.of(text, source="a.md")


def texts(parser: str, text: str = TEXT, **arguments: Any) -> list[str]:
    chunks, rejects = split_and_refuse(document(text), chunking(parser, **arguments), OfflineEmbedder(32).embed)
    assert not rejects
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    return [chunk.text for chunk in chunks]


def test_a_sentence_window_is_a_chunk_for_each_sentence_each_time_it_is_said() -> None:
    chunks = split(document(), chunking("SentenceWindowNodeParser", window_size=2))
    assert [chunk.text for chunk in chunks][-3:] == ["# Water\n\nIt boils.", "It boils.", "It freezes."]
    assert all(one.end <= other.start for one, other in pairwise(chunks))


def test_headings_part_the_text_for_the_parser_of_markdown() -> None:
    first, second = TEXT.split("\n\n# Water")
    assert texts("MarkdownNodeParser") == [first, f"# Water{second}"]


def test_of_nodes_within_nodes_the_innermost_are_chunks() -> None:
    text = " ".join(f"Sentence number {n} is about tea." for n in range(40))
    leaves = texts("HierarchicalNodeParser", text, chunk_sizes=[256, 64], chunk_overlap=0)
    assert " ".join(leaves) == text


def test_a_parser_that_compares_meanings_is_given_the_embedding() -> None:
    assert "".join(texts("SemanticSplitterNodeParser", breakpoint_percentile_threshold=50)).replace(" ", "")
    with pytest.raises(InputError, match="name the embedding"):
        split(document(), chunking("SemanticSplitterNodeParser"))


@given(
    st.lists(
        st.sampled_from(["Yes. ", "No. ", "a ", "漢字。", "\n\n", "# H\n", "word "]), min_size=1, max_size=120
    ).map("".join),
    st.sampled_from(["SentenceSplitter", "TokenTextSplitter", "SentenceWindowNodeParser", "MarkdownNodeParser"]),
)
def test_nodes_without_overlap_are_all_found_apart_and_hold_all_of_a_repetitive_text(text: str, parser: str) -> None:
    sizes = {"chunk_size": 12, "chunk_overlap": 0} if "Splitter" in parser else {}
    document = Document.of(text, source="a.md")
    chunks, rejects = split_and_refuse(document, chunking(parser, **sizes))
    assert not rejects
    assert all(one.end <= other.start for one, other in pairwise(chunks))
    covered = "".join(chunk.text for chunk in chunks)
    assert "".join(covered.split()) == "".join(document.text.split()) or parser == "MarkdownNodeParser"


@given(st.integers(1, 4), st.integers(0, 3), st.lists(st.sampled_from(["ab ", "c ", "d. "]), min_size=4, max_size=60))
def test_pieces_that_overlap_cover_what_they_did_however_often_a_text_repeats_itself(
    step: int, shared: int, words: list[str]
) -> None:
    pieces = ["".join(words[first : first + step + shared]) for first in range(0, len(words), step)]
    places = [place for place in align("".join(words), pieces) if isinstance(place, tuple)]
    assert all(one < other and one[1] < other[1] for one, other in pairwise(places))


def test_overlapping_chunks_of_a_text_that_does_not_repeat_itself_are_where_they_were() -> None:
    text = " ".join(str(n) for n in range(300))
    chunks = texts("TokenTextSplitter", text, chunk_size=40, chunk_overlap=10)
    assert all(set(one.split()) & set(other.split()) for one, other in pairwise(chunks))
    assert set(" ".join(chunks).split()) == set(text.split())


def test_nodes_whose_text_is_not_there_are_refused_with_the_reason() -> None:
    chunks, rejects = split_and_refuse(document(), chunking(f"{__name__}:Upper"))
    assert [chunk.text for chunk in chunks] == [TEXT[:20].strip()]
    assert [(one.stage, one.reason, one.detail) for one in rejects] == [
        ("chunk", "misaligned", "node 3 of a.md: its text stands nowhere in the document, word for word"),
        ("chunk", "misaligned", "node 4 of a.md: its text stands before the node that precedes it"),
    ]


@pytest.mark.parametrize(
    ("parser", "arguments", "says"),
    [
        ("Nothing", {}, "there is no class Nothing in LlamaIndex as it is installed; install its package"),
        ("json:Nothing", {}, "there is no class Nothing in json"),
        ("no_such_module:A", {}, "no_such_module cannot be imported"),
        ("json:JSONDecoder", {}, "no node parser"),
        ("SentenceSplitter", {"chunk_size": 4, "chunk_overlap": 9}, "cannot be made with these arguments"),
        (f"{__name__}:Talks", {}, "asks a language model"),
        (f"{__name__}:Fails", {}, "fails on a.md .ZeroDivisionError: of theirs"),
    ],
)
def test_a_parser_that_cannot_be_used_is_an_error(parser: str, arguments: Any, says: str) -> None:
    with pytest.raises(InputError, match=f"^chunking.strategy llamaindex:{parser}: .*{says}"):
        split(document(), chunking(parser, **arguments))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"strategy": "llamaindex:"}, "write llamaindex:Class or"),
        ({"strategy": "llamaindex:A", "size": 100}, "size and overlap are arguments of the class"),
        ({"arguments": {"chunk_size": 9}}, "recursive takes none"),
        ({"strategy": "llamaindex:A", "arguments": {"api_key": "secret"}}, "api_key does not belong into parameters"),
        ({"strategy": "none"}, "choose from recursive.* or llamaindex:"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(fields: Any, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        ChunkingSettings.model_validate(fields)


def test_the_same_arguments_in_any_order_are_one_chunking() -> None:
    one, other = chunking("A", b=1, a="x"), chunking("A", a="x", b=1)
    assert one == other
    assert hash(one) == hash(other) == hash(ChunkingSettings.model_validate_json(one.model_dump_json()))
    assert one.name == "llamaindex:A(a=x, b=1)"
