"""A refresh: goldens of an earlier dataset in a changed corpus, and what changed."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from prefect import get_run_logger, task
from prefect.artifacts import acreate_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.events import emit_event

from ragset.dataset import problems, read_dataset
from ragset.dataset.changes import WHY, ChangeLog, document_changes, golden_changes, render_changes
from ragset.dataset.moved import Over
from ragset.dataset.numbered import base_of
from ragset.dataset.realign import Anchored, realign
from ragset.errors import InputError
from ragset.models import Golden, Model, Reject, Span
from ragset.retrieval.index import Index
from tasks.dataset import DatasetSummary
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.threads import in_thread

REFRESHED = "ragset.dataset.refreshed"
"""A new version of a dataset was written."""


class RealignResult(Model):
    """The goldens of the earlier version in the changed corpus."""

    anchored: tuple[Anchored, ...]
    taken: tuple[int, ...]
    """Rows of the index with evidence of kept goldens; no new goldens are drawn from them."""
    contexts: tuple[tuple[int, ...], ...]
    """For each kept golden of several chunks their rows, in its order."""
    same: bool
    """Whether the corpus has the same texts as before."""

    @property
    def kept(self) -> tuple[Golden, ...]:
        """Valid and moved goldens, in their order."""
        return tuple(one.golden for one in self.anchored if one.fate != "stale")

    @property
    def rejects(self) -> tuple[Reject, ...]:
        """Stale ones; the chunks they came from are no chunks of this corpus."""
        return tuple(
            Reject(
                stage="refresh",
                reason="stale",
                detail=f"{one.golden.id}: {WHY[one.why]}. "
                + " … ".join(anchor.text for anchor in one.anchors if anchor.after is None),
                query=one.golden.query,
                answer=one.golden.answer or "",
            )
            for one in self.anchored
            if one.fate == "stale"
        )


class RefreshSummary(Model):
    """The result of a refresh in short."""

    state: Literal["refreshed", "unchanged"]
    """`unchanged`: the documents are, and nothing was written."""
    folder: str
    """Of the latest version."""
    before: str
    """Of the version that it went on from."""
    report: str
    changes: str
    """The change log for people; empty where there is none."""
    wanted: int
    kept: int
    valid: int
    moved: int
    stale: int
    added: int
    ended: str
    dataset: DatasetSummary | None
    """None where nothing was written."""


@task(task_run_name="realign goldens of {before}", cache_policy=NO_CACHE)
async def realign_goldens(before: str, corpus: CorpusFile, index: IndexFile) -> RealignResult:
    """`ragset.dataset.realign.realign` over the goldens of the dataset in the folder `before`.

    Raises:
        InputError: the dataset is damaged; the documents have nothing to do with it; a document that held evidence is
            there and cannot be read.
    """
    found = await in_thread(_realign, Path(before), corpus, index)
    kept = len(found.kept)
    get_run_logger().info("%d of %d goldens still stand in the documents", kept, len(found.anchored))
    return found


def _realign(folder: Path, corpus: CorpusFile, index: IndexFile) -> RealignResult:
    dataset = read_dataset(folder)
    if faults := problems(dataset):
        raise InputError(f"{folder}: is damaged, make the dataset again: " + "; ".join(faults[:5]))
    after, opened = corpus.open(), index.open()
    over = overlapping(opened)
    anchored = realign(dataset.goldens, dataset.corpus, after, over)
    _check_readable(folder, anchored, corpus)
    kept = [one.golden for one in anchored if one.fate != "stale"]
    taken = {opened.rows[chunk.id] for golden in kept for span in golden.evidence for chunk in over(span)}
    contexts = [tuple(opened.rows[chunk] for chunk in golden.chunks if chunk in opened.rows) for golden in kept]
    result = RealignResult(
        anchored=tuple(anchored),
        taken=tuple(sorted(taken)),
        contexts=tuple(rows for rows in contexts if len(rows) > 1),
        same=after.hash == dataset.corpus.hash,
    )
    if dataset.goldens and not result.kept and not set(after.ids) & set(dataset.corpus.ids):
        raise InputError(
            f"{folder}: none of its documents and none of its evidence is in {corpus.name}; name the documents that it was "
            "made of, or make a new dataset of these"
        )
    return result


def _check_readable(folder: Path, anchored: Sequence[Anchored], corpus: CorpusFile) -> None:
    """A page that is down for an hour must not cost its goldens."""
    failed = {failure.source: failure.reason for failure in corpus.failures}
    gone = [anchor for one in anchored for anchor in one.anchors if anchor.after is None or anchor.promoted]
    held = sorted({source for anchor in gone for source in anchor.sources if source in failed})
    if held:
        told = "".join(f"\n  {source}: {failed[source]}" for source in held[:10])
        raise InputError(
            f"{folder}: evidence of it is in documents that cannot be read now; mend them, or take them away if they are gone "
            f"for good:{told}"
        )


def overlapping(index: Index) -> Over:
    """The chunks of an index over a span."""

    def over(span: Span) -> Sequence[Span]:
        first, last = bisect_left(index.doc_ids, span.doc_id), bisect_right(index.doc_ids, span.doc_id)
        return [
            Span(doc_id=span.doc_id, start=int(index.starts[row]), end=int(index.ends[row]))
            for row in range(first, last)
            if index.starts[row] < span.end and span.start < index.ends[row]
        ]

    return over


@task(task_run_name="log changes of {after}", cache_policy=NO_CACHE)
async def log_changes(
    before: str, after: str, wanted: int, found: RealignResult, added: tuple[Golden, ...], corpus: CorpusFile
) -> ChangeLog:
    """What became of goldens and documents from the dataset in the folder `before` to that in `after`."""

    def log() -> ChangeLog:
        opened = corpus.open()
        return ChangeLog(
            before=Path(before).name,
            after=Path(after).name,
            wanted=wanted,
            goldens=golden_changes(found.anchored, added, opened),
            documents=document_changes(read_dataset(Path(before)).corpus, opened),
        )

    return await in_thread(log)


async def show_changes(name: str, log: ChangeLog) -> None:
    """`CHANGES.md` as an artifact."""
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    await acreate_markdown_artifact(markdown=render_changes(log), key=f"{key}-changes", description="What changed.")


def send_refresh_event(folder: str, before: str, log: ChangeLog) -> None:
    """Send the event `ragset.dataset.refreshed`; a benchmark can be hung on it."""
    counts = {change: log.count(change) for change in ("valid", "moved", "stale", "added")}
    name = base_of(Path(folder)).name
    emit_event(
        event=REFRESHED,
        resource={"prefect.resource.id": f"ragset.dataset.{name}", "prefect.resource.name": log.after},
        payload={"name": name, "dataset": folder, "before": before, **counts},
    )
