"""Documents to an index, on its own."""

from prefect import flow

from flows.parameters.checks import check_index
from flows.parameters.models import IndexParameters, fields
from flows.parameters.naming import corpus_as
from flows.parameters.permissions import run_parameters
from ragset.settings import ChunkingSettings, EmbeddingSettings
from tasks.documents import read_corpus
from tasks.index import IndexSummary, index_corpus
from tasks.run.caching import digest
from tasks.run.lifecycle import attended
from tasks.run.models import Account


@flow(
    name="index",
    flow_run_name=corpus_as,
    description="Cut documents into chunks and index them in Milvus.",
    validate_parameters=False,
)
async def index(
    documents: fields.Documents,
    chunking: fields.Chunking = ChunkingSettings(),
    embedding: fields.Embedding = EmbeddingSettings(),
) -> IndexSummary:
    """The collection of one chunking strategy and one embedding, brought up to date with the documents.

    Prefect's form shows what stands under Args.

    Args:
        documents: Which texts, and how they are cleaned.
        chunking: How documents are cut into retrievable chunks.
        embedding: Which model turns chunks into vectors.

    Raises:
        InputError: documents or parameters that cannot be used.
        StoreError: Milvus cannot be opened or written to.
    """
    async with attended():
        parameters = run_parameters(IndexParameters)
        check_index(parameters)
        corpus = await read_corpus(parameters.documents)
        account = Account(run=digest(["index", parameters, corpus.hash]))
        return IndexSummary.of(corpus, await index_corpus(corpus, parameters.chunking, parameters.embedding, account))
