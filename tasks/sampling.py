"""Candidates drawn from a corpus and its index: passages, chunks in the order of the sample, and contexts of similar chunks."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.generation.contexts import Context, Rows, candidates_of, expand
from ragset.generation.links import Near, Search
from ragset.generation.passages import ROUNDS, draw_passages, place_in
from ragset.generation.sampling import sample_order
from ragset.generation.shared_terms import SharedTerms, texts_of
from ragset.generation.stages.judge_chunk import drop_chunks_by_rules
from ragset.generation.themes import find_themes
from ragset.models import Candidate, Model, Reject, Span
from ragset.retrieval.embedding import Vectors
from ragset.retrieval.index import Index, open_index
from ragset.retrieval.stores import open_store
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ContextSettings, Environment, SamplingSettings, ThemeWritingSettings
from ragset.text.context_window import in_place
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.caching import RETRIED
from tasks.run.threads import in_thread


class SampleResult(Model):
    """Passages, chunks or contexts to ask about, and those that rules alone refused."""

    candidates: tuple[Candidate, ...]
    rejects: tuple[Reject, ...]


class PassageResult(SampleResult):
    """Passages around the next places."""

    drawn: tuple[Span, ...]
    places: int  # how many were used; some gave a passage that overlaps an earlier one


class ExpansionResult(Model):
    """What became of seeds."""

    contexts: tuple[Context, ...]  # those with the strongest links first
    rejects: tuple[Reject, ...]


@task(task_run_name="sample {sampling.method}", cache_policy=NO_CACHE)
async def draw_order(index: IndexFile, sampling: SamplingSettings, seed: int) -> list[int]:
    """`ragset.generation.sampling.sample_order` over the rows of an index."""

    def order() -> list[int]:
        opened = index.open()
        return list(map(int, sample_order(opened.doc_ids, opened.chars, opened.vectors, sampling, seed)))

    return await in_thread(order)


@task(task_run_name="draw {label}", cache_policy=NO_CACHE)
async def draw_chunks(index: IndexFile, corpus: CorpusFile, rows: list[int], label: str) -> SampleResult:  # noqa: ARG001
    """The chunks of these rows, those that `ragset.generation.stages.judge_chunk.drop_chunks_by_rules` refuses apart."""

    def draw() -> SampleResult:
        return _screened((Candidate(chunks=(chunk,)) for chunk in index.open().chunks(rows)), 1, corpus)

    return await in_thread(draw)


@task(task_run_name="draw {label}", cache_policy=NO_CACHE)
async def draw_at_places(
    index: IndexFile,
    corpus: CorpusFile,
    rows: list[int],
    first: int,
    size: int,
    before: list[Span],
    seed: int,
    language: str,
    label: str,  # noqa: ARG001 (the name of the run)
) -> PassageResult:
    """`ragset.generation.passages.draw_passages` at places in the chunks of `rows`, of all rounds, from number `first` on.

    `before` are the passages drawn so far. Those that `drop_chunks_by_rules` refuses are apart.
    """

    def draw() -> PassageResult:
        opened = index.open()
        # Each row has a place in each round; all rows come first in one round, then in the next.
        turns = (divmod(number, len(rows)) for number in range(first, ROUNDS * len(rows)))
        places = (place_in(opened.span(rows[at]), seed, round_) for round_, at in turns)
        passages, used = draw_passages(
            places, corpus.open().__getitem__, size=size, taken=before, language=language, seed=seed
        )
        screened = _screened((Candidate(chunks=(passage,)) for passage in passages), 1, corpus)
        spans = tuple(passage.span for passage in passages)
        return PassageResult(candidates=screened.candidates, rejects=screened.rejects, drawn=spans, places=used)

    return await in_thread(draw)


@task(task_run_name="expand {label}", cache_policy=NO_CACHE, **RETRIED)
async def expand_contexts(
    index: IndexFile,
    seeds: list[int],
    contexts: ContextSettings,
    min_chars: int,
    before: list[Rows],
    label: str,  # noqa: ARG001 (the name of the run)
) -> ExpansionResult:
    """`ragset.generation.contexts.expand` by searches in the index's collection."""
    expansion = await in_thread(_expand, index, seeds, contexts, min_chars, before)
    get_run_logger().info("%d contexts around %d seeds", len(expansion.contexts), len(seeds))
    return expansion


@lru_cache(maxsize=1)  # for 100,000 chunks they take half a minute, and a run expands seeds many times
def _terms_of(home: Path, collection: str, generation: str) -> SharedTerms:
    index = open_index(home, collection, generation)
    return SharedTerms(texts_of(index, len(index.ids)))


@task(task_run_name="themes around {label}", cache_policy=NO_CACHE, **RETRIED)
async def find_themes_around(
    index: IndexFile,
    seeds: list[int],
    writing: ThemeWritingSettings,
    min_chars: int,
    before: list[Rows],
    label: str,  # noqa: ARG001 (the name of the run)
) -> list[Rows]:
    """`ragset.generation.themes.find_themes` by searches in the index's collection."""

    def find() -> list[Rows]:
        opened = index.open()
        with open_store(Environment()) as store:
            return find_themes(opened, _searching(opened, store), seeds, writing, min_chars=min_chars, before=before)

    return await in_thread(find)


def _searching(index: Index, store: VectorStore) -> Search:
    """Finds the nearest rows in the index's collection."""
    store.load(index.collection)

    def search(vectors: Vectors, limit: int) -> list[Near]:
        found = store.search_dense(index.collection, vectors, limit)
        return [[(index.rows[hit.id], hit.score) for hit in hits if hit.id in index.rows] for hits in found]

    return search


def _expand(
    file: IndexFile, seeds: list[int], contexts: ContextSettings, min_chars: int, before: list[Rows]
) -> ExpansionResult:
    index = file.open()
    with open_store(Environment()) as store:
        search = _searching(index, store)
        terms = _terms_of(file.home, file.collection, file.generation)
        made, rejects = expand(index, search, seeds, contexts, min_chars=min_chars, before=before, terms=terms)
    return ExpansionResult(contexts=tuple(made), rejects=tuple(rejects))


@task(task_run_name="draw {label}", cache_policy=NO_CACHE)
async def draw_contexts(
    index: IndexFile,
    corpus: CorpusFile,
    contexts: list[Rows],
    min_chunks: int,
    label: str,  # noqa: ARG001 (the name of the run)
) -> SampleResult:
    """The chunks of these contexts, without those that `ragset.generation.stages.judge_chunk.drop_chunks_by_rules` refuses."""

    def draw() -> SampleResult:
        return _screened(candidates_of(index.open(), contexts), min_chunks, corpus)

    return await in_thread(draw)


def _screened(drawn: Iterable[Candidate], min_chunks: int, corpus: CorpusFile) -> SampleResult:
    """The candidates that the rules leave, with what stands around their chunks, and those that they refuse."""
    outcomes = [drop_chunks_by_rules(candidate, min_chunks) for candidate in drawn]
    find = corpus.open().__getitem__
    passed = tuple(in_place(one, find) for one in outcomes if isinstance(one, Candidate))
    return SampleResult(candidates=passed, rejects=tuple(one for one in outcomes if isinstance(one, Reject)))
