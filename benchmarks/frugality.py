"""What a kept golden costs where everything passes: calls, and prompt tokens as cl100k_base counts them.

python -m benchmarks.frugality
"""

import asyncio

from benchmarks.running import bench
from ragset.chunking import count_tokens, split
from ragset.generation.estimate import Counted, pilot
from ragset.generation.offline import Offline
from ragset.generation.pipelines import Models
from ragset.llm.usage import Prices
from ragset.models import Candidate, Document
from ragset.settings import ChunkingSettings, ModelSettings, WritingSettings
from tasks.batches import Recipe


def main() -> None:
    with bench() as here:
        corpus = here.corpus(200)
        run = here.run(corpus, "home", 100, 16)
        print(f"calls for each of {run.result['kept']} goldens: {run.answered / run.result['kept']:.2f}")
        text = "\n\n".join(path.read_text(encoding="utf-8") for path in sorted(corpus.iterdir()))
    recipe = Recipe.load(WritingSettings(), ModelSettings(model="m"), ModelSettings(model="m"), 0)
    llm = Counted(Offline(), "m", recipe.prompts)
    for size in (100, 256):
        chunks = split(Document.of(text, source="bench"), ChunkingSettings(size=size))[:60]
        candidates = [Candidate(chunks=(chunk,)) for chunk in chunks]
        _, usage = asyncio.run(pilot(candidates, recipe.stages(), recipe.prompts, Models(llm, llm, llm), Prices()))
        tokens = sum(row.prompt_tokens / row.calls for row in usage)
        mean = sum(count_tokens(chunk.text) for chunk in chunks) / len(chunks)
        print(f"prompt tokens for a golden of {mean:.0f}-token chunks: {tokens:,.0f} in {len(usage)} calls")


if __name__ == "__main__":
    main()
