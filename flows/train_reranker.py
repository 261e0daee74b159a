"""A learned reranker, from the train side of a split dataset, with what it did on the test side."""

from functools import partial
from pathlib import Path

from flows.parameters.models import TrainRerankerParameters
from flows.steps.entry import flow_with
from flows.steps.training import training_run
from ragset.evaluation.grid import LEARNED, NO_RERANKER, Grid
from ragset.retrieval.learned_reranker import write_reranker
from ragset.storage import with_addresses
from tasks.effect import TrainedSummary, write_trained
from tasks.fitting import fit_reranker
from tasks.run.caching import unsearched


@flow_with(
    TrainRerankerParameters, name="train-reranker", run_name=lambda asked: f"reranker of {Path(asked.dataset).name}"
)
async def train_reranker(parameters: TrainRerankerParameters) -> TrainedSummary:
    """Train a reranker on the train side of a split test set, keep it if it helps, and measure it on the test side."""
    async with training_run(parameters) as run:
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
