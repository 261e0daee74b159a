"""Langfuse: a dataset with an item for each golden."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.exporters.uploads import KEEPS, Example, description, examples, library, uploading
from ragset.errors import InputError

_VARIABLES = "LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY"
_AT_ONCE = 8
_RETRIES = {"max_retries": 8}  # Langfuse allows so many requests a minute; its client waits as long as the server says


@exporter("langfuse", "a dataset at a Langfuse server", keeps=KEEPS, uploads=True, package="langfuse")
def upload_langfuse(given: ExportSet, name: str) -> None:
    """Items have ids of dataset and golden, since an id is of one item in a whole project: a second upload updates them."""
    with uploading("langfuse", _VARIABLES):
        client = library("langfuse").Langfuse(tracing_enabled=False)
        if not client.auth_check():
            raise InputError(f"export to langfuse: there are no keys; set {_VARIABLES}")
        client.create_dataset(name=name, description=description(given), metadata={"corpus": given.corpus.hash})

        def upload(one: Example) -> Any:
            return client.api.dataset_items.create(
                dataset_name=name,
                id=f"{name}-{one.id}",
                input={"query": one.query},
                expected_output={"answer": one.answer, "contexts": one.contexts},
                metadata=one.metadata,
                request_options=_RETRIES,
            )

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for _ in pool.map(upload, examples(given)):
                pass
