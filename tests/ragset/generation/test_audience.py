from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.audience import PASSAGES, describe_audience, shown_passages
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import AudiencePortrait
from ragset.models import Document
from tests.scripted import Scripted

WORDS = " ".join(f"word{number}" for number in range(400))
SHOWN = {"chunks": ["Close both valves first."], "titles": ["Pump"]}


@given(st.integers(1, 10_000))
def test_passages_are_spread_over_the_documents(documents: int) -> None:
    read: list[str] = []

    def document(id_: str) -> Document:
        read.append(id_)
        return Document.of("Close both valves.", source="a.md")

    shown_passages([str(number) for number in range(documents)], document)
    assert len(read) == PASSAGES
    assert len({*read}) == min(documents, PASSAGES)
    assert read == sorted(read, key=int)


def test_passages_are_of_whole_words_from_the_beginning_to_the_end() -> None:
    document = Document.of(WORDS, source="words.md", title="Words")
    shown = shown_passages([document.id], {document.id: document}.__getitem__)
    assert shown["titles"] == ["Words"] * PASSAGES
    places = [WORDS.index(passage) for passage in shown["chunks"]]
    assert places == sorted({*places})
    assert set(" ".join(shown["chunks"]).split()) <= set(WORDS.split())
    assert all(560 < len(passage) <= 600 for passage in shown["chunks"])


def test_a_short_document_is_shown_whole() -> None:
    document = Document.of("Close both valves.", source="a.md")
    assert set(shown_passages([document.id], lambda _: document)["chunks"]) == {"Close both valves."}


def test_a_corpus_without_documents_has_no_passages() -> None:
    assert shown_passages([], {}.__getitem__) == {"chunks": [], "titles": []}


async def test_the_portrait_is_one_line_of_the_reply_and_leaves_nobody_out() -> None:
    reply = AudiencePortrait(reason="A manual.", audience="Technicians.\n They look up   codes.")
    llm = Scripted({"describe_audience": [reply]})
    prompt = load_prompt("describe_audience")
    others = "Whoever searches the collection for other topics counts as well."
    assert await describe_audience(SHOWN, prompt, llm) == f"Technicians. They look up codes. {others}"


async def test_without_a_reply_that_can_be_read_there_is_no_portrait() -> None:
    llm = Scripted({"describe_audience": ["no"]})
    assert await describe_audience(SHOWN, load_prompt("describe_audience"), llm) == ""
