"""LlamaIndex: `LabelledRagDataset` and `EmbeddingQAFinetuneDataset`, as their `from_json` reads them."""

import json
from pathlib import Path
from typing import Any

from ragset.dataset.exporters.contexts import contexts_of
from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.registry import exporter
from ragset.models import Golden

RAG_DATASET = "rag_dataset.json"
EMBEDDING_DATASET = "embedding_qa_dataset.json"
_KEEPS = ("queries", "unanswerable", "answers", "evidence", "equivalents", "documents")


@exporter(
    "llamaindex",
    f"{RAG_DATASET} for LlamaIndex's LabelledRagDataset, {EMBEDDING_DATASET} for its EmbeddingQAFinetuneDataset",
    keeps=_KEEPS,
)
def write_llamaindex(given: ExportSet, folder: Path) -> dict[str, int]:
    """The second file has no unanswerable queries: each query there has relevant passages, equivalents among them."""
    contexts = contexts_of(given)
    examples = [
        {
            "query": golden.query,
            "query_by": _author(golden, "draft"),
            "reference_contexts": [context.text for context in contexts[golden.id]],
            "reference_answer": golden.answer or "",
            "reference_answer_by": _author(golden, "answer"),
        }
        for golden in given.goldens
    ]
    relevant = {golden.id: ids for golden in given.goldens if (ids := list(given.qrels[golden.id]))}
    pairs = {
        "queries": {golden.id: golden.query for golden in given.goldens if golden.id in relevant},
        "corpus": {passage.id: passage.text for passage in given.passages},
        "relevant_docs": relevant,
        "mode": "text",
    }
    for name, value in ((RAG_DATASET, {"examples": examples}), (EMBEDDING_DATASET, pairs)):
        # Escaped to ASCII, because LlamaIndex reads files in the encoding of the computer.
        (folder / name).write_text(json.dumps(value, indent=1) + "\n", encoding="ascii")
    unanswerable = sum(not golden.evidence for golden in given.goldens)
    return given.unreached | {f"unanswerable queries, in {EMBEDDING_DATASET}": unanswerable}


def _author(golden: Golden, stage: str) -> dict[str, Any]:
    """The model that did a stage, or a person, where a golden was imported."""
    model = next((step.model for step in golden.lineage if step.stage == stage), "")
    return {"model_name": model, "type": "ai" if model else "human"}
