"""Write the dataset of a run, and what people made of it by judging it."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from pydantic import BaseModel, Field

from ragset.dataset import CorpusFacts, FunnelRow, Manifest, Models, Refreshed, Split, Totals, versions, write_dataset
from ragset.dataset.cut_rates import cut_rates
from ragset.dataset.exporters import Exported
from ragset.dataset.manifest import MANIFEST, chunking_of
from ragset.dataset.report import make_chunk_map, render_report, renew_report
from ragset.dataset.review.new_version import ReviewSummary, write_reviewed
from ragset.documents import Failure
from ragset.errors import InputError
from ragset.llm.usage import add_usage, load_prices, priced
from ragset.models import Golden, Model, Reject, Usage
from ragset.settings import Environment
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.artifacts import show_report
from tasks.run.threads import in_thread


class Work(Model):
    """The result of a run before it is written. The fields that the manifest shares are described there."""

    kind: str
    wanted: int | None  # None: one golden for every chunk that passes
    goldens: tuple[Golden, ...]
    rejects: tuple[Reject, ...]
    usage: tuple[Usage, ...]
    funnel: tuple[FunnelRow, ...]
    ended: str
    prompts: tuple[str, ...]
    generator: str
    critic: str
    seed: int
    parameters: dict[str, Any]
    samples: str = ""
    audience: str = ""
    split: Split | None = None
    refreshed: Refreshed | None = None
    notices: tuple[str, ...] = ()
    more: dict[str, str] = Field(default_factory=dict)  # texts of further files, by their names


class ReviewedSet(Model):
    """A dataset that people have judged and that is good enough."""

    said: str  # how much of it is good, in a sentence
    applied: ReviewSummary
    exports: tuple[Exported, ...] = ()


class DatasetSummary(Model):
    """The result of a run in short."""

    kind: str
    folder: str
    report: str
    kept: int
    cross_document: int  # goldens whose evidence stands in two documents or more
    wanted: int | None
    ended: str
    documents: int
    unread: tuple[Failure, ...]
    chunks: int
    funnel: tuple[FunnelRow, ...]
    totals: Totals
    generator: str
    critic: str
    split: Split | None = None
    reviewed: ReviewedSet | None = None
    exports: tuple[Exported, ...] = ()


@task(task_run_name="write {out}", cache_policy=NO_CACHE)
async def write_test_set(out: str, work: Work, corpus: CorpusFile, index: IndexFile) -> DatasetSummary:
    """`ragset.dataset.write_dataset` with its manifest and its report."""
    summary = await in_thread(_write, Path(out), work, corpus, index)
    get_run_logger().info("%d goldens written to %s", summary.kept, out)
    return summary


@task(task_run_name="apply the review of {folder}", cache_policy=NO_CACHE)
async def apply_review(folder: str, guideline: str, said: str) -> ReviewedSet:
    """`ragset.dataset.review.write_reviewed`, with the report of the reviewed version renewed."""
    applied = await in_thread(write_reviewed, Path(folder), None, guideline)
    await in_thread(renew_report, Path(folder))
    await show_report(Path(applied.folder).name, applied.report)
    return ReviewedSet(said=said, applied=applied)


def _write(folder: Path, work: Work, corpus: CorpusFile, index: IndexFile) -> DatasetSummary:
    if not work.goldens and (before := _kept(folder)):
        raise InputError(
            f"{folder}: holds {before} golden{'s' * (before > 1)}, and this run made none, so it was left as it is; name "
            "another folder with --out to see what was rejected"
        )
    prices = load_prices(Environment().ragset_prices)
    usage = priced(add_usage(sorted(work.usage, key=lambda row: (row.stage, row.prompt, row.model))), prices)
    documents, opened = corpus.open(), index.open()
    own = {chunking_of(work.parameters).name: index.all_chunks()}
    manifest = Manifest.model_validate(
        _shared(work, Manifest)
        | {
            "wanted": "all" if work.wanted is None else work.wanted,
            "kept": len(work.goldens),
            "corpus": CorpusFacts(**_shared(corpus, CorpusFacts), chunks=index.chunks),
            "models": Models(generator=work.generator, critic=work.critic, embedding=index.embedding),
            "usage": usage,
            "totals": Totals.of(usage),
            "unread": corpus.failures,
            "cut_rates": cut_rates(work.goldens, documents, own),
            "versions": versions(),
        }
    )
    rejects = (*index.rejects(), *work.rejects)
    drawn = [chunk for golden in work.goldens for chunk in golden.chunks]
    chunk_map = make_chunk_map(opened.vectors, opened.doc_ids, opened.ids, drawn)
    write_dataset(
        folder,
        goldens=work.goldens,
        rejects=rejects,
        corpus=documents,
        manifest=manifest,
        report=render_report(work.goldens, rejects, manifest, chunk_map, documents),
        more=work.more,
    )
    return DatasetSummary.model_validate(
        _shared(manifest, DatasetSummary)
        | _shared(work, DatasetSummary)
        | {
            "folder": str(folder),
            "report": str(folder / "report.html"),
            "cross_document": sum(golden.cross_document for golden in work.goldens),
            "documents": corpus.documents,
            "chunks": index.chunks,
        }
    )


def _shared(source: BaseModel, wanted: type[BaseModel]) -> dict[str, Any]:
    """The fields of `source` that `wanted` has as well."""
    return {name: value for name, value in source if name in wanted.model_fields}


def _kept(folder: Path) -> int:
    with suppress(OSError, ValueError, KeyError, TypeError):
        return int(json.loads((folder / MANIFEST).read_bytes())["kept"])
    return 0
