import ast
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset.exporters import ExportSet, export
from tests.ragset.dataset.exporters.sets import BOTH, HOT, NOBODY, export_set


def task(out: Path) -> tuple[str, dict[str, Any]]:
    """The name of the class, and those of its metadata that are constants."""
    tree = ast.parse((out / "mteb_task.py").read_text(encoding="utf-8"))
    [made] = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    [metadata] = made.body
    assert isinstance(metadata, ast.Assign)
    assert isinstance(metadata.value, ast.Call)
    given = {one.arg: one.value for one in metadata.value.keywords if one.arg and one.arg != "dataset"}
    return made.name, {name: ast.literal_eval(value) for name, value in given.items()}


def test_the_task_class_is_of_this_set(tmp_path: Path) -> None:
    export(export_set(tmp_path), "mteb", str(tmp_path / "out"))
    name, metadata = task(tmp_path / "out")
    assert (name, metadata["name"]) == ("RagsetDemoV1", "RagsetDemoV1")
    assert (metadata["eval_splits"], metadata["eval_langs"]) == (["test"], ["eng-Latn"])
    assert "from mteb_task import RagsetDemoV1" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "corpus.parquet").is_file()


@pytest.mark.parametrize(("goldens", "splits"), [((HOT, BOTH), ["test"]), ((BOTH, NOBODY), ["train"])])
def test_it_runs_on_the_test_split_unless_that_has_no_judgements(
    tmp_path: Path, goldens: Any, splits: list[str]
) -> None:
    export(export_set(tmp_path, *goldens), "mteb", str(tmp_path / "out"))
    assert task(tmp_path / "out")[1]["eval_splits"] == splits


def test_no_name_of_a_dataset_ends_a_string_of_the_class(tmp_path: Path) -> None:
    given = export_set(tmp_path)
    odd = ExportSet('a" + b\n# $LANGUAGE', given.goldens, given.corpus, given.manifest, language="xx")
    export(odd, "mteb", str(tmp_path / "out"))
    name, metadata = task(tmp_path / "out")
    assert name == "RagsetABLanguageV1"
    assert metadata["description"].startswith('Test set a" + b\n# $LANGUAGE, version 1')
    assert metadata["eval_langs"] == ["und-Zyyy"]
