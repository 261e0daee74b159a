"""The end of a run that made goldens: the dataset written, and shown in Prefect."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from prefect import get_run_logger

from flows.parameters.models import MakingParameters
from flows.steps.ending import ended_early
from flows.steps.generate import GenerationResult
from flows.steps.sources import Source
from tasks.batches import Recipe
from tasks.dataset import DatasetSummary, Work, write_test_set
from tasks.documents import CorpusFile
from tasks.embedding import query_usage
from tasks.index import IndexFile
from tasks.run.artifacts import show_costs, show_funnel, show_report
from tasks.run.caching import unsearched
from tasks.run.models import Account
from tasks.run.progress import progress
from tasks.train_test_split import NOWHERE, split_test_set


async def write_goldens(
    made: GenerationResult,
    parameters: MakingParameters,
    recipe: Recipe,
    corpus: CorpusFile,
    index: IndexFile,
    source: Source,
    account: Account,
) -> DatasetSummary:
    """The folder `parameters.out` with its report, and funnel, costs and report as artifacts.

    Raises:
        InputError: the folder cannot be written.
    """
    progress().begin("dataset")
    work = work_of(made, parameters, recipe, index, source)
    work = await divided(work, parameters, recipe, corpus, index, account, made.embedded)
    summary = await write_test_set(parameters.out, work, corpus, index)
    if told := ended_early(summary):
        get_run_logger().warning("Ended early: %s.", told)
    await show_dataset(corpus.name, summary, work)
    return summary


def work_of(
    made: GenerationResult, parameters: MakingParameters, recipe: Recipe, index: IndexFile, source: Source
) -> Work:
    """What was made, with all that is written down beside it."""
    return Work(
        kind=recipe.kind,
        wanted=parameters.wanted,
        goldens=tuple(made.goldens),
        rejects=tuple(made.rejects),
        usage=(*index.usage, *made.usage),
        funnel=(*index.funnel(source.eligible, source.sampled), *made.funnel),
        ended=made.ended,
        prompts=tuple(prompt.id for prompt in recipe.prompts.values()),
        generator=recipe.generator.model,
        critic=recipe.critic.model,
        seed=parameters.seed,
        parameters=parameters.portable,
        samples=recipe.samples.digest,
        notices=tuple(progress().notices),
    )


async def divided(
    work: Work,
    parameters: MakingParameters,
    recipe: Recipe,
    corpus: CorpusFile,
    index: IndexFile,
    account: Account,
    embedded: AbstractSet[str],
    held: Mapping[str, str] = NOWHERE,
) -> Work:
    """The work with its goldens on the sides of a split, where one is asked for; those that have a side keep it.

    With that all queries are embedded, so their cost is added to what the run `embedded` before.
    """
    if parameters.split.by != "none" and work.goldens:
        language, seed = recipe.writing.spoken, parameters.seed
        goldens = unsearched(work.goldens)
        done = await split_test_set(goldens, corpus, index, parameters.split, language, seed, account, held)
        work = work.model_copy(update={"goldens": done.goldens, "split": done.split})
        embedded = embedded | set(done.embedded)
    paid = await query_usage(index.embedded_by, account, embedded)
    return work.model_copy(update={"usage": (*work.usage, *paid)})


async def show_dataset(name: str, summary: DatasetSummary, work: Work) -> None:
    """Funnel, costs and report as artifacts."""
    await show_funnel(name, summary.funnel)
    await show_costs(name, work.usage)
    await show_report(name, summary.report)
