"""Phoenix (Arize): a dataset with an example for each golden."""

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.registry import exporter
from ragset.dataset.exporters.uploads import KEEPS, description, examples, library, uploading

_VARIABLES = "PHOENIX_COLLECTOR_ENDPOINT and PHOENIX_API_KEY"
_SECONDS = 600


@exporter("phoenix", "a dataset at a Phoenix server", keeps=KEEPS, uploads=True, package="phoenix")
def upload_phoenix(given: ExportSet, name: str) -> None:
    """Examples have the ids of goldens: a second upload updates them, and removes those that are gone."""
    made = [
        {
            "id": one.id,
            "input": {"query": one.query},
            "output": {"answer": one.answer, "contexts": one.contexts},
            "metadata": one.metadata,
            "splits": one.split,
        }
        for one in examples(given)
    ]
    with uploading("phoenix", _VARIABLES):
        client = library("phoenix.client").Client()
        client.datasets.create_dataset(
            name=name, examples=made, dataset_description=description(given), timeout=_SECONDS
        )
