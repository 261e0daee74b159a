"""A dataset taken up again on documents that have changed."""

from pathlib import Path

from prefect import flow, get_run_logger
from prefect.runtime import flow_run

from flows.parameters.checks import check_refresh
from flows.parameters.models import MultiChunkParameters, RefreshParameters, fields
from flows.parameters.permissions import permit, run_parameters
from flows.steps.approval import approve, cancelled
from flows.steps.earlier import Earlier, claimed_version, find_earlier
from flows.steps.ending import ended, ended_early
from flows.steps.finish import divided, show_dataset, work_of
from flows.steps.generate import make_goldens
from flows.steps.recipe import recipe_of
from flows.steps.sources import Chunks, Contexts, Source
from ragset.dataset import Refreshed, funnel_row
from ragset.dataset.changes import CHANGES, ChangeLog, change_files
from ragset.errors import InputError
from ragset.generation.sampling import not_taken
from ragset.settings import ApprovalSettings
from tasks.batches import Recipe
from tasks.dataset import write_test_set
from tasks.documents import CorpusFile, read_corpus
from tasks.index import IndexFile, draw_order, index_corpus
from tasks.refresh import RealignResult, RefreshSummary, log_changes, reanchor_goldens, show_changes, tell_of_refresh
from tasks.run.caching import digest, unsearched
from tasks.run.lifecycle import attended
from tasks.run.models import Account, connected
from tasks.run.progress import progress


def _run_name() -> str:
    return f"refresh of {Path(flow_run.parameters['dataset']).name}"


@flow(
    name="refresh",
    flow_run_name=_run_name,
    description="Bring a test set up to date with documents that have changed, as a new version beside the old one.",
    validate_parameters=False,
)
async def refresh(
    documents: fields.Documents,
    dataset: fields.Dataset = "out/single-chunk",
    generator: fields.AsMade = None,
    critic: fields.JudgedAsMade = None,
    budget: fields.LimitsAsMade = None,
    approval: fields.Approval = ApprovalSettings(),
    out: fields.NewFolder = "",
) -> RefreshSummary:
    """Look where the evidence of every golden stands now, fill the set up to its size again, and write the next version.

    Prefect's form shows what stands under Args.

    Args:
        documents: Which texts the dataset is about now; they are cleaned as they were then.
        dataset: Folder of the dataset; of its versions the latest is gone on from.
        generator: The model that writes queries and answers; empty: the one that the dataset was made with.
        critic: The model that filters and judges; empty: the one that the dataset was made with.
        budget: Where the run ends well with what it has; empty: the limits that the dataset was made with.
        approval: Above which estimate the run pauses until a person lets it go on; empty: it never asks.
        out: Folder of the new version; empty: beside the dataset, as NAME-v2 and so on.

    Raises:
        InputError: documents or a dataset that cannot be used.
        ProviderError: a model that cannot be asked; what was answered until then is kept.
    """
    async with attended():
        asked = run_parameters(RefreshParameters)
        permit(find_earlier(asked).parameters)
        check_refresh(asked)
        with claimed_version(asked) as earlier:
            permit(earlier.parameters)
            parameters = earlier.parameters
            corpus = await read_corpus(parameters.documents)
            recipe = recipe_of(parameters)
            run = digest(["refresh", parameters.identity, corpus.hash, recipe.identity, earlier.manifest])
            account = Account(run=run, budget=parameters.budget)
            async with connected((), parameters.budget, [parameters.embedding]):
                index = await index_corpus(corpus, parameters.chunking, parameters.embedding, account)
            found = await reanchor_goldens(str(earlier.folder), corpus, index)
            used_up = earlier.manifest.ended == "corpus used up" and asked.generator is None and asked.critic is None
            if found.same and (used_up or len(found.kept) >= earlier.wanted):
                return _unchanged(earlier, found)
            return await _go_on(earlier, corpus, index, found, recipe, account)


async def _go_on(
    earlier: Earlier, corpus: CorpusFile, index: IndexFile, found: RealignResult, recipe: Recipe, account: Account
) -> RefreshSummary:
    """Fill up what is missing, and write the next version."""
    parameters, kept = earlier.parameters, found.kept
    missing = earlier.wanted - len(kept)
    # A set that is full asks nobody.
    async with connected(recipe.models if missing else (), parameters.budget):
        order = await draw_order(index, parameters.sampling, parameters.seed)
        free = not_taken(order, found.taken)
        wanted = earlier.wanted
        if missing:
            approved = await approve(
                parameters.approval,
                missing,
                recipe,
                _source(earlier, index, free, found),
                parameters.out,
                mixed=bool(parameters.hardness.weights),
            )
            if approved.declined:
                return cancelled(approved.declined)
            wanted = len(kept) + (missing if approved.n == "all" else approved.n)
        source = _source(earlier, index, free, found)
        for line in earlier.notices if missing else ():
            get_run_logger().warning(line)
            progress().notices.append(line)
        made = await make_goldens(source, wanted, recipe, account, kept, parameters.hardness.weights)
    if found.same and not made.goldens:
        return _unchanged(earlier, found)
    if not kept and not made.goldens:
        raise InputError(
            f"{earlier.folder}: no evidence of its goldens is in {corpus.name} any more, and no new golden could be made of "
            "it; name other documents"
        )
    progress().begin("dataset")
    log = await log_changes(
        str(earlier.folder), parameters.out, wanted, unsearched(found), unsearched(tuple(made.goldens)), corpus
    )
    added = [golden.model_copy(update={"metadata": {**golden.metadata, "refresh": "added"}}) for golden in made.goldens]
    work = work_of(made, parameters, recipe, index, source)
    checks = {**work.parameters["checks"], "earlier": list(earlier.others)}
    work = work.model_copy(
        update={
            "wanted": wanted,
            "parameters": {**work.parameters, "checks": checks},
            "goldens": (*kept, *added),
            "rejects": (*found.rejects, *work.rejects),
            "funnel": (
                *index.funnel(len(order), source.sampled),
                funnel_row("refresh", len(found.anchored), len(kept), found.rejects),
                *made.funnel,
            ),
            "refreshed": Refreshed(before=earlier.folder.name, **_counts(log)),
            "more": change_files(log),
        }
    )
    held = {golden.id: golden.split for golden in kept}
    work = await divided(work, parameters, recipe, corpus, index, account, made.embedded, held)
    summary = await write_test_set(parameters.out, unsearched(work), corpus, index)
    if told := ended_early(summary):
        get_run_logger().warning("Ended early: %s.", told)
    await show_dataset(corpus.name, summary, work)
    await show_changes(corpus.name, log)
    tell_of_refresh(summary.folder, str(earlier.folder), log)
    refreshed = RefreshSummary(
        state="refreshed",
        folder=summary.folder,
        before=str(earlier.folder),
        report=summary.report,
        changes=str(Path(summary.folder) / CHANGES),
        wanted=wanted,
        kept=summary.kept,
        ended=summary.ended,
        dataset=summary,
        **_counts(log),
    )
    return ended(summary, refreshed)


def _source(earlier: Earlier, index: IndexFile, order: list[int], found: RealignResult) -> Source:
    """Where new goldens come from: chunks that carry no evidence of those that are kept, contexts that are not theirs."""
    parameters = earlier.parameters
    if isinstance(parameters, MultiChunkParameters):
        return Contexts(index, order, parameters.contexts, parameters.sampling.min_chars, found.contexts)
    return Chunks(index, order)


def _counts(log: ChangeLog) -> dict[str, int]:
    return {change: log.count(change) for change in ("valid", "moved", "stale", "added")}


def _unchanged(earlier: Earlier, found: RealignResult) -> RefreshSummary:
    get_run_logger().info("%s is up to date: nothing was written", earlier.folder)
    return RefreshSummary(
        state="unchanged",
        folder=str(earlier.folder),
        before=str(earlier.folder),
        report=str(earlier.folder / "report.html"),
        changes="",
        wanted=earlier.wanted,
        kept=len(found.kept),
        valid=len(found.kept),
        moved=0,
        stale=0,
        added=0,
        ended=earlier.manifest.ended,
        dataset=None,
    )
