"""MLflow: an evaluation dataset with a record for each query."""

import json
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.exporters.uploads import KEEPS, Example, examples, library, uploading

_VARIABLES = "MLFLOW_TRACKING_URI (and MLFLOW_TRACKING_TOKEN, or a user and a password)"
_AT_ONCE = 500


@exporter("mlflow", "an evaluation dataset at an MLflow server", keeps=KEEPS, uploads=True, package="mlflow")
def upload_mlflow(given: ExportSet, name: str) -> dict[str, int]:
    """MLflow knows a record by its inputs, so a second upload updates those of the same query.

    Of goldens with the same query only the first is a record.
    """
    first: dict[str, Example] = {}
    for one in examples(given):
        first.setdefault(one.query, one)
    records = [_record(one) for one in first.values()]
    with uploading("mlflow", _VARIABLES):
        dataset = _dataset(given, name)
        for start in range(0, len(records), _AT_ONCE):
            dataset.merge_records(records[start : start + _AT_ONCE])
    return {"queries that another golden asks too": len(given.goldens) - len(records)}


def _dataset(given: ExportSet, name: str) -> Any:
    datasets, errors = library("mlflow.genai.datasets"), library("mlflow.exceptions")
    try:
        return datasets.get_dataset(name=name)
    except errors.MlflowException as error:
        if error.error_code != "RESOURCE_DOES_NOT_EXIST":
            raise
    tags = {"made_by": "ragset", "corpus": given.manifest.corpus.name, "corpus_hash": given.corpus.hash}
    return datasets.create_dataset(name=name, tags=tags)


def _record(one: Example) -> dict[str, Any]:
    source = next(iter(one.metadata.get("sources", ())), None)
    # MLflow takes what it is told nothing about for labels by people.
    origin = {"source_type": "DOCUMENT", "source_data": {"doc_uri": source}} if source else {"source_type": "CODE"}
    return {
        "inputs": {"query": one.query},
        "expectations": {"expected_response": one.answer, "contexts": one.contexts},
        "tags": {key: value if isinstance(value, str) else json.dumps(value) for key, value in one.metadata.items()},
        "source": origin,
    }
