"""A learned reranker, from the train side of a split dataset, with what it did on the test side."""

from functools import partial
from pathlib import Path

from flows.parameters.models import TrainRerankerParameters
from flows.steps.entry import flow_with
from flows.steps.training import prepare_training
from ragset.dataset.claim import claimed
from ragset.evaluation.grid import LEARNED, NO_RERANKER, Grid
from ragset.retrieval.learned_reranker import write_reranker
from ragset.settings import Budget
from ragset.storage import with_addresses
from tasks.effect import TrainedSummary, write_trained
from tasks.reranker import fit_reranker
from tasks.run.caching import unsearched
from tasks.run.models import connected


def _run_name(parameters: TrainRerankerParameters) -> str:
    return f"reranker of {Path(parameters.dataset).name}"


@flow_with(TrainRerankerParameters, name="train-reranker", run_name=_run_name)
async def train_reranker(parameters: TrainRerankerParameters) -> TrainedSummary:
    """Train a reranker on the train side of a split test set, keep it if it helps, and measure it on the test side.

    Raises:
        InputError: the dataset is not split.
    """
    with claimed(Path(parameters.out)):
        async with connected((), Budget(), [parameters.embedding]):
            run = await prepare_training(parameters)
            trained = await fit_reranker(
                unsearched(run.training),
                run.index,
                unsearched(run.examples),
                parameters.retrieval,
                parameters.retrieved,
                parameters.chunking.language,
                parameters.seed,
                run.account,
            )
        keep = partial(write_reranker, reranker=trained.reranker) if trained.reranker else None
        grid = Grid(
            chunking=(parameters.chunking,),
            embedding=(parameters.embedding,),
            retrieval=(parameters.retrieval,),
            reranker=(NO_RERANKER, f"{LEARNED}{with_addresses(parameters.out)}"),
            retrieved=parameters.retrieved,
        )
        return await write_trained(
            parameters.out, run.training.dataset, trained.effect, parameters.portable, keep, grid
        )
