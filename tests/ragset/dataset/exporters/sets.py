"""Two documents and goldens of every kind, which the tests of the formats share."""

from pathlib import Path

from ragset.dataset.exporters import ExportSet
from ragset.models import Document, Golden, Span
from ragset.settings import ChunkingSettings
from tests.small_dataset import TEA, corpus_of, golden_of, write_small

COFFEE = Document.of(
    "Coffee is brewed at 93 °C or above. Green tea turns bitter above 80 °C. So they say.",
    source="coffee.md",
    title="Coffee",
)
SENTENCES = ChunkingSettings(strategy="sentence", size=14)
"""Cuts TEA at 35, and COFFEE once, at 35."""

HOT = golden_of()
"""Its evidence is the first sentence of TEA, which COFFEE says too."""
BOTH = golden_of("How is tea made?\tAnd\nhow long?", "80 °C, two minutes.", evidence=((0, 35), (36, 61))).model_copy(
    update={"grades": (2, 1), "equivalents": (Span(doc_id=COFFEE.id, start=0, end=35),), "split": "train"}
)
NOBODY = golden_of("Who drinks it?", "").model_copy(
    update={
        "id": "g-nobody",
        "answer": None,
        "kind": "unanswerable",
        "evidence": (),
        "metadata": {"unanswerable": {"missing": "who", "near": f"{TEA.id}:0-35"}},
    }
)


def export_set(
    folder: Path, *goldens: Golden, chunking: ChunkingSettings | None = None, results: Path | None = None
) -> ExportSet:
    """A dataset of these goldens, or of all three kinds, read from a folder."""
    write_small(folder / "demo", corpus_of(folder, TEA, COFFEE), goldens or (HOT, BOTH, NOBODY))
    return ExportSet.read(folder / "demo", chunking, results=results)
