"""A linear adapter of queries, from the train side of a split dataset, with what it did on the test side."""

from functools import partial
from pathlib import Path

from flows.parameters.models import TrainAdapterParameters
from flows.steps.entry import flow_with
from flows.steps.training import training_run
from ragset.evaluation.grid import Grid
from ragset.settings import RetrievalSettings
from ragset.storage import with_addresses
from ragset.training.adapter_folder import write_adapter_folder
from tasks.effect import TrainedSummary, write_trained
from tasks.fitting import fit_adapter
from tasks.run.caching import unsearched


@flow_with(
    TrainAdapterParameters, name="train-adapter", run_name=lambda asked: f"adapter of {Path(asked.dataset).name}"
)
async def train_adapter(parameters: TrainAdapterParameters) -> TrainedSummary:
    """Train a linear adapter on the train side of a split test set, keep it if it helps, and measure it on the test side."""
    async with training_run(parameters) as run:
        fitted = await fit_adapter(
            unsearched(run.training), run.index, unsearched(run.examples), parameters.seed, run.account
        )
        trained, dataset = fitted.trained, run.training.dataset
        keep = None
        if trained.matrix is not None:
            keep = partial(
                write_adapter_folder,
                matrix=trained.matrix,
                embedding=run.index.embedding,
                embedded_by=parameters.embedding,
                dataset=dataset,
                stop=trained.stop,
                effect=fitted.effect,
            )
        adapted = parameters.embedding.model_copy(update={"adapter": with_addresses(parameters.out)})
        grid = Grid(
            chunking=(parameters.chunking,),
            embedding=(parameters.embedding, adapted),
            retrieval=(RetrievalSettings(mode="dense"),),
        )
        return await write_trained(parameters.out, dataset, fitted.effect, parameters.portable, keep, grid)
