"""Write the dataset of a run."""

import json
from pathlib import Path
from typing import Any

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from pydantic import Field

from ragset.dataset import (
    CorpusFacts,
    FunnelRow,
    Manifest,
    Models,
    Refreshed,
    Split,
    Totals,
    Unread,
    versions,
    write_dataset,
)
from ragset.dataset.manifest import MANIFEST
from ragset.dataset.report import make_chunk_map, render_report
from ragset.errors import InputError
from ragset.llm.usage import add_usage, load_prices, priced
from ragset.models import Golden, Model, Reject, Usage
from ragset.settings import Environment
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.outputs import check_output_unwritten
from tasks.run.threads import in_thread


class Work(Model):
    """The result of a run before it is written."""

    kind: str
    wanted: int | None
    """None: one golden for every chunk that passes."""
    goldens: tuple[Golden, ...]
    rejects: tuple[Reject, ...]
    usage: tuple[Usage, ...]
    funnel: tuple[FunnelRow, ...]
    ended: str
    prompts: tuple[str, ...]
    """`name@version#digest` of all that were used."""
    generator: str
    critic: str
    seed: int
    parameters: dict[str, Any]
    samples: str = ""
    """Digest of the sample queries whose style is imitated."""
    split: Split | None = None
    """Where the goldens are divided."""
    refreshed: Refreshed | None = None
    """Where it continues an earlier version."""
    notices: tuple[str, ...] = ()
    """What a person should know, a line each."""
    more: dict[str, str] = Field(default_factory=dict)
    """Texts of further files, by their names."""


class DatasetSummary(Model):
    """The result of a run in short."""

    kind: str
    folder: str
    report: str
    kept: int
    cross_document: int
    """Goldens whose evidence stands in two documents or more."""
    wanted: int | None
    ended: str
    documents: int
    unread: tuple[Unread, ...]
    chunks: int
    funnel: tuple[FunnelRow, ...]
    totals: Totals
    generator: str
    critic: str
    split: Split | None = None


@task(task_run_name="write {out}", cache_policy=NO_CACHE)
async def write_test_set(out: str, work: Work, corpus: CorpusFile, index: IndexFile) -> DatasetSummary:
    """`ragset.dataset.write_dataset` with its manifest and its report.

    Raises:
        InputError: the folder cannot be written.
    """
    summary = await in_thread(_write, Path(out), work, corpus, index)
    get_run_logger().info("%d goldens written to %s", summary.kept, out)
    return summary


def _write(folder: Path, work: Work, corpus: CorpusFile, index: IndexFile) -> DatasetSummary:
    check_output_unwritten(folder)
    if not work.goldens and (before := _kept(folder)):
        raise InputError(
            f"{folder}: holds {before} golden{'s' * (before > 1)}, and this run made none, so it was left as it is; name "
            "another folder with --out to see what was rejected"
        )
    prices = load_prices(Environment().ragset_prices)
    usage = priced(add_usage(sorted(work.usage, key=lambda row: (row.stage, row.prompt, row.model))), prices)
    documents = corpus.open()
    if documents.hash != corpus.hash:
        raise InputError(f"{corpus.path}: was changed by another run meanwhile; run again")
    manifest = Manifest.model_validate(
        {
            "kind": work.kind,
            "ended": work.ended,
            "wanted": "all" if work.wanted is None else work.wanted,
            "kept": len(work.goldens),
            "seed": work.seed,
            "corpus": CorpusFacts(
                name=corpus.name,
                hash=corpus.hash,
                documents=corpus.documents,
                characters=corpus.characters,
                chunks=index.chunks,
            ),
            "models": Models(generator=work.generator, critic=work.critic, embedding=index.embedding),
            "parameters": work.parameters,
            "samples": work.samples,
            "prompts": work.prompts,
            "funnel": work.funnel,
            "usage": usage,
            "totals": Totals.of(usage),
            "unread": [Unread(source=failure.source, reason=failure.reason) for failure in corpus.failures],
            "refreshed": work.refreshed,
            "split": work.split,
            "notices": work.notices,
            "versions": versions(),
        }
    )
    rejects = (*index.dropped, *work.rejects)
    opened = index.open()
    chunk_map = make_chunk_map(
        opened.vectors, opened.doc_ids, opened.ids, [chunk for golden in work.goldens for chunk in golden.chunks]
    )
    report = render_report(work.goldens, rejects, manifest, chunk_map, documents)
    write_dataset(
        folder,
        goldens=work.goldens,
        rejects=rejects,
        corpus=documents,
        manifest=manifest,
        report=report,
        more=work.more,
    )
    return DatasetSummary(
        kind=manifest.kind,
        cross_document=sum(golden.cross_document for golden in work.goldens),
        folder=str(folder),
        report=str(folder / "report.html"),
        kept=manifest.kept,
        wanted=work.wanted,
        ended=manifest.ended,
        documents=corpus.documents,
        unread=manifest.unread,
        chunks=index.chunks,
        funnel=manifest.funnel,
        totals=manifest.totals,
        generator=work.generator,
        critic=work.critic,
        split=work.split,
    )


def _kept(folder: Path) -> int:
    """Goldens of the dataset that is there."""
    try:
        return int(json.loads((folder / MANIFEST).read_bytes())["kept"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0
