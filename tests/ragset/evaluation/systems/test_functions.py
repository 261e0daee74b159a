"""What functions may return, and how they are called."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragset.documents.corpus import Corpus
from ragset.errors import InputError, ProviderError
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.systems import ask_system
from ragset.evaluation.systems.functions import FunctionSystem
from ragset.models import Document, Span
from ragset.retrieval.fusion import Hit
from tests.small_dataset import TEA, chunk_of, corpus_of, golden_of

WATER = Document.of("Water boils at 100 °C at sea level.", source="corpus.jsonl:d12")
GOLDEN = golden_of()
FIRST, PLACE = TEA.text[:35], f"{TEA.id}:0-35"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path / "corpus", TEA, WATER)


def asked(corpus: Corpus, retrieve: Any, answer: Any = None) -> RetrievalResult:
    named = ExternalSystem(name="theirs", python="theirs", max_concurrency=1)
    return ask_system(named, [GOLDEN], corpus, FunctionSystem(retrieve, answer, corpus).ask)


@pytest.mark.parametrize(
    "passage",
    [
        FIRST,
        f"\n{FIRST.upper()}  ",
        PLACE,
        Span(doc_id=TEA.id, start=0, end=35),
        chunk_of(TEA, 0, 35),
        Hit(PLACE, 0.7),
        ("tea.md", 0, 35),
        (TEA.id, 0, 35),
        {"text": FIRST, "document": "tea.md"},
        (FIRST, 0.7),
        SimpleNamespace(page_content=FIRST, metadata={"source": "/data/tea.md"}),
        SimpleNamespace(content=FIRST, meta={}, id="7", score=0.7),
    ],
    ids=repr,
)
def test_a_passage_may_be_a_text_an_id_a_place_or_an_object_of_a_framework(corpus: Corpus, passage: Any) -> None:
    found = asked(corpus, lambda _: [passage])
    assert [hit.id for hit in found.hits[GOLDEN.id]] == [PLACE]


@pytest.mark.parametrize("name", ["tea.md", "Tea", TEA.id])
def test_a_name_of_a_document_stands_for_all_of_it(corpus: Corpus, name: str) -> None:
    found = asked(corpus, lambda _: [name, "d12"])
    assert [hit.id for hit in found.hits[GOLDEN.id]] == [
        f"{TEA.id}:0-{len(TEA.text)}",
        f"{WATER.id}:0-{len(WATER.text)}",
    ]


def test_the_order_stands_whatever_scores_say(corpus: Corpus) -> None:
    found = asked(corpus, lambda _: [("d12", 0.1), (PLACE, 0.9)])
    assert [hit.score for hit in found.hits[GOLDEN.id]] == [0.1, 0.9]


def test_a_generator_and_nothing_are_lists(corpus: Corpus) -> None:
    assert len(asked(corpus, lambda _: (one for one in (PLACE, "d12"))).hits[GOLDEN.id]) == 2
    assert asked(corpus, lambda _: None).hits[GOLDEN.id] == ()


async def retrieve_later(query: str) -> list[str]:
    assert query == GOLDEN.query
    return [FIRST]


async def answer_later(query: str, passages: list[str]) -> str:
    return f"{query} {passages[0][:5]}"


class Rag:
    async def __call__(self, query: str) -> dict[str, Any]:
        return {"passages": await retrieve_later(query), "answer": "80 °C"}


@pytest.mark.parametrize("retrieve", [retrieve_later, lambda query: retrieve_later(query), lambda _: [FIRST]])
@pytest.mark.parametrize("answer", [answer_later, lambda query, passages: f"{query} {passages[0][:5]}"])
async def test_functions_may_be_asynchronous_even_in_a_running_event_loop(
    corpus: Corpus, retrieve: Any, answer: Any
) -> None:
    found = asked(corpus, retrieve, answer)
    assert found.answers == {GOLDEN.id: f"{GOLDEN.query} Green"}
    assert found.hits[GOLDEN.id][0].id == PLACE


def test_one_function_may_retrieve_and_answer(corpus: Corpus) -> None:
    for found in (asked(corpus, Rag()), asked(corpus, None, Rag())):
        assert (found.answers, found.hits[GOLDEN.id][0].id) == ({GOLDEN.id: "80 °C"}, PLACE)


def test_an_answer_without_a_second_argument_gets_the_query_alone(corpus: Corpus) -> None:
    assert asked(corpus, lambda _: [FIRST], lambda query, style="short": query).answers == {GOLDEN.id: GOLDEN.query}


def test_a_retriever_of_llamaindex_is_asked_as_it_is(corpus: Corpus) -> None:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, TextNode

    class Retriever(BaseRetriever):
        def _retrieve(self, query_bundle: Any) -> list[NodeWithScore]:
            return [NodeWithScore(node=TextNode(text=FIRST), score=0.5)]

    for retrieve in (Retriever(), Retriever().retrieve):
        assert asked(corpus, retrieve).hits[GOLDEN.id] == (Hit(PLACE, 0.5),)


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("one text", "it returned str, and must return a list, best first, of texts"),
        (7, "it returned int"),
        ([7], "passage 1 is of type int"),
        ([FIRST, {"page": 7}], "passage 2 must be a text, or an object with text"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_says_what_can(corpus: Corpus, returned: Any, told: str) -> None:
    with pytest.raises(ProviderError, match=told):
        asked(corpus, lambda _: returned)


def test_a_function_that_fails_is_the_cause_of_the_error(corpus: Corpus) -> None:
    def search(query: str) -> list[str]:
        raise KeyError("index")

    with pytest.raises(ProviderError, match="retrieve 'search' failed: KeyError") as caught:
        asked(corpus, search)
    assert isinstance(caught.value.__cause__, KeyError)


def test_what_cannot_be_called_is_refused_before_anything_is_asked(corpus: Corpus) -> None:
    with pytest.raises(InputError, match="retrieve: int cannot be called; give a function, or a retriever"):
        FunctionSystem(7, None, corpus)
    with pytest.raises(InputError, match="give a function that retrieves"):
        FunctionSystem(None, None, corpus)


def test_what_a_function_cites_is_kept_and_is_among_the_passages_that_are_judged(corpus: Corpus) -> None:
    said = {"answer": "Two minutes [1].", "passages": [WATER.text, FIRST], "citations": [2]}
    ranked = asked(corpus, None, lambda _: said)
    assert ranked.cited == {GOLDEN.id: (2,)}
    assert ranked.passages_of(GOLDEN.id, corpus, 1) == (WATER.text, FIRST)
    assert ranked.model_copy(update={"cited": {}}).passages_of(GOLDEN.id, corpus, 1) == (WATER.text,)
