"""Embeddings of LlamaIndex."""

from typing import Any, ClassVar

import numpy as np
import pytest
from llama_index.core.embeddings import MockEmbedding
from pydantic import ValidationError

from ragset.errors import InputError, ProviderError
from ragset.retrieval.embedding import BatchEmbedder, connect_embedder
from ragset.retrieval.embedding.auto import embedding_model
from ragset.settings import EmbeddingSettings, Environment


class Lengths(MockEmbedding):
    """Letters and a one; queries have an instruction before them."""

    made: ClassVar[list[Any]] = []
    instruction: str = ""

    def __init__(self, **fields: Any) -> None:
        super().__init__(embed_dim=2, **fields)
        self.made.append(self)

    def _get_text_embedding(self, text: str) -> list[float]:
        if text == "broken":
            raise ZeroDivisionError("of theirs")
        return [float(len(text)), 1.0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(self.instruction + query)


def connect(model: str, queries: bool = False, **arguments: Any) -> Any:
    settings = EmbeddingSettings(model=f"llamaindex:{model}", arguments=arguments)
    return connect_embedder(settings, Environment(_env_file=None), queries=queries)  # type: ignore[call-arg]


def test_texts_and_queries_are_each_embedded_in_their_way_by_one_model() -> None:
    Lengths.made.clear()
    texts, queries = (connect(f"{__name__}:Lengths", asked, instruction="find ") for asked in (False, True))
    assert texts.embed(["abcd"]) == pytest.approx(np.array([[4, 1]]) / np.sqrt(17))
    assert queries.embed(["abcd"]) == pytest.approx(np.array([[9, 1]]) / np.sqrt(82))  # "find abcd" has nine characters
    assert len(Lengths.made) == 1
    assert texts.identity != queries.identity
    assert texts.name == queries.name == f"llamaindex:{__name__}:Lengths(instruction=find )"
    assert isinstance(texts, BatchEmbedder)
    assert texts.ask(["one two"]).tokens == 2


def test_a_class_of_the_core_is_known_by_its_bare_name() -> None:
    assert connect("MockEmbedding", embed_dim=3).embed(["a"]).shape == (1, 3)


def test_an_embedding_that_fails_is_an_error_of_the_provider() -> None:
    with pytest.raises(ProviderError, match=r"Lengths failed .ZeroDivisionError: of theirs"):
        connect(f"{__name__}:Lengths").embed(["broken"])


@pytest.mark.parametrize(
    ("model", "says"), [("NoSuchEmbedding", "install its package"), ("json:JSONDecoder", "is no embedding")]
)
def test_a_class_that_is_none_is_an_error_with_the_mend(model: str, says: str) -> None:
    with pytest.raises(InputError, match=f"^embedding llamaindex:{model}: .*{says}"):
        connect(model)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"model": "llamaindex:A", "dimensions": 8}, "dimensions are an argument"),
        ({"model": "offline", "arguments": {"a": 1}}, "offline takes none"),
        ({"model": "llamaindex:A", "arguments": {"api_key": "x"}}, "api_key does not belong"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(fields: Any, says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        EmbeddingSettings.model_validate(fields)


def test_an_endpoint_cannot_have_a_class_imported() -> None:
    assert embedding_model(["llamaindex:os:embed", "llamaindex:embedding"]) is None
