"""Queries of one's own: read, and pooled with the passages that searches and other systems find for them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset.manifest import LABELLED
from ragset.dataset.relevance.qrels import places_of
from ragset.documents.corpus import Corpus
from ragset.errors import BudgetSpent
from ragset.evaluation.results.model import RetrievalResult
from ragset.generation.labelling.queries import AskedQueries, AskedQuery, read_queries
from ragset.generation.labelling.stages import Ranking, label_stages, pool_passages, pooled
from ragset.generation.stage import Stage
from ragset.models import Candidate, Chunk, Golden, Model, Span
from ragset.retrieval.index import Index
from ragset.retrieval.search import IndexSearch
from ragset.retrieval.stores import open_store
from ragset.settings import Environment
from ragset.text.query_forms import form_of
from tasks.batches import Recipe
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.caching import RETRIED
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread

LONGEST = 8_000
"""Characters of a system's passage that are graded at most: of a whole document its chunks stand for it."""


class LabelRecipe(Recipe):
    """Everything beside the queries that decides how they are labelled."""

    @property
    def kind(self) -> str:
        """Of the dataset."""
        return LABELLED

    @property
    def portrays(self) -> bool:
        """No: who asks is known by the queries."""
        return False

    def stages(self) -> tuple[Stage, ...]:
        """In order."""
        return label_stages(self.checks.pool)


class PoolResult(Model):
    """The queries with their pools."""

    candidates: tuple[Candidate, ...]
    embedded: tuple[str, ...]
    too_long: int = 0
    """Passages of other systems that were not pooled, as they are longer than `LONGEST`."""


@task(task_run_name="read queries", cache_policy=NO_CACHE)
async def read_asked(path: str, field: str, n: int | Literal["all"], seed: int) -> AskedQueries:
    """`ragset.generation.labelling.queries.read_queries`, and `n` of them drawn."""
    asked = await in_thread(read_queries, Path(path), field)
    get_run_logger().info("%d queries in %d records", len(asked.queries), asked.records)
    return asked if n == "all" else asked.drawn(n, seed)


@task(name="pool", task_run_name="pool {label}", cache_policy=NO_CACHE, **RETRIED)
async def pool_queries(
    queries: Sequence[AskedQuery],
    index: IndexFile,
    corpus: CorpusFile,
    runs: Mapping[str, RetrievalResult],
    recipe: Recipe,
    account: Account,
    label: str,  # noqa: ARG001 (the name of the run)
) -> PoolResult:
    """`ragset.generation.labelling.stages.pool_passages` of BM25, dense search and the `runs` of other systems, by their names."""
    depth, k = recipe.checks.pool, recipe.checks.round_trip_k
    texts = [one.query for one in queries]

    def pool() -> PoolResult:
        opened, documents = index.open(), corpus.open()
        with open_store(Environment()) as store:
            search = IndexSearch(opened, store, embedder.embed)
            ranked = {mode: search.ranked(texts, mode, max(depth, k)) for mode in ("bm25", "dense")}
            candidates: list[Candidate] = []
            too_long = 0
            for place, one in enumerate(queries):
                rankings: dict[str, Ranking] = {
                    name: [[Span.of_id(id_)] for id_ in found[place]] for name, found in ranked.items()
                }
                for name, run in runs.items():
                    hits = run.hits.get(query_id(one), ())[:depth]
                    rankings[name], long = _places([hit.id for hit in hits], documents)
                    too_long += long
                found = pool_passages(rankings, depth)
                metadata = {
                    "style": form_of(one.query, recipe.writing.spoken).opening,
                    "weight": one.weight,
                    **({"ids": list(one.ids)} if one.ids else {}),
                }
                bare = Candidate(chunks=(), query=one.query, metadata=metadata, ranked=tuple(ranked["bm25"][place][:k]))
                candidates.append(pooled(bare, found, _chunks(found, opened, documents)))
        return PoolResult(candidates=tuple(candidates), embedded=tuple(texts), too_long=too_long)

    async with embedding(index.embedded_by, account, queries=True) as embedder:
        try:
            return await in_thread(pool)
        except BudgetSpent as error:
            mend = "raise it and run the same command again; what is embedded is kept"
            raise BudgetSpent(f"{error} before all queries are embedded: {mend}") from None


def query_id(asked: AskedQuery) -> str:
    """By which other systems' runs name the query: the first id of its records, or else the query itself."""
    return asked.ids[0] if asked.ids else asked.query


def unlabelled(asked: AskedQuery) -> Golden:
    """The query as other systems are asked it."""
    return Golden(id=query_id(asked), query=asked.query, answer=None, evidence=(), chunks=())


def _places(ids: Sequence[str], documents: Corpus) -> tuple[list[list[Span]], int]:
    """The places of each hit in the documents, and how many are too long."""
    hits = [[place.span for place in places_of(id_) if place.doc_id in documents] for id_ in ids]
    fitting = [[span for span in spans if span.end - span.start <= LONGEST] for spans in hits]
    return fitting, sum(map(len, hits)) - sum(map(len, fitting))


def _chunks(pool: Mapping[Span, object], index: Index, documents: Corpus) -> list[Chunk]:
    """The passages of a pool, in their order: chunks of the index with their headings, others as the documents have them."""
    known = {chunk.id: chunk for chunk in index.chunks([index.rows[span.id] for span in pool if span.id in index.rows])}

    def cut(span: Span) -> Chunk:
        return Chunk(**span.model_dump(), text=documents.text(span), title=documents[span.doc_id].title)

    return [known[span.id] if span.id in known else cut(span) for span in pool]
