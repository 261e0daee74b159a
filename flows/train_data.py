"""Training files for other libraries, from the train side of a split dataset."""

from pathlib import Path

from flows.parameters.models import TrainDataParameters
from flows.steps.entry import flow_with
from flows.steps.training import training_run
from ragset.training.formats import WrittenData
from tasks.run.caching import unsearched
from tasks.run.progress import progress
from tasks.training import write_training_files


@flow_with(
    TrainDataParameters, name="train-data", run_name=lambda asked: f"training data of {Path(asked.dataset).name}"
)
async def train_data(parameters: TrainDataParameters) -> WrittenData:
    """Write training examples with hard negatives, from the train side of a split test set, for libraries that train."""
    async with training_run(parameters) as run:
        progress().begin("dataset")
        return await write_training_files(
            unsearched(run.training),
            run.index,
            unsearched(run.examples),
            parameters.to,
            parameters.batch,
            parameters.seed,
            parameters.out,
            run.account,
        )
