"""Queries compared with each other: repeats dropped from a round, and goldens divided without leaks."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

import numpy as np
from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset import Split, read_dataset
from ragset.dataset.duplicates.find import find_repeats, least_cosine
from ragset.dataset.duplicates.reworded import PROMPT as SAME_PROMPT
from ragset.dataset.duplicates.reworded import Close, Verdict, close_pairs, judge_pairs, least_close
from ragset.dataset.relevance.qrels import gold_of
from ragset.dataset.train_test_split import measure_leakage, split_goldens
from ragset.errors import BudgetSpent
from ragset.generation.checks import SplitSettings
from ragset.generation.hardness import METADATA as HARDNESS
from ragset.generation.selection import STAGE, drop_repeats, drop_reworded, labelled
from ragset.llm.usage import Meter, Metered
from ragset.models import Candidate, Golden, Model, Reject, Usage
from tasks.batches import Recipe
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.caching import RETRIED
from tasks.run.models import Account, asking, embedding
from tasks.run.threads import in_thread

NOWHERE: Mapping[str, str] = {}


class SelectionResult(Model):
    """What stays of a round."""

    candidates: tuple[Candidate, ...]  # in their order, labelled with what is known of them without asking
    rejects: tuple[Reject, ...]
    embedded: tuple[str, ...] = ()
    by_words: bool = False  # whether the budget was spent before embedding, so that words alone were compared
    verdicts: tuple[Verdict, ...]  # the critic's, on pairs of this round and of earlier ones
    usage: tuple[Usage, ...]


@task(task_run_name="read earlier datasets", cache_policy=NO_CACHE)
async def read_earlier(folders: tuple[str, ...]) -> tuple[Golden, ...]:
    """The goldens of datasets whose queries are not to be repeated."""
    return await in_thread(lambda: tuple(golden for folder in folders for golden in read_dataset(Path(folder)).goldens))


@task(name="keep", task_run_name="keep {label}", cache_policy=NO_CACHE, **RETRIED)
async def select_round(
    finished: Sequence[Candidate],
    before: Sequence[Golden],
    index: IndexFile,
    recipe: Recipe,
    account: Account,
    verdicts: Sequence[Verdict],
    label: str,  # noqa: ARG001 (the name of the run)
) -> SelectionResult:
    """`ragset.generation.selection.drop_repeats`, `drop_reworded` and `labelled` over what came through the stages.

    Pairs that have one of the `verdicts` are not asked about again.
    """
    language, how = recipe.writing.spoken, recipe.checks.duplicates
    queries = [*(candidate.query for candidate in finished), *(golden.query for golden in before)]
    by_words = False

    def compare() -> tuple[list[Candidate], list[Reject], list[Close] | None]:
        """Those that repeat nothing, the others, and pairs for the critic; None: nothing was embedded."""
        nonlocal by_words
        ours = theirs = None
        if how == "semantic" and queries:
            try:
                ours, theirs = np.split(embedder.embed(queries), [len(finished)])
            except BudgetSpent:
                by_words = True
        semantic, least = least_cosine(index.embedding), least_close(index.embedding)
        passed, rejects = drop_repeats(
            finished, before, how=how, vectors=ours, before_vectors=theirs, semantic=semantic, language=language
        )
        if ours is None:
            return passed, rejects, None
        stayed = {id(candidate) for candidate in passed}
        rows = [row for row, candidate in enumerate(finished) if id(candidate) in stayed]
        pairs = close_pairs(passed, ours[rows], least=least, earlier=before, earlier_vectors=theirs, language=language)
        return passed, rejects, pairs

    async with embedding(index.embedded_by, account) as embedder:
        passed, rejects, close = await in_thread(compare)
    known = {verdict.queries: verdict for verdict in verdicts}
    meter = Meter(recipe.prices)
    if close:
        critic = Metered(asking(recipe.critic, account), meter)
        known = await judge_pairs(close, known, recipe.prompts[SAME_PROMPT], critic, stage=STAGE)
        passed, reworded = drop_reworded(passed, close, known)
        rejects = [*rejects, *reworded]
    get_run_logger().info("keep: %d in, %d out, %d pairs judged", len(finished), len(passed), len(close or ()))
    return SelectionResult(
        candidates=tuple(one if HARDNESS in one.metadata else labelled(one, language) for one in passed),
        rejects=tuple(rejects),
        embedded=() if close is None else tuple(queries),
        by_words=by_words,
        verdicts=tuple(known.values()),
        usage=meter.rows(),
    )


class SplitResult(Model):
    """Goldens with their sides."""

    goldens: tuple[Golden, ...]
    split: Split
    embedded: tuple[str, ...] = ()


@task(task_run_name="split by {settings.by}", cache_policy=NO_CACHE, **RETRIED)
async def split_test_set(
    goldens: Sequence[Golden],
    corpus: CorpusFile,
    index: IndexFile,
    settings: SplitSettings,
    language: str,
    seed: int,
    account: Account,
    held: Mapping[str, str] = NOWHERE,
) -> SplitResult:
    """Put each golden on a side and measure the leakage; goldens in `held` (side by id) keep their side.

    Every place of the corpus with a golden's evidence word for word counts as its evidence, as in a benchmark.
    """
    assert settings.by != "none"
    by, queries = settings.by, [golden.query for golden in goldens]

    def divide() -> SplitResult:
        vectors = None
        with suppress(BudgetSpent):
            vectors = embedder.embed(queries) if queries else None
        repeats = find_repeats(goldens, vectors, semantic=least_cosine(index.embedding), language=language)
        gold = gold_of(goldens, corpus.open())
        places = {golden: [*chain.from_iterable(chain.from_iterable(sets))] for golden, sets in gold.items()}
        shares = settings.shares
        sides = split_goldens(goldens, shares, by=by, repeats=repeats, equivalents=places, seed=seed, held=held)
        leakage = measure_leakage(goldens, sides.of, vectors, repeats=repeats, equivalents=places)
        return SplitResult(
            goldens=tuple(golden.model_copy(update={"split": sides.of[golden.id]}) for golden in goldens),
            split=Split(by=by, sides=sides.sides, leakage=leakage, notice=sides.notice or ""),
            embedded=() if vectors is None else tuple(queries),
        )

    async with embedding(index.embedded_by, account) as embedder:
        divided = await in_thread(divide)
    sizes = ", ".join(f"{side} {facts.goldens}" for side, facts in divided.split.sides.items())
    get_run_logger().info("split by %s: %s", settings.by, sizes)
    return divided
