"""The single-chunk pipeline."""

from flows.parameters.models import SingleChunkParameters
from flows.steps.entry import flow_with, goldens_of_corpus
from flows.steps.finish import make_test_set
from tasks.dataset import DatasetSummary


@flow_with(SingleChunkParameters, name="single-chunk", run_name=goldens_of_corpus)
async def single_chunk(parameters: SingleChunkParameters) -> DatasetSummary:
    """Make n goldens, each answered by one passage."""
    return await make_test_set(parameters)
