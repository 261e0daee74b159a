import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ragset.errors import InputError
from ragset.retrieval.embedding.local import LocalEmbedder
from ragset.settings import EmbeddingSettings


class Lengths:
    """Has the shape of a SentenceTransformer: the vector of a text is (length, 0)."""

    def __init__(self, name: str, truncate_dim: int | None = None) -> None:
        if name == "missing":
            raise OSError("no such model\nand a long trace")

    def encode(self, texts: Sequence[str], **_: Any) -> Any:
        return np.array([[len(text), 0.0] for text in texts])


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is too large for the tests; what is ours is shown on the two calls that are made of it."""
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = Lengths  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


def test_vectors_have_length_one() -> None:
    assert LocalEmbedder("m", EmbeddingSettings()).embed(["four"]).tolist() == [[1.0, 0.0]]


def test_the_name_holds_model_and_dimensions() -> None:
    assert LocalEmbedder("org/model", EmbeddingSettings(dimensions=64)).name == "local-org-model-64"


def of_folder(folder: Path, weights: str) -> LocalEmbedder:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_text(weights)
    return LocalEmbedder(str(folder), EmbeddingSettings())


def test_folders_of_one_name_and_other_weights_are_two_models(tmp_path: Path) -> None:
    one, other = of_folder(tmp_path / "a" / "model", "1"), of_folder(tmp_path / "b" / "model", "2")
    assert one.identity != other.identity
    assert one.name != other.name


def test_a_folder_that_was_moved_is_the_same_model_under_a_short_name(tmp_path: Path) -> None:
    one, other = of_folder(tmp_path / "model", "1"), of_folder(tmp_path / ("deep" * 50) / "model", "1")
    (tmp_path / "model" / ".cache").mkdir()
    (tmp_path / "model" / ".cache" / "downloaded").write_text("today")
    again = LocalEmbedder(str(tmp_path / "model"), EmbeddingSettings())
    assert one.identity == other.identity == again.identity
    assert len(other.name) < 30


def test_a_model_that_cannot_be_loaded_is_one_clear_line() -> None:
    with pytest.raises(InputError, match=r"local:missing: .*no such model$"):
        LocalEmbedder("missing", EmbeddingSettings())
