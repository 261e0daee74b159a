"""Documents to an index, on its own."""

from prefect import flow
from prefect.runtime import flow_run

from ragset.settings import ChunkingSettings, DocumentSettings, EmbeddingSettings
from tasks.documents import corpus_names, read_corpus
from tasks.index import IndexSummary, index_corpus


def _run_name() -> str:
    _, corpus = corpus_names(flow_run.parameters["documents"])
    return f"{corpus} as {flow_run.parameters['chunking'].name}"


@flow(name="index", flow_run_name=_run_name, description="Cut documents into chunks and index them in Milvus.")
async def index(
    documents: DocumentSettings,
    chunking: ChunkingSettings = ChunkingSettings(),
    embedding: EmbeddingSettings = EmbeddingSettings(),
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
    corpus = await read_corpus(documents)
    return IndexSummary.of(corpus, await index_corpus(corpus, chunking, embedding))
