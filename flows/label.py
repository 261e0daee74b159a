"""Queries of one's own, labelled with passages of one's documents."""

from pathlib import Path

from flows.parameters.models import LabelParameters
from flows.steps.ending import ended
from flows.steps.entry import flow_with
from flows.steps.finish import divided, published, show_dataset
from flows.steps.labelling import label_queries, labelled_work, prepare_labels
from ragset.dataset.claim import claimed
from tasks.dataset import DatasetSummary, write_test_set
from tasks.run.caching import unsearched
from tasks.run.models import connected
from tasks.run.progress import progress


def _run_name(parameters: LabelParameters) -> str:
    return f"label {Path(parameters.queries).name}"


@flow_with(LabelParameters, name="label", run_name=_run_name)
async def label(parameters: LabelParameters) -> DatasetSummary:
    """Make a test set of queries that people asked: find passages for each, grade them, and answer from the relevant ones."""
    with claimed(Path(parameters.out)):
        async with connected(parameters.models, parameters.budget, [parameters.embedding]):
            run = await prepare_labels(parameters)
            made = await label_queries(run)
            work = await divided(run, labelled_work(run, made), made.embedded)
        progress().begin("dataset")
        summary = await write_test_set(parameters.out, unsearched(work), run.corpus, run.index)
        await show_dataset(run.corpus.name, summary, work)
        summary = await published(summary, parameters, run.account)
    return ended(summary)
