"""Does the hardness of a golden say how hard it is to find? Questions that people wrote, labelled and then searched for.

    python -m benchmarks.hardness FILE [--model offline] [--language en]

FILE is a dataset with gold spans that `benchmark` reads (SQuAD's JSON, a BEIR folder, …). Each question is labelled by its
overlap with the evidence, and then by its rank in the results of one retriever as well; what is shown is how the other
retriever, which the label knows nothing of, does on the questions of each level: the mean reciprocal rank among the first ten.
"""

import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import mean

from benchmarks.shared import options, ranks_of
from ragset.dataset.importers import read_goldens
from ragset.documents.corpus import Corpus
from ragset.generation.hardness import LEVELS, hardness_of
from ragset.generation.stages.round_trip import METADATA as ROUND_TRIP
from ragset.models import Golden
from ragset.retrieval.search import Mode
from ragset.text.overlap import METADATA as OVERLAP
from ragset.text.overlap import overlap_of

MODES: tuple[Mode, Mode] = ("dense", "bm25")


def labelled(golden: Golden, corpus: Corpus, rank: int | None, language: str, *, ranked: bool) -> str:
    """The level of the golden by its words, and by its rank where it was `ranked`."""
    texts = [corpus.text(span) for span in golden.evidence]
    known: dict[str, object] = {OVERLAP: overlap_of(golden.query, texts, language).model_dump(mode="json")}
    if ranked:
        known[ROUND_TRIP] = {"rank": rank}
    return hardness_of(golden.model_copy(update={"metadata": known})).level


def main() -> None:
    asked = options(__doc__, "file", model="offline", language="en")
    data = read_goldens(asked.file)
    ranks = ranks_of(data, MODES, 128, asked.model)
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
