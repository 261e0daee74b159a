from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.audience import PASSAGES, describe_audience, passages_of, places
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import AudiencePortrait
from ragset.models import Document
from tests.scripted import Scripted

WORDS = " ".join(f"word{number}" for number in range(400))
SHOWN = {"chunks": ["Close both valves first."], "titles": ["Pump"]}


@given(st.integers(1, 10_000))
def test_passages_are_spread_over_the_documents(documents: int) -> None:
    found = places(documents)
    assert len(found) == PASSAGES
    assert all(0 <= number < documents and 0 < share < 1 for number, share in found)
    assert len({number for number, _ in found}) == min(documents, PASSAGES)


def test_a_passage_is_of_whole_words_at_its_place() -> None:
    document = Document.of(WORDS, source="words.md", title="Words")
    shown = passages_of([document, document], [0.25, 0.75])
    assert shown["titles"] == ["Words", "Words"]
    first, second = shown["chunks"]
    assert WORDS.index(first) < WORDS.index(second)
    assert set((first + " " + second).split()) <= set(WORDS.split())
    assert 560 < len(first) <= 600


def test_a_short_document_is_shown_whole() -> None:
    assert passages_of([Document.of("Close both valves.", source="a.md")], [0.9])["chunks"] == ["Close both valves."]


async def test_the_portrait_is_one_line_of_the_reply() -> None:
    reply = AudiencePortrait(reason="A manual.", audience="Technicians.\n They look up   codes.")
    llm = Scripted({"describe_audience": [reply]})
    prompt = load_prompt("describe_audience")
    assert await describe_audience(SHOWN, prompt, llm) == "Technicians. They look up codes."


async def test_without_a_reply_that_can_be_read_there_is_no_portrait() -> None:
    llm = Scripted({"describe_audience": ["no"]})
    assert await describe_audience(SHOWN, load_prompt("describe_audience"), llm) == ""
