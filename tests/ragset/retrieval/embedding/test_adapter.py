import json
from pathlib import Path

import numpy as np
import pytest

from ragset.errors import InputError
from ragset.evaluation.grid import Grid
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.embedding.adapter import CONFIG, MATRIX, adapter_name, read_adapter, write_adapter
from ragset.settings import EmbeddingSettings, Environment

QUERIES = ["how hot should green tea be", "when was the kettle invented"]


def environment() -> Environment:
    return Environment(_env_file=None, openai_api_key=None, openai_base_url=None)  # type: ignore[call-arg]


def settings(folder: Path) -> EmbeddingSettings:
    return EmbeddingSettings(model="offline", dimensions=8, adapter=str(folder))


def test_an_adapter_turns_queries_and_leaves_passages(tmp_path: Path) -> None:
    swap = np.eye(8, dtype=np.float32)[::-1]
    write_adapter(tmp_path / "swap", "offline-8", swap)
    plain = connect_embedder(settings(tmp_path / "swap").unadapted, environment()).embed(QUERIES)
    adapted = connect_embedder(settings(tmp_path / "swap"), environment(), queries=True)
    assert adapted.embed(QUERIES) == pytest.approx(plain[:, ::-1])
    assert adapted.name == f"offline-8 + {adapter_name(tmp_path / 'swap')}"
    passages = connect_embedder(settings(tmp_path / "swap"), environment())
    assert passages.embed(QUERIES) == pytest.approx(plain)
    assert passages.identity == connect_embedder(EmbeddingSettings(dimensions=8), environment()).identity


def test_adapted_queries_have_length_1(tmp_path: Path) -> None:
    write_adapter(tmp_path, "offline-8", np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32))
    vectors = connect_embedder(settings(tmp_path), environment(), queries=True).embed(QUERIES)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)
    assert vectors.dtype == np.float32


def test_a_written_adapter_is_read_back(tmp_path: Path) -> None:
    matrix = np.random.default_rng(0).normal(size=(5, 5)).astype(np.float32)
    write_adapter(tmp_path / "a", "m", matrix)
    read = read_adapter(tmp_path / "a")
    assert read.embedding == "m"
    assert (read.matrix == matrix).all()


def test_its_name_follows_its_matrix_and_not_its_place(tmp_path: Path) -> None:
    for place in ("x/legal", "y/legal"):
        write_adapter(tmp_path / place, "m", np.eye(3, dtype=np.float32))
    assert adapter_name(tmp_path / "x/legal") == adapter_name(tmp_path / "y/legal")
    write_adapter(tmp_path / "y/legal", "m", 2 * np.eye(3, dtype=np.float32))
    assert adapter_name(tmp_path / "x/legal") != adapter_name(tmp_path / "y/legal")


def test_a_folder_without_an_adapter_says_how_to_train_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"{tmp_path.name} holds no config.json.*train-adapter"):
        read_adapter(tmp_path)


def test_a_config_of_something_else_is_refused(tmp_path: Path) -> None:
    write_adapter(tmp_path, "m", np.eye(3, dtype=np.float32))
    (tmp_path / CONFIG).write_text(json.dumps({"in_features": 3, "out_features": 3, "bias": False}))
    with pytest.raises(InputError, match=r"config.json: is not of an adapter of ragset \(embedding: Field required"):
        read_adapter(tmp_path)


def test_a_cut_off_matrix_is_refused(tmp_path: Path) -> None:
    write_adapter(tmp_path, "m", np.eye(3, dtype=np.float32))
    (tmp_path / MATRIX).write_bytes((tmp_path / MATRIX).read_bytes()[:-4])
    with pytest.raises(InputError, match=r"adapter.safetensors: is damaged"):
        read_adapter(tmp_path)


def test_a_matrix_that_is_not_as_its_config_says_is_refused(tmp_path: Path) -> None:
    write_adapter(tmp_path, "m", np.eye(3, dtype=np.float32))
    config = json.loads((tmp_path / CONFIG).read_text()) | {"dimensions": 4}
    (tmp_path / CONFIG).write_text(json.dumps(config))
    with pytest.raises(InputError, match="does not hold 4 × 4 finite numbers"):
        read_adapter(tmp_path)


def test_an_adapter_of_another_embedding_is_refused_by_name(tmp_path: Path) -> None:
    write_adapter(tmp_path / "a", "text-embedding-3-small", np.eye(8, dtype=np.float32))
    with pytest.raises(
        InputError, match="trained on queries of text-embedding-3-small, and this embedding is offline-8"
    ):
        connect_embedder(settings(tmp_path / "a"), environment(), queries=True)


def test_an_adapter_for_vectors_of_another_size_is_refused(tmp_path: Path) -> None:
    write_adapter(tmp_path, "offline-8", np.eye(4, dtype=np.float32))
    with pytest.raises(InputError, match="is for vectors of 4 numbers, and offline-8 gives 8"):
        connect_embedder(settings(tmp_path), environment(), queries=True).embed(QUERIES)


def test_a_configuration_names_its_adapter_where_queries_are_embedded(tmp_path: Path) -> None:
    write_adapter(tmp_path / "legal", "offline-512", np.eye(512, dtype=np.float32))
    plain, adapted = {"model": "offline"}, {"model": "offline", "adapter": str(tmp_path / "legal")}
    grid = Grid.model_validate({"embedding": [plain, adapted], "retrieval": ["dense", "bm25"]})
    name = adapter_name(tmp_path / "legal")
    assert [one.name.removeprefix("recursive-256-0-tokens / ") for one in grid.configurations()] == [
        "offline / dense",
        "bm25",
        f"offline + {name} / dense",
    ]
