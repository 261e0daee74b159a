"""Writes the dataset of a run, and shows it in Prefect."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from prefect import get_run_logger

from flows.parameters.models import AnyMaking
from flows.parameters.permissions import permit
from flows.steps.ending import ended, ended_early
from flows.steps.generate import GenerationResult, make_goldens
from flows.steps.labelling import LabelRun
from flows.steps.prepare import Prepared, prepare
from flows.steps.review import reviewed
from ragset.dataset.exporters import EXPORTERS, Exported
from ragset.dataset.swap import claimed
from ragset.settings import ExportSettings, ReviewSettings
from ragset.text.query_forms import form_of, mix_of
from tasks.dataset import DatasetSummary, ReviewedSet, Work, write_test_set
from tasks.embedding_usage import query_usage
from tasks.export import export_test_set, place_of
from tasks.run.artifacts import show_costs, show_funnel, show_report
from tasks.run.caching import unsearched
from tasks.run.models import Account, connected
from tasks.run.progress import progress
from tasks.selection import NOWHERE, split_test_set


async def make_test_set(parameters: AnyMaking) -> DatasetSummary:
    """The recipe of the flows that make goldens: documents, index, sample, stages, dataset."""
    with claimed(Path(parameters.out)):
        async with connected(parameters.models, parameters.budget, [parameters.embedding]):
            run = await prepare(parameters)
            made = await make_goldens(run, run.parameters.wanted)
        return await write_goldens(run, work_of(run, made), made.embedded)


async def write_goldens(run: Prepared | LabelRun, work: Work, embedded: AbstractSet[str]) -> DatasetSummary:
    """Write the folder with its report, show funnel, costs and report as artifacts, and publish it."""
    progress().begin("dataset")
    work = await divided(run, work, embedded)
    summary = await write_test_set(run.parameters.out, unsearched(work), run.corpus, run.index)
    await show_dataset(run.corpus.name, summary, work)
    judged, exports = await publish(summary.folder, run.parameters.review, run.parameters.export, run.account)
    return ended(summary.model_copy(update={"reviewed": judged, "exports": exports}))


async def publish(
    folder: str, review: ReviewSettings | None, exports: tuple[ExportSettings, ...], account: Account
) -> tuple[ReviewedSet | None, tuple[Exported, ...]]:
    """Export the dataset, or, if people are to judge it, what they made of it."""
    judged = await reviewed(folder, review) if review else None
    return judged, await export_all(judged.applied.folder if judged else folder, exports, account)


async def export_all(folder: str, exports: tuple[ExportSettings, ...], account: Account) -> tuple[Exported, ...]:
    """Write the dataset of the folder for other tools, where that is asked for."""
    for asked in (one for one in exports if not EXPORTERS[one.to].uploads):
        # A place that nobody named is beside the dataset, which need not be in a folder that the run may use.
        permit(asked.model_copy(update={"out": place_of(Path(folder), asked)}))
    return await export_test_set(folder, exports, account) if exports else ()


def work_of(run: Prepared, made: GenerationResult) -> Work:
    """The goldens, with all that is written beside them."""
    parameters, recipe, source = run.parameters, run.recipe, run.source
    return Work(
        kind=recipe.kind,
        wanted=parameters.wanted,
        goldens=tuple(made.goldens),
        rejects=tuple(made.rejects),
        usage=(*run.index.usage, *run.usage, *made.usage),
        funnel=(*source.funnel(source.eligible), *made.funnel),
        ended=made.ended,
        prompts=tuple(prompt.id for prompt in recipe.prompts.values()),
        generator=recipe.generator.model,
        critic=recipe.critic.model,
        seed=parameters.seed,
        parameters=parameters.portable,
        samples=recipe.samples.digest,
        audience=recipe.portrait or recipe.writing.audience,
        notices=(*progress().notices, *_compared_with_samples(run, made)),
    )


def _compared_with_samples(run: Prepared, made: GenerationResult) -> tuple[str, ...]:
    """The forms of the queries beside those of the samples; nothing without samples or goldens."""
    samples, language = run.recipe.samples, run.recipe.writing.language
    if not samples.queries or not made.goldens:
        return ()
    mix = mix_of(form_of(golden.query, language or "en") for golden in made.goldens)
    return (f"Forms of the queries: {mix}. Of the samples: {samples.mix(language)}.",)


async def divided(
    run: Prepared | LabelRun, work: Work, embedded: AbstractSet[str], held: Mapping[str, str] = NOWHERE
) -> Work:
    """The work with its goldens split if asked for, and the cost of all queries that were `embedded`.

    Goldens in `held` keep their side. A split embeds all queries.
    """
    split, seed, spoken = run.parameters.split, run.parameters.seed, run.recipe.writing.spoken
    if split.by != "none" and work.goldens:
        done = await split_test_set(
            unsearched(work.goldens), run.corpus, run.index, split, spoken, seed, run.account, held
        )
        work = work.model_copy(update={"goldens": done.goldens, "split": done.split})
        embedded = embedded | set(done.embedded)
    paid = await query_usage(run.index.embedded_by, run.account, embedded)
    return work.model_copy(update={"usage": (*work.usage, *paid)})


async def show_dataset(name: str, summary: DatasetSummary, work: Work) -> None:
    """Show funnel, costs and report as artifacts; log why the run ended early."""
    if why := ended_early(summary):
        get_run_logger().warning("Ended early: %s.", why)
    await show_funnel(name, summary.funnel)
    await show_costs(name, work.usage)
    await show_report(name, summary.report)
