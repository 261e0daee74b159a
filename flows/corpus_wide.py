"""The corpus-wide pipeline."""

from flows.parameters.models import CorpusWideParameters
from flows.steps.entry import flow_with, goldens_of_corpus
from flows.steps.finish import make_test_set
from tasks.dataset import DatasetSummary


@flow_with(CorpusWideParameters, name="corpus-wide", run_name=goldens_of_corpus)
async def corpus_wide(parameters: CorpusWideParameters) -> DatasetSummary:
    """Make n goldens about themes of many documents, each with assertions that an answer is to make."""
    return await make_test_set(parameters)
