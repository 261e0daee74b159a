"""German queries for English passages: what an adapter can learn, with the hashed n-grams of the offline embedding."""

from itertools import combinations
from pathlib import Path

from ragset.models import Document, Golden
from ragset.training.sides import SIDES
from tests.small_dataset import corpus_of, golden_of, write_small

DIMENSIONS = 128
GERMAN = {
    "Fluss": "river", "Brot": "bread", "Turm": "tower", "Pferd": "horse", "Wolke": "cloud", "Messer": "knife",
    "Schule": "school", "Garten": "garden", "Feuer": "fire", "Kissen": "pillow",
}  # fmt: skip
TRIPLES = list(combinations(GERMAN, 3))
PASSAGES = [
    Document.of(f"This passage tells of {' and '.join(GERMAN[word] for word in words)}.", source="-".join(words))
    for words in TRIPLES
]


def german_goldens() -> list[Golden]:
    """120 of them, three fifths for training."""
    sides = (*SIDES, "train", "train")
    return [
        golden_of(" ".join(words), document=passage, evidence=((0, len(passage.text)),)).model_copy(
            update={"split": sides[n % 5]}
        )
        for n, (words, passage) in enumerate(zip(TRIPLES, PASSAGES, strict=True))
    ]


def write_german(folder: Path) -> Path:
    """The dataset in a folder below `folder`."""
    write_small(folder / "words", corpus_of(folder, *PASSAGES), german_goldens())
    return folder / "words"
