"""Prepares a run: documents are read, indexed and sampled, and the estimate is approved."""

from dataclasses import dataclass

from prefect import get_run_logger

from flows.parameters.languages import settled
from flows.parameters.models import AnyMaking, SingleChunkParameters
from flows.steps.approval import approve
from flows.steps.asked import Source, recipe_of, source_of
from ragset.dataset import favours
from ragset.models import Usage
from tasks.audience import Portrait, portray_audience
from tasks.batches import Recipe
from tasks.documents import CorpusFile, read_corpus
from tasks.index import IndexFile, index_corpus
from tasks.run.caching import digest
from tasks.run.models import Account
from tasks.sampling import draw_order


@dataclass(frozen=True)
class Prepared:
    """All that goldens are made with."""

    parameters: AnyMaking
    """With the languages and the number of goldens filled in."""
    recipe: Recipe
    account: Account
    corpus: CorpusFile
    index: IndexFile
    source: Source
    usage: tuple[Usage, ...] = ()
    """Of the portrait of the audience."""


async def prepare(asked: AnyMaking) -> Prepared:
    """Read, index and sample the documents; a person is asked if the estimate is above a limit."""
    corpus = await read_corpus(asked.documents, asked.chunking.existing)
    asked = settled(asked, corpus.language)
    recipe = recipe_of(asked)
    account = Account(run=digest([asked.identity, corpus.hash, recipe.identity]), budget=asked.budget)
    index = await index_corpus(corpus, asked.chunking, asked.embedding, account)
    if isinstance(asked, SingleChunkParameters) and asked.sampling.from_ == "chunks":
        get_run_logger().warning(favours(asked.chunking.name))
    order = await draw_order(index, asked.sampling, asked.seed)
    n = await approve(asked, asked.n, recipe, source_of(asked, index, corpus, order))
    asked = asked.model_copy(update={"n": n})
    portrait = await portray_audience(corpus, recipe, account) if recipe.portrays else Portrait()
    recipe = recipe.model_copy(update={"portrait": portrait.text})
    return Prepared(asked, recipe, account, corpus, index, source_of(asked, index, corpus, order), portrait.usage)
