"""Documents to an index, on its own."""

from flows.parameters.models import IndexParameters
from flows.steps.entry import corpus_as, flow_with
from tasks.documents import read_corpus
from tasks.index import IndexSummary, index_corpus
from tasks.run.caching import digest
from tasks.run.models import Account


@flow_with(IndexParameters, name="index", run_name=corpus_as)
async def index(parameters: IndexParameters) -> IndexSummary:
    """Cut documents into chunks and index them in Milvus."""
    corpus = await read_corpus(parameters.documents, parameters.chunking.existing)
    account = Account(run=digest(["index", parameters, corpus.hash]))
    return IndexSummary.of(corpus, await index_corpus(corpus, parameters.chunking, parameters.embedding, account))
