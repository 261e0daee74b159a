"""What is sent to the clients of servers; `tests/compat` sends it with the real clients."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from ragset.dataset.exporters import EXPORTERS, ExportSet, export, exporter
from ragset.dataset.exporters.uploads import upload_mlflow, upload_phoenix, uploading
from ragset.errors import InputError
from tests.export_sample import SAMPLE, write_sample


@pytest.fixture
def given(tmp_path: Path) -> ExportSet:
    return ExportSet.read(write_sample(tmp_path))


def module(monkeypatch: pytest.MonkeyPatch, name: str, **parts: Any) -> None:
    made = ModuleType(name)
    vars(made).update(parts)
    monkeypatch.setitem(sys.modules, name, made)


def test_a_name_says_the_version(given: ExportSet) -> None:
    names: list[str] = []

    @exporter("far", "a dataset there", keeps=[], uploads=True)
    def write(given: ExportSet, name: str) -> None:
        names.append(name)

    try:
        assert export(given, "far", "docs").out == "docs-v1"
        assert names == ["docs-v1"]
    finally:
        del EXPORTERS["far"]


def test_phoenix_is_sent_all_examples_with_their_ids_and_splits(
    given: ExportSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: dict[str, Any] = {}
    client = SimpleNamespace(datasets=SimpleNamespace(create_dataset=lambda **fields: sent.update(fields)))
    module(monkeypatch, "phoenix")
    module(monkeypatch, "phoenix.client", Client=lambda: client)
    upload_phoenix(given, "docs-v1")
    assert sent["name"] == "docs-v1"
    assert [one["id"] for one in sent["examples"]] == [golden.id for golden in SAMPLE]
    assert [one["splits"] for one in sent["examples"]] == [golden.split for golden in SAMPLE]
    assert sent["examples"][0]["input"] == {"query": "How hot may green tea be?"}
    assert sent["examples"][0]["output"] == {"answer": "80 °C", "contexts": ["Green tea turns bitter above 80 °C."]}
    assert "query" not in sent["examples"][0]["metadata"]


def test_mlflow_is_sent_the_first_golden_of_each_query(given: ExportSet, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoDatasetError(Exception):
        error_code = "RESOURCE_DOES_NOT_EXIST"

    def none_yet(name: str) -> None:
        raise NoDatasetError

    records: list[dict[str, Any]] = []
    dataset = SimpleNamespace(merge_records=records.extend)
    for name in ("mlflow", "mlflow.genai"):
        module(monkeypatch, name)
    module(monkeypatch, "mlflow.genai.datasets", get_dataset=none_yet, create_dataset=lambda **_: dataset)
    module(monkeypatch, "mlflow.exceptions", MlflowException=NoDatasetError)
    assert upload_mlflow(given, "docs") == {"queries that another golden asks too": 1}
    assert [one["tags"]["id"] for one in records] == [golden.id for golden in SAMPLE[:4]]
    assert records[0]["expectations"]["expected_response"] == "80 °C"
    assert records[0]["source"] == {"source_type": "DOCUMENT", "source_data": {"doc_uri": "tea.md"}}
    assert all(isinstance(value, str) for one in records for value in one["tags"].values())


def test_an_error_of_a_client_names_the_variables_and_no_password() -> None:
    with (
        pytest.raises(
            InputError, match=r"export to mlflow failed \(OSError: no answer from http://host/x\); check MLFLOW"
        ),
        uploading("mlflow", "MLFLOW_TRACKING_URI"),
    ):
        raise OSError("no answer from http://user:secret@host/x")
