"""What queries look like: their form, the words that they share with their evidence, and its rank by BM25.

    python -m benchmarks.queries SET... [--language en] [--size 256]

SET is a dataset, or test data that `benchmark` reads (SQuAD's JSON, a BEIR folder, Chroma's questions, ...). The table says in
Markdown, a column for each set, how many queries open as a factoid (who, when, where, which, how many, whether), an open
question (how, why) or as key words (no question word at the beginning, no question mark); their words (quartiles); what they
share with the evidence (`ragset.text.overlap`: first quartile, median, third quartile and 90th percentile); and the rank of the
evidence by BM25 over chunks of `--size` tokens.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.shared import markdown, options, ranks_of
from ragset.dataset.importers import ImportedSet, read_goldens
from ragset.documents.corpus import Corpus
from ragset.text.overlap import overlap_of
from ragset.text.query_forms import OPENINGS, form_of, mix_of

RANKS = {"1": (1, 1), "2-3": (2, 3), "4-10": (4, 10)}


def figures(data: ImportedSet, language: str, size: int) -> Iterator[tuple[str, str]]:
    """Rows of the table: a name and the figures of one set."""
    goldens = [golden for golden in data.goldens if golden.evidence]
    data = data._replace(goldens=tuple(goldens))
    mix = mix_of(form_of(golden.query, language) for golden in goldens)
    yield "queries", f"{mix.queries:,}"
    for opening in OPENINGS:
        yield opening, f"{mix.shares[opening]:.0%}"
    yield "with a question mark", f"{mix.question_marks:.0%}"
    yield "words", " / ".join(f"{value:g}" for value in mix.words)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus.write(Path(folder) / "corpus.jsonl", data.documents)
        overlaps = [overlap_of(one.query, [corpus.text(span) for span in one.evidence], language) for one in goldens]
    for name in ("covered", "share", "longest"):
        values: Sequence[float] = [getattr(overlap, name) for overlap in overlaps]
        yield f"overlap: {name}", " / ".join(f"{value:.3g}" for value in np.percentile(values, (25, 50, 75, 90)))
    yield "worded as the evidence", f"{sum(overlap.copied for overlap in overlaps) / len(overlaps):.0%}"
    ranks = ranks_of(data, ("bm25",), size)["bm25"]
    for name, (low, high) in RANKS.items():
        count = sum(rank is not None and low <= rank <= high for rank in ranks)
        yield f"BM25 rank {name}", f"{count / len(ranks):.0%}"
    yield "BM25: not in the first 10", f"{ranks.count(None) / len(ranks):.0%}"


def main() -> None:
    asked = options(__doc__, "sets+", language="en", size=256)
    sets = [read_goldens(path) for path in asked.sets]
    columns = [dict(figures(data, asked.language, asked.size)) for data in sets]
    rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
    print("\n".join(markdown(["", *(path.name for path in asked.sets)], rows)))


if __name__ == "__main__":
    main()
