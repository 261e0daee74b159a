"""DeepEval's synthesizer from documents: contexts by default, two goldens each, one evolution."""

from math import ceil

from deepeval.synthesizer import Synthesizer
from deepeval.synthesizer.config import ContextConstructionConfig
from job import AT_ONCE, MODEL, PATHS, N, write

synthesizer = Synthesizer(model=MODEL, max_concurrent=AT_ONCE)
contexts = ContextConstructionConfig(critic_model=MODEL, max_contexts_per_document=ceil(N / 2 / len(PATHS)))
goldens = synthesizer.generate_goldens_from_docs(
    document_paths=[str(path) for path in PATHS], max_goldens_per_context=2, context_construction_config=contexts
)
write((golden.input, golden.expected_output) for golden in goldens)
