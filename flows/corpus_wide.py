"""The corpus-wide pipeline."""

from pathlib import Path

from flows.parameters.models import CorpusWideParameters
from flows.steps.ending import ended
from flows.steps.entry import flow_with, goldens_of_corpus
from flows.steps.finish import write_goldens
from flows.steps.generate import make_goldens
from flows.steps.prepare import prepare
from ragset.dataset.claim import claimed
from tasks.dataset import DatasetSummary
from tasks.run.models import connected


@flow_with(CorpusWideParameters, name="corpus-wide", run_name=goldens_of_corpus)
async def corpus_wide(parameters: CorpusWideParameters) -> DatasetSummary:
    """Make n goldens about themes of many documents, each with assertions that an answer is to make."""
    with claimed(Path(parameters.out)):
        async with connected(parameters.models, parameters.budget, [parameters.embedding]):
            prepared = await prepare(parameters)
            made = await make_goldens(prepared, prepared.parameters.wanted)
        return ended(await write_goldens(prepared, made))
