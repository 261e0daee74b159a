"""A refresh: goldens of an earlier dataset in a changed corpus, and what changed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset import problems, read_dataset
from ragset.dataset.changes import WHY, ChangeLog, document_changes, golden_changes
from ragset.dataset.exporters import Exported
from ragset.dataset.moved import new_text
from ragset.dataset.realign import Anchored, realign
from ragset.dataset.review.apply import STAGE as REVIEW
from ragset.errors import InputError
from ragset.models import Golden, Model, Reject, Span
from tasks.dataset import DatasetSummary
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.threads import in_thread


class RealignResult(Model):
    """The goldens of the earlier version in the changed corpus."""

    anchored: tuple[Anchored, ...]
    removed: tuple[Reject, ...]  # goldens that people took out, of chunks and passages that are still there
    taken: tuple[
        int, ...
    ]  # rows of the index with evidence of kept goldens, or of removed ones; none is drawn from them
    new: tuple[int, ...]  # rows of the index with text that the earlier corpus did not have
    contexts: tuple[tuple[int, ...], ...]  # for each kept or removed golden of several chunks their rows, in its order
    same: bool  # whether the corpus has the same texts as before

    @property
    def kept(self) -> tuple[Golden, ...]:
        """Valid and moved goldens, in their order."""
        return tuple(one.golden for one in self.anchored if one.fate != "stale")

    @property
    def passages(self) -> tuple[Span, ...]:
        """The chunks of the kept and the removed goldens."""
        return tuple(dict.fromkeys(Span.of_id(chunk) for one in (*self.kept, *self.removed) for chunk in one.chunks))

    @property
    def rejects(self) -> tuple[Reject, ...]:
        """Removed and stale ones; the chunks that the stale ones came from are no chunks of this corpus."""

        def reject(one: Anchored) -> Reject:
            gone = " … ".join(anchor.text for anchor in one.anchors if anchor.after is None)
            detail, golden = f"{one.golden.id}: {WHY[one.why]}. {gone}", one.golden
            return Reject(
                stage="refresh", reason="stale", detail=detail, query=golden.query, answer=golden.answer or ""
            )

        return (*self.removed, *(reject(one) for one in self.anchored if one.fate == "stale"))


class RefreshSummary(Model):
    """The result of a refresh in short."""

    state: Literal["refreshed", "unchanged"]  # `unchanged`: the documents are, and nothing was written
    folder: str
    before: str  # the folder of the earlier version
    report: str
    changes: str
    wanted: int
    kept: int
    valid: int
    moved: int
    stale: int
    added: int
    ended: str
    dataset: DatasetSummary | None  # None where nothing was written
    exports: tuple[Exported, ...] = ()


@task(task_run_name="realign goldens of {before}", cache_policy=NO_CACHE)
async def realign_goldens(before: str, corpus: CorpusFile, index: IndexFile) -> RealignResult:
    """`ragset.dataset.realign.realign` over the goldens of the dataset in the folder `before`."""
    found = await in_thread(_realign, Path(before), corpus, index)
    get_run_logger().info("%d of %d goldens still stand in the documents", len(found.kept), len(found.anchored))
    return found


def _realign(folder: Path, corpus: CorpusFile, file: IndexFile) -> RealignResult:
    dataset = read_dataset(folder)
    if faults := problems(dataset):
        raise InputError(f"{folder}: is damaged, make the dataset again: " + "; ".join(faults[:5]))
    after, index = corpus.open(), file.open()

    def over(span: Span) -> list[Span]:
        return [*map(index.span, index.rows_over(span))]

    anchored = realign(dataset.goldens, dataset.corpus, after, over, passages=dataset.manifest.drawn_from == "passages")
    _check_readable(folder, anchored, corpus)
    kept = [one.golden for one in anchored if one.fate != "stale"]
    if dataset.goldens and not kept and not set(after.ids) & set(dataset.corpus.ids):
        raise InputError(
            f"{folder}: none of its documents and none of its evidence is in {corpus.name}; name the documents that it was "
            "made of, or make a new dataset of these"
        )
    removed = [
        reject
        for reject in dataset.rejects
        if reject.stage == REVIEW and all(Span.of_id(chunk).doc_id in after for chunk in reject.chunks)
    ]
    contexts = (tuple(index.rows[chunk] for chunk in one.chunks if chunk in index.rows) for one in (*kept, *removed))
    used = [span for golden in kept for span in golden.evidence]
    used += [Span.of_id(chunk) for reject in removed for chunk in reject.chunks]
    taken = {row for span in used for row in index.rows_over(span)}
    new = {row for span in new_text(dataset.corpus, after) for row in index.rows_over(span)}
    return RealignResult(
        anchored=tuple(anchored),
        removed=tuple(removed),
        taken=tuple(sorted(taken)),
        new=tuple(sorted(new)),
        contexts=tuple(rows for rows in contexts if len(rows) > 1),
        same=after.hash == dataset.corpus.hash,
    )


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
