"""The multi-chunk pipeline."""

from flows.parameters.models import MultiChunkParameters
from flows.steps.entry import flow_with, goldens_of_corpus
from flows.steps.finish import make_test_set
from tasks.dataset import DatasetSummary


@flow_with(MultiChunkParameters, name="multi-chunk", run_name=goldens_of_corpus)
async def multi_chunk(parameters: MultiChunkParameters) -> DatasetSummary:
    """Make n goldens, each needing two or more chunks."""
    return await make_test_set(parameters)
