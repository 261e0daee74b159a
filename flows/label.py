"""Queries of one's own, labelled with passages of one's documents."""

from pathlib import Path

from flows.parameters.models import LabelParameters
from flows.steps.entry import flow_with
from flows.steps.finish import write_goldens
from flows.steps.labelling import label_queries, labelled_work, prepare_labels
from ragset.dataset.swap import claimed
from tasks.dataset import DatasetSummary
from tasks.run.models import connected


@flow_with(LabelParameters, name="label", run_name=lambda asked: f"label {Path(asked.queries).name}")
async def label(parameters: LabelParameters) -> DatasetSummary:
    """Make a test set of queries that people asked: find passages for each, grade them, and answer from the relevant ones."""
    with claimed(Path(parameters.out)):
        async with connected(parameters.models, parameters.budget, [parameters.embedding]):
            run = await prepare_labels(parameters)
            made = await label_queries(run)
        return await write_goldens(run, labelled_work(run, made), made.embedded)
