import pytest
from pydantic import ValidationError

from ragset.grid import Grid


def grid(**fields: object) -> Grid:
    return Grid.model_validate(fields)


def test_every_combination_is_one_configuration() -> None:
    given = grid(
        chunking=[{"strategy": "recursive", "size": 128}, {"strategy": "token", "size": 256}],
        embedding=[{"model": "offline"}, {"model": "offline", "dimensions": 64}],
        retrieval=["dense", "hybrid"],
        reranker=["none", "llm:small"],
    )
    names = [configuration.name for configuration in given.configurations()]
    assert len(names) == len(set(names)) == 16
    assert "recursive-128-0-tokens / offline-64 / hybrid / llm:small" in names


def test_bm25_asks_no_embedding_and_stands_once() -> None:
    given = grid(embedding=[{"model": "offline"}, {"model": "other"}], retrieval=["bm25"])
    assert [configuration.name for configuration in given.configurations()] == ["recursive-256-0-tokens / bm25"]


def test_a_name_does_not_depend_on_the_rest_of_the_grid() -> None:
    alone = grid(retrieval=[{"mode": "hybrid", "fusion": "weights", "dense_weight": 0.7}], reader=[{"model": "r"}])
    assert [one.name for one in alone.configurations()] == ["recursive-256-0-tokens / offline / hybrid-w0.7 / r"]
    more = grid(
        retrieval=["dense", {"mode": "hybrid", "fusion": "weights", "dense_weight": 0.7}], reader=[{"model": "r"}]
    )
    assert alone.configurations()[0] in more.configurations()


def test_every_bad_entry_is_told_at_once() -> None:
    with pytest.raises(ValidationError) as raised:
        grid(chunking=[{"strategy": "magic"}, {"size": 2}], retrieval=["sideways"], retrieved=0)
    places = {problem["loc"][:3] for problem in raised.value.errors()}
    assert {("chunking", 0, "strategy"), ("chunking", 1, "size"), ("retrieval", 0, "mode"), ("retrieved",)} <= places


@pytest.mark.parametrize("reranker", ["cross-encoder:", "llm:", "better", "llm"])
def test_a_reranker_that_there_is_none_of_is_an_error_with_the_choice(reranker: str) -> None:
    with pytest.raises(ValidationError, match="cross-encoder:NAME"):
        grid(reranker=[reranker])


def test_a_reader_gets_no_more_than_was_retrieved() -> None:
    with pytest.raises(ValidationError, match=r"final \(9\) must not be above retrieved \(5\)"):
        grid(retrieved=5, final=9)


def test_a_bare_name_is_a_model_or_a_strategy() -> None:
    bare = grid(chunking=["sentence"], embedding=["other"], retrieval=["dense"], reader=["small", {"model": "large"}])
    full = grid(
        chunking=[{"strategy": "sentence"}],
        embedding=[{"model": "other"}],
        retrieval=[{"mode": "dense"}],
        reader=[{"model": "small"}, {"model": "large"}],
    )
    assert bare == full
    assert [one.reader.model for one in bare.configurations() if one.reader] == ["small", "large"]
    with pytest.raises(ValidationError, match="strategy"):
        grid(chunking=["magic"])
