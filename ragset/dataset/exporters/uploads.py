"""Uploads to the servers of other tools, through their own clients: Langfuse, Phoenix (Arize) and MLflow."""

import json
import re
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.registry import GOLDENS_ALONE, exporter
from ragset.dataset.exporters.tables import details, rows
from ragset.errors import InputError, RagsetError

_USER = re.compile(r"(?<=//)[^/@\s]+@")
_LANGFUSE = "LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY"
_RETRIES = {"max_retries": 8}  # Langfuse allows so many requests a minute; its client waits as long as the server says
_RECORDS = 500  # sent to MLflow at once


@contextmanager
def uploading(server: str, variables: str) -> Generator[None]:
    """Whatever a client raises, as an InputError that names the environment variables to check."""
    try:
        yield
    except RagsetError:
        raise
    except Exception as error:  # clients raise errors of their own, of httpx, of requests and of urllib3
        first = (str(error).strip().splitlines() or [""])[0]
        reason = _USER.sub("", f"{type(error).__name__}: {first}"[:300])
        mend = f"check {variables}, and export again: what was uploaded is replaced, not doubled"
        raise InputError(f"export to {server} failed ({reason}); {mend}") from error


def _description(given: ExportSet) -> str:
    corpus = f"{given.manifest.corpus.name}: {len(given.goldens)} goldens, corpus {given.corpus.hash}"
    return f"Made by ragset from {corpus}."


@exporter("langfuse", "a dataset at a Langfuse server", keeps=GOLDENS_ALONE, uploads=True, package="langfuse")
def upload_langfuse(given: ExportSet, name: str) -> None:
    """Items have ids of dataset and golden, since an id is of one item in a whole project: a second upload updates them."""
    with uploading("langfuse", _LANGFUSE):
        client = import_module("langfuse").Langfuse(tracing_enabled=False)
        if not client.auth_check():
            raise InputError(f"export to langfuse: there are no keys; set {_LANGFUSE}")
        client.create_dataset(name=name, description=_description(given), metadata={"corpus": given.corpus.hash})

        def upload(row: dict[str, Any]) -> Any:
            return client.api.dataset_items.create(
                dataset_name=name,
                id=f"{name}-{row['id']}",
                input={"query": row["query"]},
                expected_output={"answer": row["answer"], "contexts": row["evidence"]},
                metadata=details(row),
                request_options=_RETRIES,
            )

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(upload, rows(given)))


@exporter("phoenix", "a dataset at a Phoenix server", keeps=GOLDENS_ALONE, uploads=True, package="phoenix")
def upload_phoenix(given: ExportSet, name: str) -> None:
    """Examples have the ids of goldens: a second upload updates them, and removes those that are gone."""
    examples = [
        {
            "id": row["id"],
            "input": {"query": row["query"]},
            "output": {"answer": row["answer"], "contexts": row["evidence"]},
            "metadata": details(row),
            "splits": row["split"],
        }
        for row in rows(given)
    ]
    with uploading("phoenix", "PHOENIX_COLLECTOR_ENDPOINT and PHOENIX_API_KEY"):
        datasets = import_module("phoenix.client").Client().datasets
        datasets.create_dataset(name=name, examples=examples, dataset_description=_description(given), timeout=600)


@exporter("mlflow", "an evaluation dataset at an MLflow server", keeps=GOLDENS_ALONE, uploads=True, package="mlflow")
def upload_mlflow(given: ExportSet, name: str) -> dict[str, int]:
    """MLflow knows a record by its inputs: a second upload updates it, and of goldens with the same query the first is sent."""
    first: dict[str, dict[str, Any]] = {}
    for row in rows(given):
        first.setdefault(row["query"], row)
    records = [*map(_record, first.values())]
    with uploading("mlflow", "MLFLOW_TRACKING_URI (and MLFLOW_TRACKING_TOKEN, or a user and a password)"):
        dataset = _mlflow_dataset(given, name)
        for start in range(0, len(records), _RECORDS):
            dataset.merge_records(records[start : start + _RECORDS])
    return {"queries that another golden asks too": len(given.goldens) - len(records)}


def _mlflow_dataset(given: ExportSet, name: str) -> Any:
    datasets = import_module("mlflow.genai.datasets")
    try:
        return datasets.get_dataset(name=name)
    except import_module("mlflow.exceptions").MlflowException as error:
        if error.error_code != "RESOURCE_DOES_NOT_EXIST":
            raise
    tags = {"made_by": "ragset", "corpus": given.manifest.corpus.name, "corpus_hash": given.corpus.hash}
    return datasets.create_dataset(name=name, tags=tags)


def _record(row: dict[str, Any]) -> dict[str, Any]:
    source = next(iter(row["sources"]), None)
    # MLflow takes what it is told nothing about for labels by people.
    origin = {"source_type": "DOCUMENT", "source_data": {"doc_uri": source}} if source else {"source_type": "CODE"}
    told = details(row).items()
    return {
        "inputs": {"query": row["query"]},
        "expectations": {"expected_response": row["answer"], "contexts": row["evidence"]},
        "tags": {key: value if isinstance(value, str) else json.dumps(value) for key, value in told},
        "source": origin,
    }
