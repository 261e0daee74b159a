"""Files that frameworks read with their own classes: Ragas, DeepEval, LlamaIndex and AutoRAG.

Some are escaped to ASCII, because the framework reads files in the encoding of the computer.
"""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.files import write_parquet
from ragset.dataset.exporters.registry import GOLDENS_ALONE, exporter
from ragset.dataset.exporters.tables import details, rows
from ragset.dataset.labels import labels_of
from ragset.models import UNANSWERABLE, Golden, Span

EMBEDDING_DATASET = "embedding_qa_dataset.json"


@exporter(
    "ragas",
    "JSON lines for Ragas: EvaluationDataset.from_jsonl",
    keeps=("queries", "unanswerable", "answers", "evidence", "spans", "splits"),
    ending=".jsonl",
)
def write_ragas(given: ExportSet, path: Path) -> None:
    """A sample for each golden, with its id and split, which Ragas ignores. Unanswerable queries have no reference.

    They come last: Ragas takes the fields that all samples have from the first one.
    """
    with path.open("w", encoding="ascii", newline="\n") as file:
        for golden in sorted(given.goldens, key=lambda golden: golden.kind == UNANSWERABLE):
            contexts = given.contexts(golden)
            sample = {
                "id": golden.id,
                "user_input": golden.query,
                "reference": golden.answer or None,
                "reference_contexts": list(contexts.values()),
                "reference_context_ids": list(contexts),
                "persona_name": labels_of(golden).persona or None,
                "query_style": golden.metadata.get("style") or golden.metadata.get("shape"),
                "split": golden.split,
            }
            file.write(json.dumps(sample) + "\n")


@exporter("deepeval", "goldens for DeepEval: add_goldens_from_json_file", keeps=GOLDENS_ALONE, ending=".json")
def write_deepeval(given: ExportSet, path: Path) -> None:
    """`name` is the golden's id; all that DeepEval has no field for stands in `additional_metadata`."""
    goldens = [
        {
            "name": row["id"],
            "input": row["query"],
            "expected_output": row["answer"],
            "context": list(given.contexts(golden).values()),
            "source_file": next(iter(row["sources"]), None),
            "additional_metadata": details(row),
        }
        for golden, row in zip(given.goldens, rows(given), strict=True)
    ]
    path.write_text(json.dumps(goldens, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="")


@exporter(
    "llamaindex",
    f"rag_dataset.json for LlamaIndex's LabelledRagDataset, {EMBEDDING_DATASET} for its EmbeddingQAFinetuneDataset",
    keeps=("queries", "unanswerable", "answers", "evidence", "equivalents", "documents"),
)
def write_llamaindex(given: ExportSet, folder: Path) -> dict[str, int]:
    """The second file has no unanswerable queries: each query there has relevant passages, equivalents among them."""
    examples = [
        {
            "query": golden.query,
            "query_by": _author(golden, "draft"),
            "reference_contexts": list(given.contexts(golden).values()),
            "reference_answer": golden.answer or "",
            "reference_answer_by": _author(golden, "answer", "draft"),
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
    for name, value in (("rag_dataset.json", {"examples": examples}), (EMBEDDING_DATASET, pairs)):
        (folder / name).write_text(json.dumps(value, indent=1) + "\n", encoding="ascii")
    unanswerable = sum(not golden.evidence for golden in given.goldens)
    return given.unreached | {f"unanswerable queries, in {EMBEDDING_DATASET}": unanswerable}


def _author(golden: Golden, *stages: str) -> dict[str, Any]:
    """The model that did the first of these stages that the golden has, or a person, where it was imported."""
    models = {step.stage: step.model for step in golden.lineage}
    model = next((models[stage] for stage in stages if stage in models), "")
    return {"model_name": model, "type": "ai" if model else "human"}


@exporter(
    "autorag",
    "qa.parquet and corpus.parquet for AutoRAG",
    keeps=("queries", "unanswerable", "answers", "evidence", "equivalents", "splits", "documents"),
)
def write_autorag(given: ExportSet, folder: Path) -> dict[str, int]:
    """A list of passages for each span of the evidence, of which one is enough; an unanswerable query has an empty list."""
    import pyarrow as pa

    text = pa.string()
    texts = pa.list_(text)
    qa = [
        {
            "qid": golden.id,
            "query": golden.query,
            "retrieval_gt": [list(group) for group in dict.fromkeys(map(tuple, given.needed(golden))) if group] or [[]],
            "generation_gt": [golden.answer] if golden.answer else [],
            "split": golden.split,
        }
        for golden in given.goldens
    ]
    columns = {"qid": text, "query": text, "retrieval_gt": pa.list_(texts), "generation_gt": texts, "split": text}
    write_parquet(folder / "qa.parquet", columns, qa)
    columns = {
        **dict.fromkeys(("doc_id", "path", "contents"), text),
        "start_end_idx": pa.list_(pa.int64()),
        "metadata": pa.struct(dict.fromkeys(("title", "prev_id", "next_id"), text)),
    }
    write_parquet(folder / "corpus.parquet", columns, _corpus(given))
    return given.unreached


def _corpus(given: ExportSet) -> Iterator[dict[str, Any]]:
    for doc_id, group in groupby(given.passages, key=lambda passage: passage.doc_id):
        passages = [passage for passage in group if passage.text]
        ids = [None, *(passage.id for passage in passages), None]
        for passage, before, after in zip(passages, ids, ids[2:], strict=False):
            start = Span.of_id(passage.id).start if passage.id != doc_id else 0
            yield {
                "doc_id": passage.id,
                "path": next(iter(passage.sources), ""),
                "contents": passage.text,
                "start_end_idx": [start, start + len(passage.text) - 1],  # AutoRAG counts the last character in
                "metadata": {"title": passage.title, "prev_id": before, "next_id": after},
            }
