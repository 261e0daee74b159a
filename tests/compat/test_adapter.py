"""An adapter of queries, applied by LlamaIndex."""

import json
from pathlib import Path

import numpy as np
import pytest

from ragset.training.adapter_folder import write_llamaindex_adapter
from tests.compat.environments import read_back

pytestmark = pytest.mark.compat


def test_llamaindex_applies_it_to_queries_alone(tmp_path: Path) -> None:
    matrix = np.random.default_rng(0).normal(size=(4, 4)).astype(np.float32)
    vector = [0.1, -0.2, 0.3, 0.4]
    write_llamaindex_adapter(tmp_path / "llamaindex", matrix)
    read = read_back("llamaindex_adapter", tmp_path / "llamaindex", json.dumps(vector))
    assert read["query"] == pytest.approx((matrix @ np.array(vector)).tolist(), rel=1e-5)
    assert read["passage"] == pytest.approx(vector)
