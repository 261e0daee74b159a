"""What an estimate says of embeddings that are paid for."""

from pathlib import Path
from typing import Literal

import pytest

from flows.parameters.models import SingleChunkParameters
from flows.steps.estimate import _search, estimate_by_rates, estimate_run  # pyright: ignore[reportPrivateUsage]
from flows.steps.past_runs import remember_run
from ragset.generation.checks import CheckSettings
from ragset.generation.estimate import Estimate
from ragset.models import Candidate, Chunk, Usage
from ragset.settings import ChunkingSettings, ModelSettings, WritingSettings
from ragset.text.tokens import count_tokens
from tasks.batches import Recipe

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


def test_a_pilot_searches_the_chunks_for_each_query() -> None:
    model = ModelSettings(model="m")
    recipe = Recipe.load(WritingSettings(), model, model, 0, checks=CheckSettings(round_trip="label"))
    texts = ("The water clock of Athens ran.", "Green tea is bitter when hot.")
    chunks = [Chunk(doc_id="d", start=100 * n, end=100 * n + len(text), text=text) for n, text in enumerate(texts)]
    asked = Candidate(chunks=(chunks[1],), query="Is green tea bitter?", answer="Yes.", evidence=(chunks[1].span,))
    with _search(recipe, chunks, ChunkingSettings()) as find:
        assert find is not None
        (found,) = find([asked])
    assert isinstance(found, Candidate)
    assert found.metadata["round_trip"] == {"rank": 1, "k": 10, "by": "bm25"}


def recipe_for(model: str, mode: Literal["live", "batch"] = "live") -> Recipe:
    settings = ModelSettings(model=model, mode=mode)
    return Recipe.load(WritingSettings(), settings, settings, 0)


def test_a_run_by_batch_is_estimated_at_half_the_price() -> None:
    live, by_batch = foreseen(recipe_for("gpt-4.1-mini")), foreseen(recipe_for("gpt-4.1-mini", "batch"))
    assert live.totals.cost
    assert by_batch.totals.cost == pytest.approx(live.totals.cost / 2)
    assert by_batch.totals.calls == live.totals.calls
    assert {row.asked for row in by_batch.usage} == {"gpt-4.1-mini (batch)"}


def foreseen(recipe: Recipe) -> Estimate:
    text = "The town council paid three smiths from Delft to build the clock in the tower at Brill in the year 1621."
    candidate = Candidate(chunks=(Chunk(doc_id="d", start=0, end=len(text), text=text),))
    return estimate_by_rates([candidate], 1, recipe, wanted=100, eligible=10_000, mixed=False)


def test_pass_rates_of_past_runs_with_the_same_models_replace_the_priors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path))
    before = foreseen(recipe_for("m"))
    remember_run(recipe_for("m"), "a", {"draft": (1000, 0)})
    after = foreseen(recipe_for("m"))
    assert "are published ones" in before.basis
    assert "are those of 1 run with m (1,000 candidates)" in after.basis
    # of 1,000 seen none passed, and 10 more count as the published rate
    assert after.passed < before.passed / 100
    assert foreseen(recipe_for("other")).passed == before.passed


def test_runs_of_the_rules_are_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path))
    remember_run(recipe_for("offline"), "a", {"judge": (10, 10)})
    assert list(tmp_path.iterdir()) == []
