from pathlib import Path

import pytest
from pydantic import ValidationError

import ragset.chunking  # noqa: F401 # pyright: ignore[reportUnusedImport] (its registry has the names of strategies)
from ragset.evaluation.grid import Grid


def grid(**fields: object) -> Grid:
    return Grid.model_validate({"embedding": [{"model": "offline"}], **fields})


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


def names(**fields: object) -> list[str]:
    return [one.name for one in grid(chunking=["token"], retrieval=["dense"], **fields).configurations()]


def test_readers_of_one_model_are_told_apart_by_what_their_replies_depend_on() -> None:
    readers = [
        {"model": "r"},
        {"model": "r", "temperature": 0},
        {"model": "r", "temperature": 0.7, "max_tokens": 64},
        {"model": "r", "timeout": 5, "max_concurrency": 2},
    ]
    start = "token-256-0-tokens / offline / dense / r"
    # the last one says the same as the first
    assert names(reader=readers) == [start, f"{start} t0", f"{start} t0.7 max64"]


def test_how_much_is_retrieved_and_read_is_in_the_name_where_it_is_not_the_default() -> None:
    start = "token-256-0-tokens / offline / dense"
    assert names(retrieved=30, final=7, reader=["r"]) == [f"{start} / r"]
    assert names(retrieved=50, final=3, reader=["r"]) == [f"{start} top50 / r top3"]
    assert names(final=3) == [start]


def test_a_model_in_a_folder_is_known_by_its_content_wherever_the_folder_is(tmp_path: Path) -> None:
    places = [tmp_path / name / "a-deep-folder" / "mini" for name in ("a", "b", "c")]
    for place, weights in zip(places, ("same", "same", "other"), strict=True):
        place.mkdir(parents=True)
        (place / "model.safetensors").write_text(weights)
    embeddings, rerankers = ([f"{kind}:{place}" for place in places] for kind in ("local", "cross-encoder"))
    found = names(embedding=embeddings, reranker=rerankers)
    assert len(found) == 4
    assert found == names(embedding=embeddings[1:], reranker=rerankers[1:])
    assert all(str(tmp_path) not in name and "local:mini-" in name and len(name) < 80 for name in found)
    # from a hub, by its name
    assert names(embedding=["local:org/mini"])[0].endswith("/ local:org/mini / dense")


def test_chunks_that_an_embedding_cuts_are_known_by_it_also_where_bm25_finds_them() -> None:
    given = grid(
        chunking=["semantic", "token"],
        embedding=["offline", {"model": "offline", "dimensions": 64}],
        retrieval=["bm25"],
    )
    semantic = "semantic-256-0-tokens-p95-b1"
    assert [one.name for one in given.configurations()] == [
        f"{semantic} / offline / bm25",
        f"{semantic} / offline-64 / bm25",
        "token-256-0-tokens / bm25",
    ]


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


def test_a_learned_reranker_asks_the_embedding_also_of_bm25() -> None:
    given = grid(
        retrieval=["bm25"],
        embedding=["offline", {"model": "offline", "dimensions": 64}],
        reranker=["none", "learned:r"],
    )
    assert [one.name for one in given.configurations()] == [
        "recursive-256-0-tokens / bm25",
        "recursive-256-0-tokens / offline / bm25 / learned:r",
        "recursive-256-0-tokens / offline-64 / bm25 / learned:r",
    ]


@pytest.mark.parametrize("reranker", ["cross-encoder:", "learned:", "llm:", "better", "llm"])
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


def test_entries_are_called_by_the_names_that_a_person_gives() -> None:
    chunking = [{"strategy": "recursive", "size": 128, "name": "ours"}, "sentence"]
    grid = Grid.model_validate({"chunking": chunking, "retrieval": ["bm25", {"mode": "dense", "name": "vectors"}]})
    assert [one.name for one in grid.configurations()] == [
        "ours / bm25",
        "ours / auto / vectors",
        "sentence-256-0-tokens / bm25",
        "sentence-256-0-tokens / auto / vectors",
    ]
    assert grid.chunking[0].name == "recursive-128-0-tokens"  # of which the index is called
    rerankers = ["none", {"model": "llm:small", "name": "judge"}]
    grid = Grid.model_validate({"chunking": ["token"], "retrieval": ["bm25"], "reranker": rerankers})
    assert [one.name for one in grid.configurations()] == [
        "token-256-0-tokens / bm25",
        "token-256-0-tokens / bm25 / judge",
    ]
    assert grid.reranker == ("none", "llm:small")
    assert Grid.model_validate(grid.model_dump(mode="json")) == grid


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"chunking": [{"size": 128, "name": "a"}, {"size": 64, "name": "a"}]},
            "another entry of chunking is called a",
        ),
        ({"chunking": [{"size": 64, "name": "recursive-256-0-tokens"}, {}]}, "another entry of chunking is called"),
        ({"retrieval": [{"mode": "bm25", "name": "a / b"}]}, "must not be empty or hold"),
        ({"names": {"chunking.2": "a"}}, "chunking.2 is no entry"),
    ],
)
def test_a_name_that_could_not_be_told_from_another_is_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Grid.model_validate(values)
