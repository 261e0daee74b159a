"""OpenTelemetry spans of model calls, searches and judgements, by the semantic conventions for GenAI and of OpenInference.

Nothing is made, and nothing of OpenTelemetry is imported, where no SDK is set up (`export.start_tracing`, or the program that
ragset runs in). Texts of prompts, documents and replies enter spans only where `captures_content`.
"""

from ragset.llm.tracing.calls import embedding_call, judgement, model_call
from ragset.llm.tracing.searches import reranking, searches, system_call
from ragset.llm.tracing.spans import about, captures_content, continued_trace, span, trace_headers, traced

__all__ = [
    "about",
    "captures_content",
    "continued_trace",
    "embedding_call",
    "judgement",
    "model_call",
    "reranking",
    "searches",
    "span",
    "system_call",
    "trace_headers",
    "traced",
]
