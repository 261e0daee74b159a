"""Training files for other libraries, from the train side of a split dataset."""

from pathlib import Path

from flows.parameters.models import TrainDataParameters
from flows.steps.entry import flow_with
from flows.steps.training import prepare_training
from ragset.dataset.claim import claimed
from ragset.settings import Budget
from ragset.training.formats import WrittenData
from tasks.run.caching import unsearched
from tasks.run.models import connected
from tasks.run.progress import progress
from tasks.training import write_training_files


def _run_name(parameters: TrainDataParameters) -> str:
    return f"training data of {Path(parameters.dataset).name}"


@flow_with(TrainDataParameters, name="train-data", run_name=_run_name)
async def train_data(parameters: TrainDataParameters) -> WrittenData:
    """Write training examples with hard negatives, from the train side of a split test set, for libraries that train.

    Raises:
        InputError: the dataset has no train side.
    """
    with claimed(Path(parameters.out)):
        async with connected((), Budget(), [parameters.embedding]):
            run = await prepare_training(parameters)
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
