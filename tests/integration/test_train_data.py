"""Training files of a test set, as a user writes them."""

import json
from pathlib import Path

import pytest

from ragset.dataset import read_dataset
from tests.integration.conftest import Command

pytestmark = [pytest.mark.slow, pytest.mark.service]


def test_training_files_are_of_the_train_side_and_an_unsplit_set_is_refused(command: Command, tmp_path: Path) -> None:
    whole, split, out = tmp_path / "whole", tmp_path / "split", tmp_path / "train"
    made = ["single-chunk", "examples/corpus", "--n", "12"]
    assert command.run(*made, "--out", str(whole)).code == 0
    ended = command.run("train-data", str(whole), "--out", str(out))
    assert ended.code == 2
    assert f"{whole}: has no goldens with evidence for train (0 for train, 0 for validation, 12 for test)" in ended.err
    assert "--split-by document" in ended.err
    assert command.run(*made, "--split-by", "document", "--out", str(split)).code == 0
    ended = command.run("train-data", str(split), "--to", "colbert", "--to", "llamaindex", "--out", str(out), "--json")
    assert ended.code == 0, ended.err
    goldens = read_dataset(split).goldens
    train = [golden for golden in goldens if golden.split == "train"]
    assert json.loads(ended.out)["examples"] == len(train)
    pairs = json.loads((out / "llamaindex" / "embedding_qa_dataset.json").read_text())
    assert pairs["queries"] == {golden.id: golden.query for golden in train}
    documents = {span.doc_id for golden in goldens if golden.split != "train" for span in golden.evidence}
    assert documents.isdisjoint(chunk.partition(":")[0] for chunk in pairs["corpus"])
