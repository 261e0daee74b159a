"""Train-test split of the goldens, and its leakage."""

from collections.abc import Mapping, Sequence

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset import Split
from ragset.dataset.duplicates import find_repeats, least_cosine
from ragset.dataset.leakage import measure_leakage
from ragset.dataset.train_test_split import split_goldens
from ragset.errors import BudgetSpent
from ragset.evaluation.metrics.qrels import gold_of
from ragset.generation.checks import SplitSettings
from ragset.models import Golden, Model
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.caching import RETRIED
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread

NOWHERE: Mapping[str, str] = {}


class SplitResult(Model):
    """Goldens with their sides."""

    goldens: tuple[Golden, ...]
    split: Split
    embedded: tuple[str, ...] = ()
    """The queries that were compared by their embeddings; none where the budget was spent before."""


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

    Every place of the corpus with a golden's evidence word for word counts as its evidence, as it does in a benchmark: a
    safety note that stands in eight manuals is on one side.

    Raises:
        InputError: evidence that is not in the corpus.
        ProviderError: the queries cannot be embedded.
    """
    assert settings.by != "none"
    by, queries = settings.by, [golden.query for golden in goldens]

    def divide() -> SplitResult:
        try:
            vectors = embedder.embed(queries) if queries else None
        except BudgetSpent:
            vectors = None
        repeats = find_repeats(goldens, vectors, semantic=least_cosine(index.embedding), language=language)
        places = {
            golden: [span for pieces in sets for places in pieces for span in places]
            for golden, sets in gold_of(goldens, corpus.open()).items()
        }
        sides = split_goldens(
            goldens, settings.shares, by=by, repeats=repeats, equivalents=places, seed=seed, held=held
        )
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
