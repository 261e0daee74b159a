"""The refresh: a dataset brought up to date with documents that have changed."""

from dataclasses import replace
from pathlib import Path

from prefect import get_run_logger

from flows.parameters.models import Exports, RefreshParameters
from flows.parameters.permissions import permit
from flows.steps.approval import approve
from flows.steps.asked import Source, recipe_of, source_of
from flows.steps.earlier import Earlier, claimed_version, find_earlier
from flows.steps.ending import ended
from flows.steps.entry import flow_with
from flows.steps.finish import divided, export_all, show_dataset, work_of
from flows.steps.generate import make_goldens
from flows.steps.prepare import Prepared
from ragset.dataset import Refreshed, funnel_row
from ragset.dataset.changes import CHANGES, change_files
from ragset.errors import InputError
from ragset.generation.sampling import not_taken
from tasks.audience import portray_audience
from tasks.dataset import write_test_set
from tasks.documents import read_corpus
from tasks.index import index_corpus
from tasks.refresh import RealignResult, RefreshSummary, log_changes, realign_goldens
from tasks.run.artifacts import send_refresh_event, show_changes
from tasks.run.caching import digest, unsearched
from tasks.run.logs import warn
from tasks.run.models import Account, connected
from tasks.run.progress import progress
from tasks.sampling import draw_order


@flow_with(
    RefreshParameters,
    name="refresh",
    run_name=lambda asked: f"refresh of {Path(asked.dataset).name}",
    found=lambda asked: find_earlier(asked).parameters,
)
async def refresh(asked: RefreshParameters) -> RefreshSummary:
    """Bring a test set up to date with documents that have changed, as a new version beside the old one.

    Goldens whose evidence is still in the documents are kept; then the set is filled up to its size.
    """
    with claimed_version(asked) as earlier:
        parameters = earlier.parameters
        permit(parameters)
        corpus = await read_corpus(parameters.documents, parameters.chunking.existing)
        recipe = recipe_of(parameters)
        if not recipe.writing.audience:
            recipe = recipe.model_copy(update={"portrait": earlier.manifest.audience})
        run = digest(["refresh", parameters.identity, corpus.hash, recipe.identity, earlier.manifest])
        account = Account(run=run, budget=parameters.budget)
        async with connected((), parameters.budget, [parameters.embedding]):
            index = await index_corpus(corpus, parameters.chunking, parameters.embedding, account)
        found = await realign_goldens(str(earlier.folder), corpus, index)
        used_up = earlier.manifest.ended == "corpus used up" and asked.generator is None and asked.critic is None
        if found.same and (used_up or len(found.kept) >= earlier.wanted):
            return await _unchanged(earlier, found, asked.export)
        # New goldens come from chunks without evidence of the kept ones, and from other contexts; passages from new text first.
        order = await draw_order(index, parameters.sampling, parameters.seed)
        free = not_taken(order, found.taken)
        if earlier.manifest.drawn_from == "passages":
            new = frozenset(found.new)
            free.sort(key=lambda row: row not in new)
        peek, source = (source_of(parameters, index, corpus, free, found.contexts, found.passages) for _ in range(2))
        prepared = Prepared(parameters, recipe, account, corpus, index, source)
        return await _fill_up(earlier, prepared, peek, found, len(order), asked.export)


async def _fill_up(
    earlier: Earlier, run: Prepared, peek: Source, found: RealignResult, eligible: int, export: Exports
) -> RefreshSummary:
    parameters, recipe, corpus, index, kept = run.parameters, run.recipe, run.corpus, run.index, found.kept
    wanted = earlier.wanted
    missing = wanted - len(kept)
    # A set that is full asks no model.
    async with connected(recipe.models if missing else (), parameters.budget):
        if missing:
            n = await approve(parameters, missing, recipe, peek)
            wanted = len(kept) + (missing if n == "all" else n)
            for line in earlier.notices:
                warn(line)
            if recipe.portrays:
                portrait = await portray_audience(corpus, recipe, run.account)
                recipe = recipe.model_copy(update={"portrait": portrait.text})
                run = replace(run, recipe=recipe, usage=portrait.usage)
        made = await make_goldens(run, wanted, kept)
    if found.same and not made.goldens:
        return await _unchanged(earlier, found, export)
    if not kept and not made.goldens:
        raise InputError(
            f"{earlier.folder}: no evidence of its goldens is in {corpus.name} any more, and no new golden could be made of "
            "it; name other documents"
        )
    progress().begin("dataset")
    log = await log_changes(
        str(earlier.folder), parameters.out, wanted, unsearched(found), unsearched(tuple(made.goldens)), corpus
    )
    counts = {change: log.count(change) for change in ("valid", "moved", "stale", "added")}
    added = [golden.model_copy(update={"metadata": {**golden.metadata, "refresh": "added"}}) for golden in made.goldens]
    work = work_of(run, made)
    checks = {**work.parameters["checks"], "earlier": list(earlier.others)}
    realigned = funnel_row("refresh", len(found.anchored), len(kept), found.rejects)
    more = {
        "wanted": wanted,
        "parameters": {**work.parameters, "checks": checks},
        "goldens": (*kept, *added),
        "rejects": (*found.rejects, *work.rejects),
        "funnel": (*run.source.funnel(eligible), realigned, *made.funnel),
        "refreshed": Refreshed(before=earlier.folder.name, **counts),
        "more": change_files(log),
    }
    held = {golden.id: golden.split for golden in kept}
    work = await divided(run, work.model_copy(update=more), made.embedded, held)
    summary = await write_test_set(parameters.out, unsearched(work), corpus, index)
    await show_dataset(corpus.name, summary, work)
    await show_changes(corpus.name, log)
    send_refresh_event(summary.folder, str(earlier.folder), log)
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
        exports=await export_all(summary.folder, export, run.account),
        **counts,
    )
    return ended(summary, refreshed)


async def _unchanged(earlier: Earlier, found: RealignResult, export: Exports) -> RefreshSummary:
    get_run_logger().info("%s is up to date: nothing was written", earlier.folder)
    folder, report, kept = str(earlier.folder), str(earlier.folder / "report.html"), len(found.kept)
    counts = {"wanted": earlier.wanted, "kept": kept, "valid": kept, "moved": 0, "stale": 0, "added": 0}
    ended = earlier.manifest.ended
    # The formats asked for may be others than those of the run that made this version.
    exports = await export_all(folder, export, Account())
    return RefreshSummary(
        state="unchanged",
        folder=folder,
        before=folder,
        report=report,
        changes="",
        dataset=None,
        ended=ended,
        exports=exports,
        **counts,
    )
