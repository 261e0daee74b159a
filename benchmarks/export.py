"""How long an export of a large test set takes in each file format, beside reading the dataset and writing it again.

    python -m benchmarks.export [--goldens 10000] [--paragraphs 20000] [--chunk 256]

The documents are ten paragraphs of 100 tokens each, no two alike; a golden has one or two sentences of one as evidence. Passages are chunks, or
whole documents. Each figure is the whole of an export, in seconds of the processor: the dataset is read, cut, judged
and written.
"""

import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.shared import options, paragraph
from ragset.dataset import read_dataset
from ragset.dataset.exporters import EXPORTERS, ExportSet, export
from ragset.documents.corpus import Corpus
from ragset.models import Document, Golden
from ragset.settings import ChunkingSettings
from ragset.text.sentences import sentences
from tests.small_dataset import golden_of, write_small

PARAGRAPHS = 10
"""Of a document."""


def make_dataset(folder: Path, goldens: int, paragraphs: int) -> None:
    texts = ["\n\n".join(map(paragraph, range(at, at + PARAGRAPHS))) for at in range(0, paragraphs, PARAGRAPHS)]
    articles = [Document.of(text, source=f"{at}.txt", title=f"Part {at}") for at, text in enumerate(texts)]
    rng = random.Random(0)
    corpus = Corpus.write(folder / "given.jsonl", articles)
    write_small(folder / "set", corpus, [_golden(number, rng.choice(articles), rng) for number in range(goldens)])


def _golden(number: int, document: Document, rng: random.Random) -> Golden:
    starts = [0, *sentences(document.text, "en"), len(document.text)]
    first = rng.randrange(len(starts) - 2)
    evidence = (starts[first], starts[min(first + rng.randint(1, 2), len(starts) - 1)])
    return golden_of(
        f"What does article {document.title} say in place {number}?",
        f"{number}",
        document=document,
        evidence=(evidence,),
    )


def main() -> None:
    asked = options(__doc__, goldens=10_000, paragraphs=20_000, chunk=256)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_dataset(folder, asked.goldens, asked.paragraphs)

        def copy() -> None:
            dataset = read_dataset(folder / "set")
            write_small(folder / "copy", dataset.corpus, dataset.goldens)

        copied = _seconds(copy)
        print(f"read and written again: {copied:.1f} s\n\n{'':<14} {'documents':>12} {'chunks':>12}")
        for format_ in EXPORTERS.values():
            if format_.uploads or format_.results == "must":
                continue
            ways = (None, ChunkingSettings(size=asked.chunk))
            seconds = [_seconds(partial(_export, folder, format_.name, way)) for way in ways]
            shown = " ".join(f"{one:5.1f} s {one / copied:3.1f}×" for one in seconds)
            print(f"{format_.name:<14} {shown}", flush=True)


def _seconds(run: Callable[[], object]) -> float:
    """Of the processor, which other programs change little."""
    start = time.process_time()
    run()
    return time.process_time() - start


def _export(folder: Path, to: str, chunking: ChunkingSettings | None) -> None:
    export(ExportSet.read(folder / "set", chunking), to, str(folder / f"{to}-{bool(chunking)}"))


if __name__ == "__main__":
    main()
