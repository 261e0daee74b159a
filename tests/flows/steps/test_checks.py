"""What is refused before a run begins."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flows.cli.results.datasets import print_shown
from flows.parameters.models import (
    BenchmarkParameters,
    CorpusWideParameters,
    IndexParameters,
    MultiChunkParameters,
    SingleChunkParameters,
)
from flows.steps.checks import check, check_estimate, check_making
from ragset.dataset import read_dataset, write_dataset
from ragset.errors import InputError
from ragset.retrieval.embedding.adapter import write_adapter
from tests.small_dataset import corpus_of, golden_of, manifest_of


def making(**documents: Any) -> SingleChunkParameters:
    return SingleChunkParameters.model_validate({"documents": documents})


def write(folder: Path, made: SingleChunkParameters, **changes: Any) -> Path:
    corpus = corpus_of(folder.parent)
    manifest = manifest_of(corpus).model_copy(update={"parameters": made.portable, **changes})
    write_dataset(folder, goldens=[golden_of()], rejects=[], corpus=corpus, manifest=manifest, report="")
    return folder


def test_a_dataset_of_other_documents_in_the_default_folder_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("teas", "clocks"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "one.txt").write_text("A text.")
    teas, clocks = making(sources=["teas"]), making(sources=["clocks"])
    check_making(teas)
    (tmp_path / "out").mkdir()
    write(tmp_path / "out" / "single-chunk", teas)
    # The same documents again go on where the last run ended, and other seeds or sizes are meant to replace it.
    check_making(teas)
    check_making(teas.model_copy(update={"seed": 7}))
    with pytest.raises(
        InputError, match=r"out: out/single-chunk holds a dataset of other documents \(teas; this run is on clocks\)"
    ):
        check_making(clocks)
    # A folder that is named is meant.
    write(tmp_path / "out" / "named", teas)
    check_making(clocks.model_copy(update={"out": "out/named"}))


def test_show_counts_the_goldens_that_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path / "demo", making(sources=["teas"]), kept=40)
    print_shown(read_dataset(folder), 0)
    captured = capsys.readouterr()
    assert captured.out.startswith("1 goldens")
    assert "goldens.jsonl holds 1 goldens, and the run made 40: the file counts." in captured.err


def test_an_adapter_of_another_embedding_is_refused_before_anything_is_embedded(tmp_path: Path) -> None:
    (tmp_path / "tea.txt").write_text("A text.")
    write_adapter(tmp_path / "adapter", "offline-8", np.eye(8, dtype=np.float32))
    asked = IndexParameters.model_validate(
        {
            "documents": {"sources": [str(tmp_path / "tea.txt")]},
            "embedding": {"model": "offline", "dimensions": 8, "adapter": str(tmp_path / "adapter")},
        }
    )
    check(asked)
    with pytest.raises(InputError, match="was trained on queries of offline-8, and this embedding is offline-512"):
        check(asked.model_copy(update={"embedding": asked.embedding.model_copy(update={"dimensions": None})}))
    with pytest.raises(InputError, match=r"holds no config\.json, so it is no folder of an adapter"):
        check(asked.model_copy(update={"embedding": asked.embedding.model_copy(update={"adapter": str(tmp_path)})}))


def test_the_rules_refuse_to_write_corpus_wide_queries(tmp_path: Path) -> None:
    asked = CorpusWideParameters.model_validate({"documents": {"sources": [str(tmp_path)]}})
    with pytest.raises(InputError, match=r"--model\): the offline rules write and judge no corpus-wide queries"):
        check_estimate(asked, asks=False)


def test_the_rules_refuse_to_write_conversations(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("A text.")
    asked = {"documents": {"sources": [str(tmp_path)]}, "writing": {"conversations": {"share": 0.5}}}
    with pytest.raises(InputError, match=r"--conversations\): the offline rules write and judge no dialogues"):
        check(MultiChunkParameters.model_validate(asked))


def test_another_system_that_cannot_be_asked_is_refused_before_anything_is_embedded(tmp_path: Path) -> None:
    folder = write(tmp_path / "teas", making(sources=["teas"]))
    systems = [
        {"name": "a", "python": "no_such_module:answer"},
        {"name": "b", "http": "localhost:9000"},
        {"name": "c", "runs": "no.run"},
    ]
    asked = BenchmarkParameters.model_validate(
        {"datasets": [str(folder)], "systems": systems, "out": str(tmp_path / "o")}
    )
    with pytest.raises(InputError) as refused:
        check(asked)
    first, second, third = str(refused.value).splitlines()
    assert "'no_such_module:answer' cannot be imported: no module no_such_module on the path of Python" in first
    assert second == "system b: http: must be an address such as http://localhost:9000/query"
    assert third == "system c: runs: no.run: there is no such file"
