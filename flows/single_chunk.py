"""The single-chunk pipeline."""

from pathlib import Path

from flows.parameters.models import SingleChunkParameters
from flows.steps.ending import ended
from flows.steps.entry import flow_with, goldens_of_corpus
from flows.steps.finish import write_goldens
from flows.steps.generate import make_goldens
from flows.steps.prepare import prepare
from ragset.dataset.claim import claimed
from tasks.dataset import DatasetSummary
from tasks.run.models import connected


@flow_with(SingleChunkParameters, name="single-chunk", run_name=goldens_of_corpus)
async def single_chunk(parameters: SingleChunkParameters) -> DatasetSummary:
    """Make n goldens, each answered by one passage."""
    with claimed(Path(parameters.out)):
        async with connected(parameters.models, parameters.budget, [parameters.embedding]):
            prepared = await prepare(parameters)
            made = await make_goldens(prepared, prepared.parameters.wanted)
        return ended(await write_goldens(prepared, made))
