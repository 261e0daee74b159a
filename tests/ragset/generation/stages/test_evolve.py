from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from ragset.generation.checks import CheckSettings
from ragset.generation.evolutions import EVOLUTIONS, draw_evolutions
from ragset.generation.stage import Setup
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import EvolutionVerdict, EvolvedQuery, SameQuery
from ragset.models import Candidate, Reject, Step
from ragset.settings import ContextWritingSettings, Persona, WritingSettings
from tests.samples import CHUNK, QUERY, TRAMS, candidate, outcome_of
from tests.scripted import Scripted

HARDER = "Who made the oldest working clock of a cathedral in Wiltshire?"


def drawing(kinds: Sequence[str], case: str, **settings: Any) -> Setup:
    """The settings under which the chunk draws these evolutions in this order."""
    checks = CheckSettings.model_validate({name: settings.pop(name) for name in CHECKS if name in settings})
    kind = ContextWritingSettings if "multi_context" in kinds else WritingSettings
    weights = dict.fromkeys(kinds or ("none", "reasoning"), 1.0)
    writing = kind.model_validate({"evolutions": weights, "depth": max(1, len(kinds)), **settings})
    setups = (Setup(writing, checks, seed, min_chunks=2 if kind is ContextWritingSettings else 1) for seed in count())
    return next(setup for setup in setups if setup.evolutions(case) == tuple(kinds))


CHECKS = ("same_query", "unevolved", "judge_evolutions")


def reply(query: str | None) -> EvolvedQuery:
    return EvolvedQuery(reason="As it seems.", query=query)


async def evolved(*replies: EvolvedQuery | str, kind: str = "generalise") -> tuple[Candidate | Reject, Scripted]:
    llm = Scripted({EVOLUTIONS[kind].prompt: replies})
    return await outcome_of("evolve", candidate(QUERY), llm, drawing((kind,), CHUNK.id)), llm


@pytest.mark.parametrize("kind", list(EVOLUTIONS))
async def test_a_rewritten_query_takes_the_place_of_the_first(kind: str) -> None:
    outcome, llm = await evolved(reply(HARDER), kind=kind)
    step = Step(
        stage="evolve", kind=kind, prompt=load_prompt(EVOLUTIONS[kind].prompt).id, model="scripted", query=HARDER
    )
    metadata = {"evolution": kind, "evolutions": [kind]}
    assert outcome == Candidate(chunks=(CHUNK,), query=HARDER, lineage=(step,), metadata=metadata)
    assert llm.requests[0].inputs == {"chunk": CHUNK.text, "title": CHUNK.section, "query": QUERY}


@pytest.mark.parametrize("query", [None, " ", QUERY, f" {QUERY} "])
async def test_what_the_passage_does_not_carry_leaves_the_query_as_it_was(query: str | None) -> None:
    outcome, _ = await evolved(reply(query))
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.metadata) == (QUERY, {"evolution": "none"})
    assert [(step.kind, step.query) for step in outcome.lineage] == [("generalise", None)]


async def test_a_query_that_comes_to_lean_is_asked_for_once_more_then_a_reject() -> None:
    leaning = reply("What does this passage say about clocks?")
    outcome, llm = await evolved(leaning, reply(HARDER))
    assert isinstance(outcome, Candidate)
    assert len(llm.requests) == 2
    outcome, llm = await evolved(leaning)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.query) == ("evolve", "leans_on_passage", QUERY)
    assert len(llm.requests) == 2


async def test_a_reply_that_cannot_be_read_is_a_reject_with_the_query() -> None:
    outcome, _ = await evolved("null")
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.query, outcome.chunks) == ("malformed_reply", QUERY, (CHUNK.id,))


REASONING = "Why did the smiths of Delft hang a heavier weight on it at Salisbury?"
SAME = SameQuery(reason="Other words.", same=1)
OTHER = SameQuery(reason="A cause is asked for.", same=0)
STANDS = EvolutionVerdict(reason="It is named.", standalone=1, answerable=1)
CHAIN = ("generalise", "reasoning", "compress")


async def chained(kinds: Sequence[str] = CHAIN, **script: Any) -> tuple[Candidate | Reject, Scripted]:
    """The outcome of a chain whose models say what `script` has under the name of each prompt."""
    rules = {"same_query": script.pop("notice_same", False), "judge_evolutions": script.pop("judge", False)}
    rules["unevolved"] = "reject" if script.pop("reject_same", False) else "keep"
    llm = Scripted({name: [said] if not isinstance(said, list) else said for name, said in script.items()})
    return await outcome_of("evolve", candidate(QUERY), llm, drawing(kinds, CHUNK.id, **rules)), llm


async def test_a_chain_evolves_what_the_one_before_it_made() -> None:
    outcome, llm = await chained(
        evolve_generalise=reply(HARDER), evolve_reasoning=reply(None), evolve_compress=reply("oldest clock maker")
    )
    assert isinstance(outcome, Candidate)
    assert outcome.query == "oldest clock maker"
    assert outcome.metadata == {"evolution": "compress", "evolutions": ["generalise", "compress"]}
    assert [request.inputs["query"] for request in llm.requests] == [QUERY, HARDER, HARDER]
    assert [(step.kind, step.query) for step in outcome.lineage] == [
        ("generalise", HARDER),
        ("reasoning", None),
        ("compress", "oldest clock maker"),
    ]


async def test_no_kinds_leave_the_query_as_it_was_drafted_and_ask_nobody() -> None:
    outcome, llm = await chained(())
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.metadata, llm.requests) == (QUERY, {"evolution": "none"}, [])


async def test_an_evolution_that_is_the_old_query_is_asked_for_again_with_why() -> None:
    outcome, llm = await chained(
        ("reasoning",), notice_same=True, evolve_reasoning=[reply(HARDER), reply(REASONING)], same_query=[SAME, OTHER]
    )
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.metadata["evolutions"]) == (REASONING, ["reasoning"])
    assert [r.prompt for r in llm.requests] == ["evolve_reasoning", "same_query", "evolve_reasoning", "same_query"]
    assert llm.requests[1].inputs == {"query": QUERY, "evolved": HARDER}
    assert "merely the old query in other words: Other words." in llm.requests[2].messages[-1].content


async def test_after_two_more_tries_the_simple_query_is_kept_and_labelled_so() -> None:
    outcome, llm = await chained(("reasoning",), notice_same=True, evolve_reasoning=reply(HARDER), same_query=SAME)
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.metadata) == (QUERY, {"evolution": "none", "unevolved": True})
    assert Counter(request.prompt for request in llm.requests) == {"evolve_reasoning": 3, "same_query": 3}


async def test_or_it_is_rejected_where_that_is_asked_for() -> None:
    outcome, _ = await chained(
        ("reasoning",), notice_same=True, reject_same=True, evolve_reasoning=reply(HARDER), same_query=SAME
    )
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.query) == ("evolve", "same_query", QUERY)
    assert outcome.detail.startswith("reasoning: That is merely the old query in other words: Other words.")


@pytest.mark.parametrize("reject", [True, False])
async def test_a_query_that_evolved_before_is_kept_and_is_not_called_simple(reject: bool) -> None:
    outcome, _ = await chained(
        ("generalise", "reasoning"),
        notice_same=True,
        reject_same=reject,
        evolve_generalise=reply(HARDER),
        evolve_reasoning=reply(REASONING),
        same_query=[OTHER, SAME],
    )
    assert isinstance(outcome, Candidate)
    assert (outcome.query, outcome.metadata) == (HARDER, {"evolution": "generalise", "evolutions": ["generalise"]})


async def test_a_query_that_evolves_later_is_not_called_simple_but_one_that_is_only_compressed_is() -> None:
    said = {"evolve_generalise": reply(HARDER), "evolve_reasoning": reply(REASONING), "evolve_compress": reply("clock")}
    outcome, _ = await chained(CHAIN, notice_same=True, same_query=[SAME, SAME, SAME, OTHER], **said)
    assert isinstance(outcome, Candidate)
    assert outcome.metadata == {"evolution": "compress", "evolutions": ["reasoning", "compress"]}
    outcome, _ = await chained(CHAIN, notice_same=True, same_query=SAME, **said)
    assert isinstance(outcome, Candidate)
    assert outcome.metadata == {"evolution": "compress", "evolutions": ["compress"], "unevolved": True}


async def test_a_compressed_query_is_the_old_one_in_fewer_words_and_is_not_compared() -> None:
    outcome, llm = await chained(("compress",), notice_same=True, evolve_compress=reply("salisbury clock builder"))
    assert isinstance(outcome, Candidate)
    assert (outcome.query, len(llm.requests)) == ("salisbury clock builder", 1)


async def test_the_very_same_words_are_the_old_query_without_asking_the_critic() -> None:
    outcome, llm = await chained(("reasoning",), notice_same=True, evolve_reasoning=[reply(QUERY.lower()), reply(None)])
    assert isinstance(outcome, Candidate)
    assert outcome.metadata == {"evolution": "none"}
    assert [request.prompt for request in llm.requests] == ["evolve_reasoning", "evolve_reasoning"]


async def test_every_evolution_is_judged_by_its_passages_and_a_reject_names_the_one_that_went_wrong() -> None:
    falls = EvolutionVerdict(reason="No cause is stated.", standalone=1, answerable=0)
    outcome, llm = await chained(
        judge=True,
        evolve_generalise=reply(HARDER),
        evolve_reasoning=reply(REASONING),
        evolve_compress=reply("clock"),
        judge_evolution=[STANDS, falls],
    )
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason, outcome.query) == ("evolve", "not_answerable", REASONING)
    assert outcome.detail == "reasoning (2nd of 3): No cause is stated."
    assert llm.requests[1].inputs == {"chunks": [CHUNK.text], "titles": [CHUNK.section], "query": HARDER}
    assert [request.prompt for request in llm.requests].count("judge_evolution") == 2


async def test_an_evolution_that_does_not_stand_alone_is_a_reject() -> None:
    verdict = EvolutionVerdict(reason="Which two?", standalone=0, answerable=1)
    outcome, _ = await chained(("generalise",), judge=True, evolve_generalise=reply(HARDER), judge_evolution=verdict)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.detail) == ("not_standalone", "generalise: Which two?")


async def test_a_judged_evolution_has_the_judgement_in_its_lineage_and_a_query_as_it_was_is_not_judged() -> None:
    outcome, llm = await chained(
        ("generalise", "reasoning"),
        judge=True,
        evolve_generalise=reply(HARDER),
        evolve_reasoning=reply(None),
        judge_evolution=STANDS,
    )
    assert isinstance(outcome, Candidate)
    assert [step.kind for step in outcome.lineage] == ["generalise", "judge", "reasoning"]
    assert [request.prompt for request in llm.requests].count("judge_evolution") == 1


@pytest.mark.parametrize("broken", ["same_query", "judge_evolution"])
async def test_a_verdict_that_cannot_be_read_is_a_reject_and_never_a_label(broken: str) -> None:
    said: dict[str, Any] = {"same_query": OTHER, "judge_evolution": STANDS, broken: '{"reason": "It depends."}'}
    outcome, llm = await chained(
        ("generalise", "reasoning"), notice_same=True, judge=True, evolve_generalise=reply(HARDER),
        evolve_reasoning=reply(REASONING), **said,
    )  # fmt: skip
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("evolve", "malformed_reply")
    assert outcome.detail.startswith(f"generalise (1st of 2): {broken}: ")
    assert [request.prompt for request in llm.requests].count(broken) == 3


async def test_the_second_chunk_comes_first_and_the_rest_of_the_chain_goes_on_from_there() -> None:
    wider = "Which tramway opened after the electric one of Brill?"
    given = Candidate(chunks=TRAMS[:1], spare=TRAMS[1:], query="When did the Aldmoor tramway open?")
    llm = Scripted({"evolve_multi_context": [reply(wider)], "evolve_reasoning": [reply(None)], "same_query": [OTHER],
                    "judge_evolution": [STANDS, EvolutionVerdict(reason="No.", standalone=1, answerable=0)]})  # fmt: skip
    setup = drawing(("multi_context", "reasoning"), TRAMS[0].id, same_query=True, judge_evolutions=True)
    outcome = await outcome_of("evolve", given, llm, setup)
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.query, outcome.metadata["evolutions"]) == (TRAMS[:2], wider, ["multi_context"])
    judged = next(request for request in llm.requests if request.prompt == "judge_evolution")
    assert judged.inputs == {"chunks": [chunk.text for chunk in TRAMS[:2]], "titles": ["", ""], "query": wider}
    refused = await outcome_of("evolve", given, llm, setup)
    assert isinstance(refused, Reject)
    assert refused.detail == "multi_context (1st of 2): No."


WEIGHTS = st.dictionaries(
    st.sampled_from([*EVOLUTIONS, "multi_context", "none"]), st.sampled_from([0.0, 1.0, 2.5]), max_size=6
)


@drawn(
    weights=WEIGHTS, depth=st.integers(1, 4), compress=st.booleans(), seed=st.integers(0, 3), case=st.text(max_size=5)
)
def test_a_chain_holds_different_kinds_with_a_weight_compress_last_and_the_second_chunk_first(
    weights: dict[str, float], depth: int, compress: bool, seed: int, case: str
) -> None:
    kinds = draw_evolutions(weights, depth, compress=compress, seed=seed, case=case)
    assert kinds == draw_evolutions(dict(reversed(weights.items())), depth, compress=compress, seed=seed, case=case)
    assert len(set(kinds)) == len(kinds) <= depth + compress
    assert all(weights.get(kind, 0) > 0 or (compress and kind == "compress") for kind in kinds)
    assert "none" not in kinds
    assert "compress" not in kinds[:-1]
    assert "multi_context" not in kinds[1:]
    assert not compress or kinds[-1] == "compress"
    if depth > 1:
        assert (
            kinds[:1] == draw_evolutions(weights, 1, compress=compress, seed=seed, case=case)[:1] or "compress" in kinds
        )


def test_kinds_are_drawn_by_weight_at_every_place() -> None:
    weights = {"reasoning": 3.0, "generalise": 1.0}
    chains = [draw_evolutions(weights, 2, compress=False, seed=0, case=str(number)) for number in range(400)]
    # three quarters of 400 is 300; four standard deviations of a binomial are 4 * sqrt(400 * 0.75 * 0.25) = 35
    assert abs(sum(kinds[0] == "reasoning" for kinds in chains) - 300) < 35
    assert all(len(kinds) == 2 for kinds in chains)
    assert chains != [draw_evolutions(weights, 2, compress=False, seed=1, case=str(number)) for number in range(400)]


def test_none_ends_a_chain_wherever_it_is_drawn() -> None:
    weights = {"reasoning": 1.0, "generalise": 1.0, "none": 1.0}
    lengths = Counter(
        len(draw_evolutions(weights, 2, compress=False, seed=0, case=str(number))) for number in range(900)
    )
    # a third draws none first: 300; of the others half draw it second: 300; standard deviation sqrt(900 * 2/9) = 14
    assert all(abs(lengths[length] - 300) < 57 for length in (0, 1, 2))
    assert draw_evolutions({"none": 1.0}, 4, compress=False, seed=0, case="x") == ()
    assert draw_evolutions({"none": 1.0}, 4, compress=True, seed=0, case="x") == ("compress",)


async def test_a_query_that_comes_to_say_who_asks_is_asked_for_once_more_then_a_reject() -> None:
    setup = drawing(("reasoning",), CHUNK.id, personas=(Persona(name="bell ringer", voice="short"),))
    leak = reply("As a bell ringer I want to know who made the tower clock of Salisbury")

    async def told(*replies: EvolvedQuery) -> tuple[Candidate | Reject, Scripted]:
        llm = Scripted({"evolve_reasoning": replies})
        return await outcome_of("evolve", candidate(QUERY), llm, setup), llm

    outcome, llm = await told(leak, reply(HARDER))
    assert isinstance(outcome, Candidate)
    assert outcome.query == HARDER
    assert "The query says who asks." in llm.requests[1].messages[-1].content
    outcome, llm = await told(leak)
    assert isinstance(outcome, Reject)
    assert (outcome.reason, outcome.query, len(llm.requests)) == ("speaks_of_persona", QUERY, 2)
