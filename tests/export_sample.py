"""A dataset with one of everything that an export format keeps or loses."""

from pathlib import Path

import pandas as pd

from ragset.dataset import read_dataset
from ragset.evaluation.results.model import Results, System
from ragset.evaluation.results.writing import write_results
from ragset.models import UNANSWERABLE, Document, Golden, Span
from ragset.retrieval.fusion import Hit
from tests.ragset.dataset.exporters.sets import COFFEE
from tests.small_dataset import TEA, corpus_of, golden_of, write_small

MILK = Document.of(
    'Milk, "the white one",\tboils over 🥛 at 100 °C.\n\nA line\nand a separator; =1+1 is no formula.',
    source="milk.txt",
)

SAMPLE: tuple[Golden, ...] = (
    # Another passage answers it alone.
    golden_of().model_copy(
        update={
            "equivalents": (Span(doc_id=COFFEE.id, start=0, end=35),),
            "metadata": {"style": "open", "evolution": "none", "persona": "Brewer", "hardness": {"level": "easy"}},
        }
    ),
    # Of two documents, with graded relevance.
    golden_of("Which is hotter, tea or coffee?", "Coffee.").model_copy(
        update={
            "id": "g-000000000002",
            "kind": "multi-chunk",
            "evidence": (Span(doc_id=COFFEE.id, start=0, end=35), Span(doc_id=TEA.id, start=36, end=61)),
            "grades": (2, 1),
            "split": "train",
        }
    ),
    golden_of('Does "milk"\nboil over\u2028at 100 °C?', "Ja, „sicher“.", document=MILK, evidence=[(0, 45)]),
    # Nobody can answer it.
    golden_of("How hot is cocoa?").model_copy(
        update={
            "id": "g-000000000004",
            "kind": UNANSWERABLE,
            "answer": None,
            "evidence": (),
            "split": "validation",
            "metadata": {UNANSWERABLE: {"missing": "cocoa", "near": f"{COFFEE.id}:0-35"}},
        }
    ),
    # The query of the first one, over other evidence.
    golden_of(answer="Below boiling.", evidence=[(36, 61)]),
)


def write_sample(folder: Path) -> Path:
    """The folder of the dataset."""
    write_small(folder / "drinks", corpus_of(folder, TEA, COFFEE, MILK), SAMPLE)
    return folder / "drinks"


def write_sample_results(folder: Path, dataset: Path) -> Path:
    """The folder of a benchmark: a configuration with a reader of two chunks, a system of somebody else, one without answers."""
    tea, coffee = Hit(f"{TEA.id}:0-35", 0.9), Hit(f"{COFFEE.id}:0-35", 0.5)
    scores = pd.DataFrame([("ours", SAMPLE[0].id, "mrr", 1.0)], columns=["configuration", "golden", "metric", "value"])
    results = Results(
        name="drinks",
        datasets=("drinks",),
        corpus=read_dataset(dataset).corpus,
        goldens=SAMPLE,
        systems=(System(name="ours", reader="m"), System(name="theirs"), System(name="bm25", reader="")),
        runs={
            "ours": {SAMPLE[0].id: [tea, coffee, Hit(f"{TEA.id}:36-61", 0.1)]},
            "theirs": {SAMPLE[0].id: [Hit("unaligned-1", 0.9), Hit(f"{tea.id}+{coffee.id}", 0.5), tea]},
        },
        answers={
            "ours": {SAMPLE[0].id: "80.", SAMPLE[1].id: "Coffee is.", SAMPLE[2].id: None, SAMPLE[3].id: "Hot."},
            "theirs": {SAMPLE[0].id: "Eighty."},
        },
        scores=scores,
        standings=(),
        comparisons=(),
        primary="mrr",
        baseline="",
        parameters={"grid": {"final": 2}},
    )
    write_results(folder, results, "")
    return folder
