from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from ragset.dataset.exporters import ExportSet, export
from ragset.settings import ChunkingSettings
from tests.ragset.dataset.exporters.sets import BOTH, COFFEE, HOT, NOBODY, SENTENCES, export_set
from tests.small_dataset import TEA


def exported(folder: Path, chunking: ChunkingSettings | None = None) -> Path:
    export(export_set(folder, chunking=chunking), "huggingface", str(folder / "out"))
    return folder / "out"


def head(out: Path) -> dict[str, Any]:
    return yaml.safe_load((out / "README.md").read_text(encoding="utf-8").split("---\n")[1])


def test_the_card_names_a_file_for_each_configuration_and_split(tmp_path: Path) -> None:
    out = exported(tmp_path)
    found = {
        (config["config_name"], one["split"]): out / one["path"]
        for config in head(out)["configs"]
        for one in config["data_files"]
    }
    assert set(found) == {
        *(("default", "test"), ("default", "train"), ("goldens", "test"), ("goldens", "train")),
        *(("corpus", "corpus"), ("queries", "queries")),
    }
    assert all(path.is_file() for path in found.values())
    assert {**head(out), "configs": [], "tags": []} == {
        "pretty_name": "demo",
        "language": ["en"],
        "license": "unknown",
        "size_categories": ["n<1K"],
        "task_categories": ["text-retrieval", "question-answering"],
        "configs": [],
        "tags": [],
    }


def test_tables_hold_passages_queries_judgements_and_goldens(tmp_path: Path) -> None:
    out = exported(tmp_path, SENTENCES)
    corpus = pd.read_parquet(out / "corpus.parquet")
    texts = {TEA.id: TEA.text, COFFEE.id: COFFEE.text}
    assert len(corpus) == 4
    for row in corpus.to_dict("records"):
        doc_id, _, place = row["_id"].partition(":")
        start, end = map(int, place.split("-"))
        assert row["text"] == texts[doc_id][start:end]
    queries = pd.read_parquet(out / "queries.parquet")
    assert list(queries["_id"]) == [HOT.id, BOTH.id, NOBODY.id]
    judged = pd.read_parquet(out / "qrels" / "test.parquet")
    assert judged.values.tolist() == [[HOT.id, f"{TEA.id}:0-35", 1], [HOT.id, f"{COFFEE.id}:36-84", 1]]
    assert list(pd.read_parquet(out / "goldens" / "train.parquet")["id"]) == [BOTH.id]


def test_a_split_without_judgements_has_no_table_of_them(tmp_path: Path) -> None:
    nobody = NOBODY.model_copy(update={"split": "validation"})
    export(export_set(tmp_path, HOT, nobody), "huggingface", str(tmp_path / "out"))
    assert [path.name for path in (tmp_path / "out" / "qrels").iterdir()] == ["test.parquet"]
    files = {
        one["config_name"]: [file["split"] for file in one["data_files"]] for one in head(tmp_path / "out")["configs"]
    }
    assert (files["default"], files["goldens"]) == (["test"], ["test", "validation"])


def test_without_judgements_there_is_no_configuration_of_them(tmp_path: Path) -> None:
    export(export_set(tmp_path, NOBODY), "huggingface", str(tmp_path / "out"))
    names = [one["config_name"] for one in head(tmp_path / "out")["configs"]]
    assert names == ["corpus", "queries", "goldens"]


def test_the_card_says_how_the_set_was_made_and_what_is_known_against_it(tmp_path: Path) -> None:
    card = (exported(tmp_path) / "README.md").read_text(encoding="utf-8")
    assert "3 goldens over 2 documents,\nversion 1" in card
    # The funnel of the manifest: 3 entered, 1 left
    assert "| judge | 3 | 1 | not_self_contained 2 |" in card
    assert "Writer: `m`. Critic: `m`." in card
    assert "- 1 unanswerable" in card
    assert "The license of the documents is not known" in card


@pytest.mark.parametrize(("model", "said"), [("offline", True), ("m", False)])
def test_goldens_made_by_rules_are_said_to_be(tmp_path: Path, model: str, *, said: bool) -> None:
    given = export_set(tmp_path)
    models = given.manifest.models.model_copy(update={"generator": model})
    manifest = given.manifest.model_copy(update={"models": models})
    made = ExportSet(name="demo", goldens=given.goldens, corpus=given.corpus, manifest=manifest)
    export(made, "huggingface", str(tmp_path / "out"))
    assert ("Rules, no language model" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")) == said


def test_text_of_the_manifest_ends_no_cell(tmp_path: Path) -> None:
    given = export_set(tmp_path)
    manifest = given.manifest.model_copy(update={"notices": ("one | two\n# <b>three",)})
    export(ExportSet("demo", given.goldens, given.corpus, manifest), "huggingface", str(tmp_path / "out"))
    assert "- one \\| two # &lt;b>three\n" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("kind", "asked"), [("labelled", True), ("single-chunk", False)])
def test_queries_that_people_asked_are_not_called_synthetic(tmp_path: Path, kind: str, *, asked: bool) -> None:
    given = export_set(tmp_path)
    manifest = given.manifest.model_copy(update={"kind": kind})
    export(ExportSet("demo", given.goldens, given.corpus, manifest), "huggingface", str(tmp_path / "out"))
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert ("synthetic" in head(tmp_path / "out")["tags"]) != asked
    assert ("Look for personal data" in card) == asked
    assert ("Queries were drawn from" in card) != asked
