from collections import Counter
from collections.abc import Mapping

import pytest

from ragset.errors import InputError
from ragset.models import Candidate, Chunk, Reject
from ragset.recipe import Stage, multi_chunk, several, single_chunk
from ragset.replies import EvolvedQuery, NeededChunks, QueryDraft, QuerySplit
from ragset.settings import ContextWritingSettings, WritingSettings
from tests.ragset.samples import TRAMS, candidate, prompts
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


def multi(min_chunks: int = 2, **writing: object) -> dict[str, Stage]:
    given = ContextWritingSettings.model_validate(writing)
    return {stage.name: stage for stage in multi_chunk(given, min_chunks, 0)}


def test_the_stages_of_several_chunks_test_what_is_needed_before_they_answer() -> None:
    names = ["judge", "draft", "split", "relevant", "necessity", "answer", "critique"]
    assert list(multi()) == names
    assert list(multi(necessity=False)) == [name for name in names if name != "necessity"]
    assert list(multi(evolutions={"compress": 1}))[3] == "evolve"
    assert multi(evolutions={"multi_context": 1})["draft"].prompts == ("draft_multi_query", "draft_open_query")
    with pytest.raises(InputError, match="shapes: there is no circle; choose from comparison"):
        multi(shapes={"circle": 1})


async def parts(stages: Mapping[str, Stage]) -> list[Candidate | Reject]:
    """What becomes of a query whose first part needs one chunk, and whose second needs two."""
    query = "When did the Aldmoor tramway open, and how did it differ from the tramway of Brill?"
    split = QuerySplit.model_validate(
        {
            "reason": "Two.",
            "parts": [
                {"query": "When did the Aldmoor tramway open?", "chunks": [1]},
                {"query": "How did the Aldmoor tramway differ from the tramway of Brill?", "chunks": [1, 2]},
            ],
        }
    )
    context = Candidate(chunks=TRAMS, query=query, metadata={"seed": TRAMS[0].id})
    return list(several(await stages["split"].run(context, prompts("split_query"), Scripted({"split_query": [split]}))))


async def test_a_part_that_needs_one_chunk_is_dropped_or_kept_as_asked() -> None:
    dropped, kept = await parts(multi())
    assert isinstance(dropped, Reject)
    assert (dropped.stage, dropped.reason, dropped.chunks) == ("split", "needs_too_few_chunks", (TRAMS[0].id,))
    assert isinstance(kept, Candidate)
    single, several_ = await parts(multi(single="keep"))
    assert isinstance(single, Candidate)
    assert isinstance(several_, Candidate)
    assert (single.kind, several_.kind) == ("single-chunk", "multi-chunk")


async def test_a_part_that_needs_two_chunks_is_too_little_where_three_are_asked_for() -> None:
    outcomes = await parts(multi(min_chunks=3, single="keep"))
    assert [getattr(outcome, "reason", "kept") for outcome in outcomes] == ["kept", "needs_too_few_chunks"]


async def test_what_needs_one_chunk_after_the_critic_looked_is_rejected_with_its_words() -> None:
    llm = Scripted({"relevant_chunks": [NeededChunks(reason="The first says it all.", chunks=(1,))]})
    context = Candidate(chunks=TRAMS, query="When did the Aldmoor tramway open?")
    outcome = await multi()["relevant"].run(context, prompts("relevant_chunks"), llm)
    assert isinstance(outcome, Reject)
    assert outcome.reason == "needs_too_few_chunks"
    assert "The first says it all." in outcome.detail


async def test_multi_context_drafts_from_the_seed_and_takes_a_second_chunk_in() -> None:
    stages = multi(evolutions={"multi_context": 1})
    wider = "Which tramway opened after the electric one of Brill?"
    llm = Scripted(
        {
            "draft_open_query": [QueryDraft(reason="x", query="When did the Aldmoor tramway open?")],
            "evolve_multi_context": [EvolvedQuery(reason="x", query=wider)],
        }
    )
    given = prompts("draft_open_query", "split_query", "evolve_multi_context")
    drafted = await stages["draft"].run(Candidate(chunks=TRAMS), given, llm)
    assert isinstance(drafted, Candidate)
    assert (drafted.chunks, drafted.spare) == (TRAMS[:1], TRAMS[1:])
    assert list(several(await stages["split"].run(drafted, given, llm))) == [drafted]
    evolved = await stages["evolve"].run(drafted, given, llm)
    assert isinstance(evolved, Candidate)
    assert (evolved.query, evolved.chunks, evolved.metadata["evolution"]) == (wider, TRAMS[:2], "multi_context")
    nothing = Scripted({"evolve_multi_context": [EvolvedQuery(reason="Nothing in common.", query=None)]})
    outcome = await stages["evolve"].run(drafted, given, nothing)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("evolve", "needs_too_few_chunks")
