"""Systems of LlamaIndex (the real one), LangChain and Haystack (objects with the methods of theirs) under test."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import networkx
import pytest
from pydantic import ValidationError

from ragset.errors import InputError, ProviderError
from ragset.evaluation.efficiency import REPLY
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.systems import ask_system
from ragset.evaluation.systems.frameworks import asked_as
from tests.small_dataset import TEA, corpus_of, golden_of

GOLDEN = golden_of()
FIRST = TEA.text[:35]
PATH = {"file_path": "/data/docs/tea.md"}


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., RetrievalResult]:
    """Asks an object of a module as a system of that framework."""

    def asked(way: str, system: Any) -> RetrievalResult:
        module = ModuleType("their_rag")
        module.system = system  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "their_rag", module)
        named = ExternalSystem.model_validate({"name": "theirs", way: "their_rag:system"})
        return ask_system(named, [GOLDEN], corpus_of(tmp_path / "corpus"))

    return asked


def document(text: str = FIRST, **fields: Any) -> SimpleNamespace:
    """A document as LangChain and Haystack have them."""
    return SimpleNamespace(page_content=text, content=text, metadata=PATH, meta=PATH, id="d1", score=0.5, **fields)


def make_retriever() -> Any:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, TextNode

    class Retriever(BaseRetriever):
        def _retrieve(self, query_bundle: Any) -> list[NodeWithScore]:
            assert query_bundle.query_str == GOLDEN.query
            nodes = [TextNode(text="of no document at all, this"), TextNode(text=FIRST, metadata=PATH)]
            return [NodeWithScore(node=node, score=score) for node, score in zip(nodes, (0.9, 0.4), strict=True)]

    return Retriever()


def test_a_retriever_of_llamaindex_is_asked_and_its_nodes_are_found_again(ask: Any) -> None:
    # by a function that makes it, and as it is
    for system in (make_retriever, make_retriever()):
        found = ask("llamaindex", system)
        lost, hit = found.hits[GOLDEN.id]
        assert lost.id.startswith("unaligned-")
        assert (hit.id, hit.score) == (f"{TEA.id}:0-35", 0.4)
        assert found.answers == {}
        assert found.efforts[REPLY][GOLDEN.id].seconds is not None


@pytest.mark.parametrize("streaming", [False, True])
def test_a_query_engine_of_llamaindex_answers_too(ask: Any, streaming: bool) -> None:
    from llama_index.core.llms import MockLLM
    from llama_index.core.query_engine import RetrieverQueryEngine

    engine = RetrieverQueryEngine.from_args(make_retriever(), llm=MockLLM(), streaming=streaming)
    found = ask("llamaindex", engine)
    assert found.hits[GOLDEN.id][1].id == f"{TEA.id}:0-35"
    assert GOLDEN.query in found.answers[GOLDEN.id]  # MockLLM repeats its prompt


def test_what_llamaindex_says_where_it_finds_nothing_is_no_answer(ask: Any) -> None:
    nothing = SimpleNamespace(query=lambda _: SimpleNamespace(response="Empty Response", source_nodes=[]))
    found = ask("llamaindex", nothing)
    assert found.hits == {GOLDEN.id: ()}
    assert found.answers == {}


@pytest.mark.parametrize(
    ("schema", "takes", "says", "answer"),
    [
        ({"type": "string"}, GOLDEN.query, [document()], None),
        ({"properties": {"query": {}}}, GOLDEN.query, [document()], None),  # of no type: it takes anything
        (
            {"type": "object", "properties": {"input": {}, "chat_history": {}}, "required": ["input"]},
            {"input": GOLDEN.query},
            {"input": GOLDEN.query, "context": [document()], "answer": "80 °C"},
            "80 °C",
        ),
        (
            {"type": "object", "properties": {"query": {}}},
            {"query": GOLDEN.query},
            {"result": "80 °C", "source_documents": [document()]},
            "80 °C",
        ),
    ],
)
def test_retrievers_and_chains_of_langchain_are_invoked_with_what_they_take(
    ask: Any, schema: Any, takes: Any, says: Any, answer: str | None
) -> None:
    asked: list[Any] = []
    system = SimpleNamespace(get_input_jsonschema=lambda: schema, invoke=lambda given: asked.append(given) or says)
    found = ask("langchain", system)
    assert asked == [takes]
    assert [hit.id for hit in found.hits[GOLDEN.id]] == [f"{TEA.id}:0-35"]
    assert found.answers == ({GOLDEN.id: answer} if answer else {})


def test_a_message_of_langchain_is_an_answer(ask: Any) -> None:
    system = SimpleNamespace(invoke=lambda _: SimpleNamespace(content="80 °C"))
    assert ask("langchain", system).answers == {GOLDEN.id: "80 °C"}


def test_a_chain_that_wants_more_than_a_query_is_refused(ask: Any) -> None:
    schema = {"type": "object", "required": ["question", "tenant"]}
    with pytest.raises(InputError, match=r"langchain: 'their_rag:system': .* also wants tenant; name"):
        ask("langchain", SimpleNamespace(get_input_jsonschema=lambda: schema, invoke=lambda _: None))


class Pipeline:
    """Sockets, graph and outputs as Haystack's pipeline has them: two retrievers, a joiner, a reader."""

    graph = networkx.MultiDiGraph([("bm25", "join"), ("dense", "join"), ("join", "reader")])

    def __init__(self, **outputs: Any) -> None:
        self.outputs = {"reader": {}, "join": {"documents": [document()]}, "bm25": {"documents": []}, **outputs}
        self.wants: dict[str, Any] = {}

    def inputs(self) -> Any:
        text, number = {"type": str, "is_mandatory": True}, {"type": int | None, "is_mandatory": False}
        anything = {"type": Any, "is_mandatory": True}
        return {"bm25": {"query": text, "top_k": number}, "dense": {"words": text}, "reader": {"question": anything}}

    def run(self, data: Any, include_outputs_from: set[str]) -> Any:
        assert data == {
            "bm25": {"query": GOLDEN.query},
            "dense": {"words": GOLDEN.query},
            "reader": {"question": GOLDEN.query},
        }
        assert include_outputs_from == {"bm25", "dense", "join", "reader"}
        return self.outputs


@pytest.mark.parametrize(
    "says",
    [
        {"replies": ["80 °C"]},
        {"replies": [SimpleNamespace(text="80 °C", meta={})]},
        {"answers": [SimpleNamespace(data="80 °C", documents=[document()])]},
    ],
)
def test_the_last_documents_and_the_answer_of_a_haystack_pipeline_count(ask: Any, says: Any) -> None:
    found = ask("haystack", Pipeline(reader=says))
    assert [(hit.id, hit.score) for hit in found.hits[GOLDEN.id]] == [(f"{TEA.id}:0-35", 0.5)]
    assert found.answers == {GOLDEN.id: "80 °C"}


def test_a_retriever_of_haystack_is_run_by_itself(ask: Any) -> None:
    found = ask("haystack", SimpleNamespace(run=lambda query: {"documents": [document(f"{query} no such text")]}))
    assert found.hits[GOLDEN.id][0].id.startswith("unaligned-")


def test_a_pipeline_that_wants_more_than_a_query_is_refused() -> None:
    pipeline = Pipeline()
    pipeline.inputs = lambda: {"filter": {"tenant": {"type": int, "is_mandatory": True}}}  # type: ignore[method-assign]
    with pytest.raises(InputError, match=r"also wants filter\.tenant"):
        asked_as("haystack", pipeline)
    pipeline.inputs = dict  # type: ignore[method-assign]
    with pytest.raises(InputError, match="no open input for a query"):
        asked_as("haystack", pipeline)


def test_a_passage_without_text_keeps_its_rank(ask: Any) -> None:
    found = ask("langchain", SimpleNamespace(invoke=lambda _: [document(""), document()]))
    assert [hit.id.partition("-")[0] for hit in found.hits[GOLDEN.id]] == ["unaligned", f"{TEA.id}:0"]


@pytest.mark.parametrize("way", ["llamaindex", "langchain", "haystack"])
def test_an_object_of_another_kind_is_an_error_with_the_mend(ask: Any, way: str) -> None:
    with pytest.raises(InputError, match=rf"{way}: 'their_rag:system': int has no method .*python:"):
        ask(way, 3)


def test_a_maker_that_fails_is_an_error_and_so_is_a_system_that_does(ask: Any) -> None:
    def fails(*_: Any) -> Any:
        raise ZeroDivisionError("of theirs")

    with pytest.raises(InputError, match="cannot be made \\(ZeroDivisionError: of theirs"):
        ask("llamaindex", fails)
    with pytest.raises(ProviderError, match="llamaindex 'their_rag:system' failed: ZeroDivisionError"):
        ask("llamaindex", SimpleNamespace(retrieve=fails))


def test_a_system_has_one_way_to_be_asked() -> None:
    with pytest.raises(ValidationError, match="exactly one of http, python, llamaindex"):
        ExternalSystem(name="two", llamaindex="a:b", haystack="a:b")
