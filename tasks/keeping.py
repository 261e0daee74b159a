"""Finished candidates compared with each other and with goldens that are there already."""

from collections.abc import Sequence
from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.checks import CheckSettings
from ragset.dataset import read_dataset
from ragset.duplicates import least_cosine
from ragset.embed import Embedder, Vectors
from ragset.errors import BudgetSpent
from ragset.keeping import drop_repeats, labelled
from ragset.models import Candidate, Golden, Model, Reject
from tasks.asking import Account, embedding
from tasks.caching import RETRIED
from tasks.index import IndexFile
from tasks.threads import in_thread


class Kept(Model):
    """What stays of a wave."""

    candidates: tuple[Candidate, ...]
    """In their order, labelled with what is known of them without asking."""
    rejects: tuple[Reject, ...]
    embedded: tuple[str, ...] = ()
    """The queries that were compared by their embeddings."""
    by_words: bool = False
    """Whether they were compared by their words alone, as the budget was spent before they were embedded."""


@task(task_run_name="read earlier datasets", cache_policy=NO_CACHE)
async def read_earlier(folders: tuple[str, ...]) -> tuple[Golden, ...]:
    """The goldens of datasets whose queries are not to be repeated.

    Raises:
        InputError: a folder that holds no dataset.
    """

    def read() -> tuple[Golden, ...]:
        return tuple(golden for folder in folders for golden in read_dataset(Path(folder)).goldens)

    return await in_thread(read)


@task(name="keep", task_run_name="keep {label}", cache_policy=NO_CACHE, **RETRIED)
async def keep_wave(
    grown: Sequence[Candidate],
    before: Sequence[Golden],
    index: IndexFile,
    checks: CheckSettings,
    language: str,
    account: Account,
    label: str,  # noqa: ARG001 (the name of the run)
) -> Kept:
    """`ragset.keeping.drop_repeats` and `labelled` over what came through the stages.

    Raises:
        ProviderError: the queries cannot be embedded.
    """
    async with embedding(index.embedded_by, account) as embedder:
        kept = await in_thread(_keep, grown, before, index, checks, language, embedder)
    get_run_logger().info("keep: %d in, %d out", len(grown), len(kept.candidates))
    return kept


def _keep(
    grown: Sequence[Candidate],
    before: Sequence[Golden],
    index: IndexFile,
    checks: CheckSettings,
    language: str,
    embedder: Embedder,
) -> Kept:
    queries = [*(candidate.query for candidate in grown), *(golden.query for golden in before)]
    vectors: Vectors | None = None
    by_words = False
    if checks.duplicates == "semantic" and queries:
        try:
            vectors = embedder.embed(queries)
        except BudgetSpent:
            by_words = True
    passed, rejects = drop_repeats(
        grown,
        before,
        how=checks.duplicates,
        vectors=None if vectors is None else vectors[: len(grown)],
        before_vectors=None if vectors is None else vectors[len(grown) :],
        semantic=least_cosine(index.embedding),
        language=language,
    )
    return Kept(
        candidates=tuple(labelled(one, language) for one in passed),
        rejects=tuple(rejects),
        embedded=() if vectors is None else tuple(queries),
        by_words=by_words,
    )
