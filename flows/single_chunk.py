"""The single-chunk pipeline."""

from prefect import flow
from prefect.runtime import flow_run
from tasks.dataset import DatasetSummary

from flows.parameters import Count
from ragset.settings import (
    Budget,
    ChunkingSettings,
    DocumentSettings,
    EmbeddingSettings,
    ModelSettings,
    SamplingSettings,
    WritingSettings,
)


def _run_name() -> str:
    parameters = flow_run.parameters
    return f"single-chunk {parameters['n']} of {parameters['chunking'].name}"


@flow(name="single-chunk", flow_run_name=_run_name, description="Make n goldens, each answered by one chunk.")
async def single_chunk(
    documents: DocumentSettings,
    n: Count = 100,
    chunking: ChunkingSettings = ChunkingSettings(),
    embedding: EmbeddingSettings = EmbeddingSettings(),
    sampling: SamplingSettings = SamplingSettings(),
    writing: WritingSettings = WritingSettings(),
    generator: ModelSettings = ModelSettings(),
    critic: ModelSettings | None = None,
    budget: Budget = Budget(),
    seed: int = 0,
    out: str = "out/single-chunk",
) -> DatasetSummary:
    """Make `n` goldens, each answered by one chunk, and write them to the folder `out`.

    Raises:
        InputError: documents or parameters that cannot be used.
        ProviderError: a model that cannot be asked; what was answered until then is kept.
    """
