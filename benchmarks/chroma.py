"""Chroma's chunking evaluation again: recall, precision, precision-omega and IoU of retrieved characters, k = 5.

    python -m benchmarks.chroma FOLDER [--model local:all-MiniLM-L6-v2] [--k 5]

FOLDER holds `questions.csv` and the corpora that it names, as in the repository brandonstarxel/chunking_evaluation. The
figures published there are over five corpora, each chunked and searched on its own, with all-MiniLM-L6-v2.
"""

from collections import defaultdict
from statistics import mean

from benchmarks.shared import options, temporary_index
from ragset.dataset.importers import read_goldens
from ragset.dataset.relevance.qrels import gold_of
from ragset.documents.corpus import Corpus
from ragset.evaluation.metrics.spans import span_scores
from ragset.models import Document, Golden
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.search import retrieve
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment, RetrievalSettings

PUBLISHED = {
    ("recursive", 250, 125): (78.7, 4.9, 21.9, 4.9),
    ("token", 250, 125): (82.4, 3.6, 11.4, 3.5),
    ("recursive", 200, 0): (75.7, 6.5, 31.2, 6.5),
    ("token", 200, 0): (76.6, 4.1, 19.1, 4.1),
}
"""Recall, precision, precision-omega and IoU, in per cent, over all five corpora."""


def measure(
    goldens: list[Golden], document: Document, chunking: ChunkingSettings, embedding: EmbeddingSettings, k: int
) -> list[tuple[str, float]]:
    """Every score, by metric, of the questions about one corpus, which is one document."""
    embedder = connect_embedder(embedding, Environment())
    queries = [golden.query for golden in goldens]
    with temporary_index([document], embedder, chunking) as (index, store):
        found = retrieve(index, store, queries, embedder.embed(queries), RetrievalSettings(mode="dense"), k)
        corpus = Corpus.write(index.folder / "corpus.jsonl", [document])
        run = {golden.id: hits for golden, hits in zip(goldens, found, strict=True)}
        scores = span_scores(run, gold_of(goldens, corpus), k, index.ids, touching=True)
    return [(score.metric.partition("@")[0], score.value) for score in scores]


def main() -> None:
    asked = options(__doc__, "folder", model="local:all-MiniLM-L6-v2", k=5)
    found = read_goldens(asked.folder, kind="chroma")
    by_document: dict[str, list[Golden]] = defaultdict(list)
    for golden in found.goldens:
        by_document[golden.evidence[0].doc_id].append(golden)
    documents = {document.id: document for document in found.documents}
    print(f"{len(found.goldens)} questions over {len(by_document)} corpora, {asked.model}, k = {asked.k}, in per cent")
    print(f"{'':24}{'recall':>18}{'precision':>18}{'omega':>18}{'IoU':>18}   (published)")
    embedding = EmbeddingSettings(model=asked.model)
    for (strategy, size, overlap), published in PUBLISHED.items():
        chunking = ChunkingSettings.model_validate({"strategy": strategy, "size": size, "overlap": overlap})
        values: dict[str, list[float]] = defaultdict(list)
        for doc_id, goldens in by_document.items():
            for metric, value in measure(goldens, documents[doc_id], chunking, embedding, asked.k):
                values[metric].append(value)
        names = ("span_recall", "span_precision", "span_precision_omega", "span_iou")
        cells = [f"{100 * mean(values[name]):8.1f} ({value:.1f})" for name, value in zip(names, published, strict=True)]
        print(f"{strategy} {size}/{overlap}".ljust(24) + "".join(f"{cell:>18}" for cell in cells))


if __name__ == "__main__":
    main()
