"""How fast each strategy cuts prose, and how that compares with llama-index's splitters on the same text.

    python -m benchmarks.chunking [--megabytes 10] [--size 256]

The prose is that of `examples/corpus`, its sentences in ever new orders. Ratios compare things measured in one run on
one machine; wall seconds use as many cores as the strategy does, processor seconds are those of all its threads.
"""

import random
import re
import resource
import time
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.shared import ROOT, options
from ragset.chunking import split
from ragset.models import Document
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.settings import ChunkingSettings
from ragset.text.tokens import count_tokens

ARTICLE = 8_000
"""Characters of a document where many are cut one after another."""
SLOW = 10
"""Slow strategies cut a text that is so many times shorter."""
WARM_UP = "Models are read. Modules are imported."


class Speed(NamedTuple):
    """One pass over a text."""

    megabytes: float
    seconds: float
    processor: float
    chunks: int


def prose(size: int) -> str:
    rng = random.Random(0)
    files = sorted(path for path in (ROOT / "examples" / "corpus").glob("*") if path.suffix in {".md", ".txt"})
    sentences = [
        sentence
        for path in files
        for sentence in re.split(r"(?<=[.!?])\s+", path.read_text(encoding="utf-8", errors="replace"))
        if 20 < len(sentence) < 400 and "\n\n" not in sentence and "|" not in sentence
    ]
    parts: list[str] = []
    length = 0
    while length < size:
        if not len(parts) % 6:
            parts.append(f"## Part {len(parts) // 6 + 1}")
        parts.append(" ".join(rng.choices(sentences, k=rng.randint(2, 7))))
        length += len(parts[-1]) + 2
    return "\n\n".join(parts)[:size]


def measured(texts: list[str], cut: Callable[[str], int], times: int = 3) -> Speed:
    """The fastest pass, which other programs slowed down least."""
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    speeds: list[Speed] = []
    for _ in range(times):
        wall, processor = time.perf_counter(), time.process_time()
        chunks = sum(map(cut, texts))
        seconds = time.perf_counter() - wall
        speeds.append(Speed(megabytes, seconds, time.process_time() - processor, chunks))
    return min(speeds, key=lambda speed: speed.seconds)


def cutter(**options: object) -> tuple[str, Callable[[str], int]]:
    settings = ChunkingSettings.model_validate(options)
    embedder = OfflineEmbedder()

    def cut(text: str) -> int:
        return len(split(Document.of(text, source="benchmark"), settings, embedder.embed))

    cut(WARM_UP)
    return settings.name, cut


def peers(size: int) -> list[tuple[str, Callable[[str], int]]]:
    from llama_index.core.node_parser import SentenceSplitter, TokenTextSplitter
    from llama_index.core.schema import Document as Whole

    def cutter_of(parser: SentenceSplitter | TokenTextSplitter) -> tuple[str, Callable[[str], int]]:
        def cut(text: str) -> int:
            return len(parser.get_nodes_from_documents([Whole(text=text)]))

        cut(WARM_UP)
        return f"llama-index {type(parser).__name__}", cut

    return [cutter_of(kind(chunk_size=size, chunk_overlap=0)) for kind in (SentenceSplitter, TokenTextSplitter)]


def show(name: str, speed: Speed) -> None:
    wall, core = speed.megabytes / speed.seconds, speed.megabytes / speed.processor
    print(
        f"{name:<38} {speed.megabytes:7.2f} {speed.chunks:8,} {speed.seconds:8.2f} {wall:9.2f} {core:9.2f}", flush=True
    )


def main() -> None:
    asked = options(__doc__, megabytes=10.0, size=256)
    size, text = asked.size, prose(int(asked.megabytes * 1e6))
    articles = [text[start : start + ARTICLE] for start in range(0, len(text), ARTICLE)]
    print(f"{'':<38} {'MB':>7} {'chunks':>8} {'s':>8} {'MB/s':>9} {'per core':>9}")
    _, recursive = cutter(size=size)
    show("recursive, one document", measured([text], recursive))
    show(f"recursive, {len(articles):,} documents", measured(articles, recursive))
    count_tokens("Read the vocabulary.")
    show("of which counting tokens", measured([text], count_tokens, 1)._replace(chunks=0))
    print()
    others = [{"overlap": size // 8}, {"unit": "characters", "size": size * 4}, {"unit": "words"}]
    for fields in (*others, *({"strategy": strategy} for strategy in ("markdown", "token", "words"))):
        name, cut = cutter(**{"size": size, **fields})
        show(name, measured([text], cut))
    for strategy in ("sentence", "semantic"):
        name, cut = cutter(strategy=strategy, size=size)
        show(name, measured([text[: len(text) // SLOW]], cut, 1))
    print("\nThe same articles, a smaller sample of them")
    sample = articles[: max(1, len(articles) // (4 * SLOW))]
    ours = {name: measured(sample, cut) for name, cut in (cutter(size=size), cutter(strategy="sentence", size=size))}
    theirs = {name: measured(sample, cut) for name, cut in peers(size)}
    for name, speed in {**ours, **theirs}.items():
        show(name, speed)
    print()
    for peer, speed in theirs.items():
        for name, our in ours.items():
            print(f"{name} is {speed.seconds / our.seconds:.1f} times as fast as {peer}")
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024:,.0f} MB")


if __name__ == "__main__":
    main()
