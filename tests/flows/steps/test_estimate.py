"""What an estimate says of embeddings that are paid for."""

from pathlib import Path

import pytest

from flows.parameters.models import SingleChunkParameters
from flows.steps.estimate import estimate_run
from ragset.generation.estimate import Estimate
from ragset.models import Usage
from ragset.text.tokens import count_tokens

TEXT = "\n\n".join(
    f"The clock of Brill {n} was built in {1400 + n} by smith number {n}, who came from Delft with his three sons. "
    f"It strikes {n} times at noon, because the council of town {n} paid for no larger bell than that in the year {1500 + n}."
    for n in range(10)
)


async def estimated(tmp_path: Path, strategy: str = "recursive", model: str = "text-embedding-3-small") -> Estimate:
    (tmp_path / "clocks.txt").write_text(TEXT)
    values = {
        "documents": {"sources": [str(tmp_path / "clocks.txt")]},
        "chunking": {"strategy": strategy, "size": 64},
        "embedding": {"model": model, "batch_size": 4},
        "n": 5,
    }
    return await estimate_run(SingleChunkParameters.model_validate(values), 0)


def embedded(rows: tuple[Usage, ...]) -> dict[str, Usage]:
    return {row.prompt: row for row in rows if row.stage == "embed"}


async def test_chunks_and_queries_are_embedded(tmp_path: Path) -> None:
    estimate = await estimated(tmp_path)
    rows = embedded(estimate.usage)
    assert set(rows) == {"(chunks)", "(queries)"}
    # ten paragraphs, a chunk each, four to a request
    assert rows["(chunks)"].calls == 3
    assert rows["(chunks)"].prompt_tokens == sum(count_tokens(part) for part in TEXT.split("\n\n"))
    # twenty tokens a query
    assert (rows["(queries)"].calls, rows["(queries)"].prompt_tokens) == (
        -(-estimate.goldens // 4),
        20 * estimate.goldens,
    )
    assert estimate.totals.cost == pytest.approx(sum(row.prompt_tokens for row in rows.values()) * 0.02 / 1e6)


async def test_semantic_chunks_are_cut_by_sentences_that_are_embedded_with_their_neighbours(tmp_path: Path) -> None:
    sentences = embedded((await estimated(tmp_path, "semantic")).usage)["(sentences)"]
    assert sentences.prompt_tokens == 3 * count_tokens(TEXT)
    # twenty sentences, four to a request
    assert sentences.calls == 5


@pytest.mark.parametrize("model", ["offline", "local:some-model"])
async def test_what_runs_on_this_machine_costs_nothing(tmp_path: Path, model: str) -> None:
    assert embedded((await estimated(tmp_path, model=model)).usage) == {}
