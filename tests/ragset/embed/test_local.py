import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ragset.embed.local import LocalEmbedder
from ragset.errors import InputError
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


def test_two_folders_of_one_name_are_two_models(tmp_path: Path) -> None:
    names: set[str] = set()
    for parent in ("a", "b"):
        (tmp_path / parent / "model").mkdir(parents=True)
        names.add(LocalEmbedder(str(tmp_path / parent / "model"), EmbeddingSettings()).name)
    assert len(names) == 2


def test_a_model_that_cannot_be_loaded_is_one_clear_line() -> None:
    with pytest.raises(InputError, match=r"local:missing: .*no such model$"):
        LocalEmbedder("missing", EmbeddingSettings())
