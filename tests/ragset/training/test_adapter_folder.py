import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ragset.settings import EmbeddingSettings
from ragset.training.adapter_folder import usage, write_llamaindex_adapter


def test_what_to_write_is_the_setting_with_the_adapter_on_one_line() -> None:
    arguments = {"model_name": "nomic: embed", "nested": {"a": [1]}}
    embedded_by = EmbeddingSettings(model="llamaindex:OllamaEmbedding", arguments=arguments, batch_size=8)
    told = usage(embedded_by, "out/my adapter")
    assert "\n" not in told
    read = EmbeddingSettings.model_validate(yaml.safe_load(told)["embedding"])
    assert read == embedded_by.model_copy(update={"adapter": "out/my adapter"})


class _Reader(pickle.Unpickler):
    """What torch does: names of classes as they are, and the numbers by their key."""

    def find_class(self, module: str, name: str) -> Any:
        if name == "OrderedDict":
            return dict
        return f"{module}.{name}" if name == "FloatStorage" else lambda *arguments: (f"{module}.{name}", *arguments)

    def persistent_load(self, pid: Any) -> Any:
        return pid


def test_the_archive_holds_one_tensor_of_float32_in_rows(tmp_path: Path) -> None:
    matrix = np.arange(9, dtype=np.float32).reshape(3, 3)
    write_llamaindex_adapter(tmp_path / "a", matrix)
    assert json.loads((tmp_path / "a/config.json").read_text()) == {"in_features": 3, "out_features": 3, "bias": False}
    with zipfile.ZipFile(tmp_path / "a/pytorch_model.bin") as archive:
        with archive.open("archive/data.pkl") as file:
            state = _Reader(file).load()
        numbers = np.frombuffer(archive.read("archive/data/0"), "<f4")
    storage = ("storage", "torch.FloatStorage", "0", "cpu", 9)
    assert state == {"linear.weight": ("torch._utils._rebuild_tensor_v2", storage, 0, (3, 3), (3, 1), False, {})}
    assert (numbers.reshape(3, 3) == matrix).all()
