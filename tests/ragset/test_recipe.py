from collections import Counter
from collections.abc import Mapping

import pytest

from ragset.errors import InputError
from ragset.models import Candidate, Chunk
from ragset.recipe import Stage, single_chunk
from ragset.replies import EvolvedQuery, QueryDraft
from ragset.settings import WritingSettings
from tests.ragset.samples import candidate, prompts
from tests.scripted import Scripted


def recipe(styles: Mapping[str, float] | None = None, seed: int = 0, **more: object) -> dict[str, Stage]:
    writing = WritingSettings.model_validate({"styles": styles or {"open": 1}, **more})
    return {stage.name: stage for stage in single_chunk(writing, seed)}


def chunk(number: int) -> Chunk:
    return Chunk(doc_id=f"{number:016x}", start=0, end=5, text="Clock")


def test_the_filter_comes_first_and_the_critique_last() -> None:
    assert list(recipe()) == ["judge", "draft", "answer", "critique"]
    assert list(recipe(evolutions={"reasoning": 1})) == ["judge", "draft", "evolve", "answer", "critique"]
    assert list(recipe(evolutions={"none": 1})) == ["judge", "draft", "answer", "critique"]


def test_the_critic_judges_and_the_generator_writes() -> None:
    roles = {name: stage.role for name, stage in recipe(evolutions={"reasoning": 1}).items()}
    critic, generator = "critic", "generator"
    assert roles == {"judge": critic, "draft": generator, "evolve": generator, "answer": generator, "critique": critic}


def test_only_prompts_with_a_weight_are_used() -> None:
    stages = recipe({"exam": 1, "open": 0, "factoid": 2}, evolutions={"compress": 1, "none": 1, "reasoning": 0})
    assert stages["draft"].prompts == ("draft_factoid_query", "draft_exam_query")
    assert stages["evolve"].prompts == ("evolve_compress",)
    assert stages["critique"].prompts == ("critique_golden",)
    assert len(recipe(separate=True)["critique"].prompts) == 3


def test_a_style_or_an_evolution_that_there_is_none_of_is_an_error_with_the_choice() -> None:
    with pytest.raises(InputError, match="styles: there is no essay, poem; choose from open, factoid, keyphrase, exam"):
        recipe({"poem": 1, "essay": 0, "open": 1})
    with pytest.raises(InputError, match="evolutions: there is no rhyme; choose from generalise"):
        recipe(evolutions={"rhyme": 1})


async def drawn(stages: Mapping[str, Stage], numbers: range) -> list[str]:
    llm = Scripted(
        {
            name: [QueryDraft(reason="x", query="Who built the clock?")]
            for name in ("draft_open_query", "draft_factoid_query", "draft_exam_query")
        }
    )
    given = prompts("draft_open_query", "draft_factoid_query", "draft_exam_query")
    found: list[str] = []
    for number in numbers:
        outcome = await stages["draft"].run(candidate(chunk=chunk(number)), given, llm)
        assert isinstance(outcome, Candidate)
        found.append(outcome.metadata["style"])
    return found


async def test_styles_are_drawn_by_weight_from_seed_and_chunk() -> None:
    weights = {"open": 3.0, "factoid": 1.0, "exam": 0.0}
    styles = await drawn(recipe(weights), range(400))
    # three quarters of 400 is 300; four standard deviations of a binomial are 4 * sqrt(400 * 0.75 * 0.25) = 35
    assert abs(Counter(styles)["open"] - 300) < 35
    assert set(styles) == {"open", "factoid"}
    assert await drawn(recipe(weights), range(399, -1, -1)) == styles[::-1]
    assert await drawn(recipe(weights, seed=1), range(400)) != styles


async def test_evolutions_are_drawn_by_weight_and_none_asks_nobody() -> None:
    stage = recipe(evolutions={"reasoning": 1, "none": 1})["evolve"]
    llm = Scripted({"evolve_reasoning": [EvolvedQuery(reason="x", query="Why was the clock built?")]})
    kinds: Counter[str] = Counter()
    for number in range(400):
        outcome = await stage.run(candidate("Who built it?", chunk=chunk(number)), prompts("evolve_reasoning"), llm)
        assert isinstance(outcome, Candidate)
        kinds[outcome.metadata["evolution"]] += 1
    # half of 400 is 200; four standard deviations are 4 * sqrt(100) = 40
    assert abs(kinds["reasoning"] - 200) < 40
    assert len(llm.requests) == kinds["reasoning"] == 400 - kinds["none"]
