"""Does the hardness of a golden say how hard it is to find? Questions that people wrote, labelled and then searched for.

    python -m benchmarks.hardness FILE [--model offline] [--language en]

FILE is a dataset with gold spans that `benchmark` reads (SQuAD's JSON, a BEIR folder, …). Each question is labelled by its
overlap with the evidence, and then by its rank in the results of one retriever as well; what is shown is how the other
retriever, which the label knows nothing of, does on the questions of each level: the mean reciprocal rank among the first ten.
"""

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Literal

from benchmarks.shared import options, temporary_index
from ragset.dataset.importers import ImportedSet, read_goldens
from ragset.documents.corpus import Corpus
from ragset.generation.hardness import LEVELS, hardness_of
from ragset.generation.stages.round_trip import METADATA as ROUND_TRIP
from ragset.generation.stages.round_trip import first_relevant
from ragset.models import Golden
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.fusion import Hit
from ragset.retrieval.search import retrieve
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment, RetrievalSettings
from ragset.text.overlap import METADATA as OVERLAP
from ragset.text.overlap import overlap_of

MODES: tuple[Literal["dense", "bm25"], ...] = ("dense", "bm25")
FIRST = 10


def find(data: ImportedSet, embedding: EmbeddingSettings) -> dict[str, list[int | None]]:
    """The rank of each golden's evidence by each retriever, if among the first ten."""
    embedder = connect_embedder(embedding, Environment())
    chunking = ChunkingSettings(size=128)
    queries = [golden.query for golden in data.goldens]
    with temporary_index(data.documents, embedder, chunking) as (index, store):
        vectors = embedder.embed(queries)
        found = {mode: retrieve(index, store, queries, vectors, RetrievalSettings(mode=mode), FIRST) for mode in MODES}

    def rank(golden: Golden, hits: Sequence[Hit]) -> int | None:
        return first_relevant([hit.id for hit in hits], golden.evidence)

    return {mode: list(map(rank, data.goldens, hits)) for mode, hits in found.items()}


def labelled(golden: Golden, corpus: Corpus, rank: int | None, language: str, *, ranked: bool) -> str:
    """The level of the golden by its words, and by its rank where it was `ranked`."""
    texts = [corpus.text(span) for span in golden.evidence]
    known: dict[str, object] = {OVERLAP: overlap_of(golden.query, texts, language).model_dump(mode="json")}
    if ranked:
        known[ROUND_TRIP] = {"rank": rank}
    return hardness_of(golden.model_copy(update={"metadata": known})).level


def main() -> None:
    asked = options(__doc__, "file", model="offline", language="en")
    data = read_goldens(asked.file, language=asked.language)
    ranks = find(data, EmbeddingSettings(model=asked.model))
    print(f"{len(data.goldens)} questions; mean reciprocal rank by level (and how many)")
    print(f"{'labelled by':24}{'searched by':14}" + "".join(f"{level:>16}" for level in LEVELS))
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus.write(Path(folder) / "corpus.jsonl", data.documents)
        for ranked in (False, True):
            for by, other in (MODES, MODES[::-1]):
                found: dict[str, list[float]] = defaultdict(list)
                for golden, known, rank in zip(data.goldens, ranks[by], ranks[other], strict=True):
                    level = labelled(golden, corpus, known, asked.language, ranked=ranked)
                    found[level].append(1 / rank if rank else 0.0)
                cells = (f"{mean(found[level]):.3f} ({len(found[level])})" if found[level] else "-" for level in LEVELS)
                label = f"words, rank of {by}" if ranked else "words"
                print(f"{label:24}{other:14}" + "".join(f"{cell:>16}" for cell in cells))


if __name__ == "__main__":
    main()
