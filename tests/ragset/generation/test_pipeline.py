from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from ragset.errors import InputError
from ragset.generation.checks import CheckSettings
from ragset.generation.stage import Models, Setup, Stage
from ragset.llm.prompts import written_in
from ragset.llm.replies import (
    ChunkVerdict,
    Criticism,
    EvolutionVerdict,
    EvolvedQuery,
    NearMiss,
    QueryCritique,
    QueryDraft,
    QuerySplit,
    QueryVerdict,
)
from ragset.models import Candidate, Chunk, Reject
from ragset.settings import ContextWritingSettings, WritingSettings
from tests.samples import TRAMS, candidate, outcome_of, outcomes_of, prompts, stages_of
from tests.scripted import Scripted


def single(styles: Mapping[str, float] | None = None, seed: int = 0, **more: object) -> Setup:
    return Setup(WritingSettings.model_validate({"styles": styles or {"open": 1}, **more}), seed=seed)


def recipe(styles: Mapping[str, float] | None = None, seed: int = 0, **more: object) -> dict[str, Stage]:
    return stages_of(single(styles, seed, **more))


def chunk(number: int) -> Chunk:
    return Chunk(doc_id=f"{number:016x}", start=0, end=5, text="Clock")


def test_the_draft_comes_first_and_the_critique_last() -> None:
    assert list(recipe()) == ["draft", "answer", "critique", "find"]
    assert list(recipe(evolutions={"reasoning": 1})) == ["draft", "evolve", "answer", "critique", "find"]
    assert list(recipe(evolutions={"none": 1})) == ["draft", "answer", "critique", "find"]


EVERYTHING = CheckSettings(
    judge_chunks=True, score_chunks=True, judge_queries=True, same_query=True, judge_evolutions=True
)


def test_the_checks_stand_right_after_what_they_check() -> None:
    writing = WritingSettings(evolutions={"reasoning": 1})
    stages = stages_of(Setup(writing, EVERYTHING))
    assert list(stages)[:6] == ["draft", "screen", "evolve", "answer", "critique", "judge"]
    assert stages["score"].prompts == ("score_chunk",)
    assert stages["screen"].prompts == ("judge_query", "rewrite_query")
    assert stages["evolve"].prompts == ("evolve_reasoning", "same_query", "judge_evolution")
    several_ = list(stages_of(Setup(ContextWritingSettings(evolutions={"reasoning": 1}), EVERYTHING)))
    assert several_[:9] == ["draft", "split", "screen", "evolve", "query", "answer", "critique", "necessity", "judge"]


def test_compressing_alone_has_nothing_to_compare_with_the_old_query() -> None:
    stages = stages_of(Setup(WritingSettings(compress=True), EVERYTHING))
    assert stages["evolve"].prompts == ("evolve_compress", "judge_evolution")


async def test_a_chain_evolves_as_deep_as_asked_and_compresses_at_the_end() -> None:
    setup = single(evolutions={"reasoning": 1, "conditional": 1}, depth=2, compress=True)
    said = {
        "evolve_reasoning": "Why was the clock of Brill built?",
        "evolve_conditional": "When does the clock of Brill stop?",
        "evolve_compress": "clock brill",
    }
    llm = Scripted({name: [EvolvedQuery(reason="x", query=query)] for name, query in said.items()})
    orders: set[tuple[str, ...]] = set()
    for number in range(20):
        outcome = await outcome_of("evolve", candidate("Who built the clock?", chunk=chunk(number)), llm, setup)
        assert isinstance(outcome, Candidate)
        orders.add(tuple(outcome.metadata["evolutions"]))
    assert orders == {("reasoning", "conditional", "compress"), ("conditional", "reasoning", "compress")}


async def test_what_goes_wrong_after_the_second_chunk_was_taken_in_is_counted_in_the_whole_chain() -> None:
    writing = ContextWritingSettings(evolutions={"multi_context": 1}, compress=True)
    setup = Setup(writing, CheckSettings(judge_evolutions=True), min_chunks=2)
    wider = "Which tramway opened after the electric one of Brill?"
    falls = EvolutionVerdict(reason="Which one?", standalone=0, answerable=1)
    llm = Scripted(
        {
            "evolve_multi_context": [EvolvedQuery(reason="x", query=wider)],
            "evolve_compress": [EvolvedQuery(reason="x", query="tramway after")],
            "judge_evolution": [EvolutionVerdict(reason="Yes.", standalone=1, answerable=1), falls],
        }
    )
    given = Candidate(chunks=TRAMS[:1], spare=TRAMS[1:], query="When did the tramway open?", origin=TRAMS[0].id)
    outcome = await outcome_of("evolve", given, llm, setup)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail) == ("not_standalone", "compress (2nd of 2): Which one?")


async def test_the_critic_judges_and_the_generator_writes() -> None:
    verdict = ChunkVerdict(reason="x", self_containment=1, not_metadata=1)
    critic = Scripted({"judge_chunk": [verdict], "critique_golden": ["{}"]})
    generator = Scripted(
        {
            "draft_open_query": [QueryDraft(reason="x", query="Who built the clock?")],
            "evolve_reasoning": [EvolvedQuery(reason="x", query="Why was the clock built?")],
            "answer_query": ["{}"],
        }
    )
    setup = Setup(WritingSettings(styles={"open": 1}, evolutions={"reasoning": 1}), CheckSettings(judge_chunks=True))
    models = Models(generator, critic, generator)
    for stage in stages_of(setup):
        await outcome_of(stage, candidate("Who built it?", chunk=chunk(1)), models, setup)
    assert {request.prompt for request in critic.requests} == {"judge_chunk", "critique_golden"}
    assert {request.stage for request in generator.requests} == {"draft", "evolve", "answer"}


def test_only_prompts_with_a_weight_are_used() -> None:
    stages = recipe({"exam": 1, "open": 0, "factoid": 2}, evolutions={"compress": 1, "none": 1, "reasoning": 0})
    assert stages["draft"].prompts == ("draft_factoid_query", "draft_exam_query")
    assert stages["evolve"].prompts == ("evolve_compress",)
    assert stages["critique"].prompts == ("critique_golden", "critique_query")


def test_a_style_or_an_evolution_that_there_is_none_of_is_an_error_with_the_choice() -> None:
    with pytest.raises(InputError, match="styles: there is no essay, poem; choose from open, factoid, keyphrase, exam"):
        recipe({"poem": 1, "essay": 0, "open": 1})
    with pytest.raises(InputError, match="evolutions: there is no rhyme; choose from generalise"):
        recipe(evolutions={"rhyme": 1})


async def drawn(setup: Setup, numbers: range) -> list[str]:
    llm = Scripted(
        {
            name: [QueryDraft(reason="x", query="Who built the clock?")]
            for name in ("draft_open_query", "draft_factoid_query", "draft_exam_query")
        }
    )
    found: list[str] = []
    for number in numbers:
        outcome = await outcome_of("draft", candidate(chunk=chunk(number)), llm, setup)
        assert isinstance(outcome, Candidate)
        found.append(outcome.metadata["style"])
    return found


async def test_styles_are_drawn_by_weight_from_seed_and_chunk() -> None:
    weights = {"open": 3.0, "factoid": 1.0, "exam": 0.0}
    styles = await drawn(single(weights), range(100))
    # three quarters of 100 is 75; four standard deviations of a binomial are 4 * sqrt(100 * 0.75 * 0.25) = 17.3
    assert abs(Counter(styles)["open"] - 75) < 18
    assert set(styles) == {"open", "factoid"}
    assert await drawn(single(weights), range(99, -1, -1)) == styles[::-1]
    assert await drawn(single(weights, seed=1), range(100)) != styles


async def test_evolutions_are_drawn_by_weight_and_none_asks_nobody() -> None:
    setup = single(evolutions={"reasoning": 1, "none": 1})
    llm = Scripted({"evolve_reasoning": [EvolvedQuery(reason="x", query="Why was the clock built?")]})
    kinds: Counter[str] = Counter()
    for number in range(100):
        outcome = await outcome_of("evolve", candidate("Who built it?", chunk=chunk(number)), llm, setup)
        assert isinstance(outcome, Candidate)
        kinds[outcome.metadata["evolution"]] += 1
    # half of 100 is 50; four standard deviations are 4 * sqrt(25) = 20
    assert abs(kinds["reasoning"] - 50) < 20
    assert len(llm.requests) == kinds["reasoning"] == 100 - kinds["none"]


def several(min_chunks: int = 2, **writing: object) -> Setup:
    return Setup(ContextWritingSettings.model_validate(writing), min_chunks=min_chunks)


def multi(**writing: Any) -> dict[str, Stage]:
    return stages_of(several(**writing))


def test_the_stages_of_several_chunks_draft_first_and_test_what_the_answer_needs() -> None:
    names = ["draft", "split", "query", "answer", "critique", "necessity", "find"]
    assert list(multi()) == names
    assert list(multi(necessity=False)) == [name for name in names if name != "necessity"]
    assert list(multi(evolutions={"compress": 1}))[2] == "evolve"
    assert multi(evolutions={"multi_context": 1})["draft"].prompts == ("draft_multi_query", "draft_open_query")


async def parts(setup: Setup) -> list[Candidate | Reject]:
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
    context = Candidate(chunks=TRAMS, query=query, origin=TRAMS[0].id, metadata={"shape": "comparison"})
    return await outcomes_of("split", context, Scripted({"split_query": [split]}), setup)


async def test_a_part_that_needs_one_chunk_is_dropped_or_kept_as_asked() -> None:
    dropped, kept = await parts(several())
    assert isinstance(dropped, Reject)
    assert (dropped.stage, dropped.reason, dropped.chunks) == ("split", "needs_too_few_chunks", (TRAMS[0].id,))
    assert isinstance(kept, Candidate)
    single_, several_ = await parts(several(single="keep"))
    assert isinstance(single_, Candidate)
    assert isinstance(several_, Candidate)
    assert (single_.kind, several_.kind) == ("single-chunk", "multi-chunk")
    assert "shape" not in single_.metadata
    assert several_.metadata["shape"] == "comparison"


async def test_a_part_that_needs_two_chunks_is_too_little_where_three_are_asked_for() -> None:
    outcomes = await parts(several(min_chunks=3, single="keep"))
    assert [getattr(outcome, "reason", "kept") for outcome in outcomes] == ["kept", "needs_too_few_chunks"]


async def test_multi_context_drafts_from_the_seed_and_takes_a_second_chunk_in() -> None:
    setup = several(evolutions={"multi_context": 1})
    wider = "Which tramway opened after the electric one of Brill?"
    llm = Scripted(
        {
            "draft_open_query": [QueryDraft(reason="x", query="When did the Aldmoor tramway open?")],
            "evolve_multi_context": [EvolvedQuery(reason="x", query=wider)],
        }
    )
    drafted = await outcome_of("draft", Candidate(chunks=TRAMS), llm, setup)
    assert isinstance(drafted, Candidate)
    assert (drafted.chunks, drafted.spare) == (TRAMS[:1], TRAMS[1:])
    assert await outcomes_of("split", drafted, llm, setup) == [drafted]
    evolved = await outcome_of("evolve", drafted, llm, setup)
    assert isinstance(evolved, Candidate)
    assert (evolved.query, evolved.chunks, evolved.metadata["evolution"]) == (wider, TRAMS[:2], "multi_context")
    nothing = Scripted({"evolve_multi_context": [EvolvedQuery(reason="Nothing in common.", query=None)]})
    outcome = await outcome_of("evolve", drafted, nothing, setup)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("evolve", "needs_too_few_chunks")


def checking(unanswerable: float = 0.0, **checks: object) -> Setup:
    writing = WritingSettings(unanswerable=unanswerable, evolutions={"reasoning": 1})
    return Setup(writing, CheckSettings.model_validate(checks))


def checked(unanswerable: float = 0.0, **checks: object) -> dict[str, Stage]:
    return stages_of(checking(unanswerable, **checks))


def test_the_corpus_is_searched_last_and_only_where_there_is_a_use_for_it() -> None:
    assert "find" not in checked(round_trip="off")
    assert list(checked())[-1] == "find"
    for stages in (checked(holes=True), checked(round_trip="off", unanswerable=0.1)):
        assert list(stages)[-2:] == ["find", "support"]
        assert [name for name, stage in stages.items() if stage.searches] == ["find"]
    assert list(stages_of(Setup(ContextWritingSettings(), CheckSettings(holes=True))))[-2:] == ["find", "support"]


NEAR_MISS = Candidate(
    chunks=TRAMS[:1], query="Who paid for it?", metadata={"unanswerable": {"missing": "x", "near": "y"}}
)


async def test_queries_without_an_answer_are_neither_evolved_nor_answered() -> None:
    for name in ("evolve", "answer"):
        assert await outcome_of(name, NEAR_MISS, Scripted({}), checking(0.5)) == NEAR_MISS


async def test_a_query_without_an_answer_is_not_rewritten_by_its_chunk() -> None:
    refusal = QueryVerdict(feedback="Paid for what?", independent=0, clear=1, verdict=0)
    llm = Scripted({"judge_query": [refusal]})
    outcome = await outcome_of("screen", NEAR_MISS, llm, checking(0.5, judge_queries=True))
    assert isinstance(outcome, Reject)
    assert [request.prompt for request in llm.requests] == ["judge_query"]


async def test_of_a_query_without_an_answer_the_query_alone_is_judged() -> None:
    five = Criticism(reason="x", score=5)
    llm = Scripted({"critique_query": [QueryCritique(clarity=five, relevance=five)]})
    outcome = await outcome_of("critique", NEAR_MISS, llm, checking(0.5))
    assert isinstance(outcome, Candidate)
    assert outcome.scores == {"relevance": 5, "clarity": 5}


async def test_the_share_of_queries_without_an_answer_is_drawn_from_seed_and_chunk() -> None:
    llm = Scripted(
        {
            "draft_open_query": [QueryDraft(reason="x", query="Who built the clock?")],
            "draft_unanswerable": [NearMiss(reason="x", query="Who paid for the clock?", missing="who paid")],
        }
    )

    async def kinds(numbers: range) -> list[str]:
        setup = checking(0.25)
        outcomes = [await outcome_of("draft", candidate(chunk=chunk(number)), llm, setup) for number in numbers]
        return [outcome.kind for outcome in outcomes if isinstance(outcome, Candidate)]

    drawn_ = await kinds(range(100))
    # a quarter of 100 is 25; four standard deviations of a binomial are 4 * sqrt(100 * 0.25 * 0.75) = 17.3
    assert abs(drawn_.count("unanswerable") - 25) < 18
    assert await kinds(range(99, -1, -1)) == drawn_[::-1]


async def test_a_chunk_that_lends_itself_to_no_near_miss_is_asked_about_like_any_other() -> None:
    llm = Scripted(
        {
            "draft_unanswerable": [NearMiss(reason="Nothing is missing.", query=None, missing="")],
            "draft_open_query": [QueryDraft(reason="x", query="Who made Salisbury's oldest clock?")],
        }
    )
    outcome = await outcome_of("draft", candidate(), llm, checking(1.0))
    assert isinstance(outcome, Candidate)
    assert (outcome.kind, outcome.query) == ("single-chunk", "Who made Salisbury's oldest clock?")
    assert [request.prompt for request in llm.requests] == ["draft_unanswerable", "draft_open_query"]


GERMAN = "Die Turmuhr von Salisbury wurde 1386 von drei Schmieden aus Delft gebaut, und sie ist noch heute zu sehen."


async def test_a_german_page_is_asked_about_in_german_wherever_the_rest_is_english_unless_english_is_ordered() -> None:
    page = candidate(chunk=Chunk(doc_id="d" * 16, start=0, end=len(GERMAN), text=GERMAN))
    draft = QueryDraft(reason="x", query="Wer hat die Turmuhr von Salisbury gebaut?")
    setup, llm = single(language="en"), Scripted({"draft_open_query": [draft]})
    as_it_is = prompts("draft_open_query")
    outcome = await outcome_of("draft", page, llm, setup, as_it_is)
    assert isinstance(outcome, Candidate)
    ordered = {name: written_in(prompt, "en") for name, prompt in as_it_is.items()}
    outcome = await outcome_of("draft", page, llm, setup, ordered)
    assert isinstance(outcome, Reject)
    assert outcome.reason == "wrong_language"
