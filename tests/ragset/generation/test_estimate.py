from collections.abc import Sequence

import pytest

from ragset.errors import LLMUnavailable
from ragset.generation.checks import PRESETS, CheckSettings
from ragset.generation.estimate import Find, Pilot, foresee, pilot, scaled
from ragset.generation.evolutions import EVOLUTIONS, WIDENING
from ragset.generation.pipeline import pipeline
from ragset.generation.stage import Case, Models, Role, Setup
from ragset.llm.prompts import load_prompt
from ragset.llm.protocol import LLM, Completion, Request
from ragset.llm.replies import ChunkVerdict, Criticism, Critique, GroundedAnswer, Grounding, QueryDraft, Supports
from ragset.llm.usage import Price, Prices
from ragset.models import Candidate, Reject, Usage
from ragset.settings import ContextWritingSettings, WritingSettings
from ragset.text.tokens import count_tokens
from tests.samples import CHUNK, PLAIN_SETUP, TRAMS, candidate, prompts
from tests.scripted import Scripted

PRICES = Prices(models={"m": Price(input=2.0, output=10.0)})
NAMES = ("draft_open_query", "answer_query", "critique_golden")
ASKED = "Who made Salisbury's oldest clock?"
FIVE = Criticism(reason="x", score=5)
REPLIES = {
    "draft_open_query": [QueryDraft(reason="x", query=None), QueryDraft(reason="x", query=ASKED)],
    "answer_query": [GroundedAnswer(reason="x", verdict="answered", answer="Smiths.", quotes=("three smiths",))],
    "critique_golden": [
        Critique(groundedness=Grounding(reason="x", needed=(1,), score=5), relevance=FIVE, clarity=FIVE)
    ],
}


def usage(calls: int, prompt: int, completion: int) -> Usage:
    return Usage(stage="draft", prompt="p", model="m", calls=calls, prompt_tokens=prompt, completion_tokens=completion)


def of(kept: int, *rows: Usage) -> Pilot:
    """A pilot in which all that was spent went into what passed."""
    return Pilot(kept=kept, usage=rows, through=rows if kept else (), passed=kept)


async def tried(
    candidates: Sequence[Candidate], llm: LLM, setup: Setup = PLAIN_SETUP, find: Find | None = None
) -> Pilot:
    stages = pipeline(setup)
    given = prompts(*(name for stage in stages for name in stage.prompts))
    return await pilot(candidates, stages, Case(setup, given, Models(llm, llm, llm)), PRICES, find)


async def test_a_pilot_counts_what_passes_all_stages_and_what_it_took() -> None:
    llm = Scripted(REPLIES)
    found = await tried([candidate()] * 3, llm)
    # one of three drafts finds nothing to ask, so two are answered and critiqued
    assert (found.kept, found.passed) == (2, 2)
    assert {(row.stage, row.calls, row.prompt_tokens) for row in found.usage} == {
        ("draft", 3, 300),
        ("answer", 2, 200),
        ("critique", 2, 200),
    }
    assert {(row.stage, row.calls) for row in found.through} == {
        ("draft", 2),
        ("answer", 2),
        ("critique", 2),
    }


async def test_a_pilot_searches_where_the_run_would() -> None:
    support = Supports.model_validate(
        {"reason": "x", "passages": [{"passage": 1, "reason": "x", "verdict": "none", "quotes": []}]}
    )
    llm = Scripted({**REPLIES, "draft_open_query": REPLIES["draft_open_query"][1:], "judge_support": [support]})
    searched: list[Candidate] = []

    def find(candidates: Sequence[Candidate]) -> list[Candidate | Reject]:
        searched.extend(candidates)
        (one,) = candidates
        if len(searched) == 1:
            return [one.rejected("find", "not_found_again")]
        return [one.model_copy(update={"found": (CHUNK,)})]

    found = await tried(
        [candidate()] * 3, llm, Setup(WritingSettings(styles={"open": 1}), CheckSettings(holes=True)), find
    )
    assert (found.kept, len(searched)) == (2, 3)
    assert {row.stage: row.calls for row in found.usage}["support"] == 2


async def test_a_pilot_without_candidates_costs_nothing() -> None:
    assert await tried([], Scripted({})) == (0, (), (), 0)


async def test_a_pilot_that_cannot_ask_stops() -> None:
    class Down:
        model = "down"

        async def complete(self, request: Request) -> Completion:
            raise LLMUnavailable("no answer")

    with pytest.raises(LLMUnavailable):
        await tried([candidate()], Down())


def test_a_share_of_a_half_needs_twice_as_many_chunks() -> None:
    found = scaled(of(5, usage(20, 1_000, 100)), tried=10, wanted=30, eligible=500, prices=PRICES, basis="b")
    # 30 goldens at 5 of 10 take 60 chunks: six times the pilot
    assert (found.goldens, found.chunks_tried, found.chunks_eligible, found.passed) == (30, 60, 500, 0.5)
    assert (found.totals.calls, found.totals.prompt_tokens, found.totals.completion_tokens) == (120, 6_000, 600)
    # 6,000 tokens at $2 and 600 at $10 a million: 0.012 + 0.006
    assert found.totals.cost == pytest.approx(0.018)


def test_a_part_of_a_chunk_is_a_whole_one() -> None:
    found = scaled(of(2, usage(3, 300, 30)), tried=3, wanted=5, eligible=100, prices=PRICES, basis="b")
    # 5 at two thirds are 7.5 chunks, so 8 are tried
    assert (found.chunks_tried, found.goldens) == (8, 5)
    assert found.totals.calls == 8


def test_a_small_corpus_is_used_up() -> None:
    found = scaled(of(5, usage(10, 100, 10)), tried=10, wanted=100, eligible=40, prices=PRICES, basis="b")
    assert (found.goldens, found.chunks_tried) == (20, 40)


def test_all_is_every_eligible_chunk() -> None:
    found = scaled(of(8, usage(10, 100, 10)), tried=10, wanted=None, eligible=50, prices=PRICES, basis="b")
    assert (found.goldens, found.chunks_tried) == (40, 50)


def test_a_pilot_that_kept_nothing_has_no_share() -> None:
    found = scaled(of(0, usage(10, 100, 10)), tried=10, wanted=20, eligible=50, prices=PRICES, basis="b")
    assert (found.passed, found.chunks_tried, found.goldens) == (None, 20, 0)
    assert (found.if_all_pass, found.most) == ((), found.usage)


@pytest.mark.parametrize(
    ("wanted", "mixed", "tried"), [(20, False, 20), (80, False, 50), (None, False, 50), (20, True, 50)]
)
def test_the_other_end_is_that_every_chunk_tried_goes_through_all_stages(
    wanted: int | None, mixed: bool, tried: int
) -> None:
    # Of ten chunks two pass, which take five calls each of the 18 in all.
    found = Pilot(kept=2, usage=(usage(18, 1_800, 180),), through=(usage(10, 1_000, 100),), passed=2)
    estimate = scaled(found, tried=10, wanted=wanted, eligible=50, prices=PRICES, basis="b", mixed=mixed)
    (row,) = estimate.if_all_pass
    assert (row.calls, row.prompt_tokens) == (5 * tried, 500 * tried)
    assert estimate.if_all_pass_goldens == min(wanted or 50, tried)
    assert estimate.most == (estimate.if_all_pass if 5 * tried > estimate.totals.calls else estimate.usage)


def test_a_chunk_that_grows_into_two_goldens_counts_as_two() -> None:
    found = Pilot(kept=4, usage=(usage(10, 0, 0),), through=(usage(10, 0, 0),), passed=2)
    estimate = scaled(found, tried=2, wanted=8, eligible=50, prices=PRICES, basis="b")
    assert (estimate.chunks_tried, estimate.if_all_pass[0].calls, estimate.if_all_pass_goldens) == (4, 20, 8)


def test_nothing_tried_is_nothing_estimated() -> None:
    found = scaled(of(0), tried=0, wanted=20, eligible=0, prices=PRICES, basis="b")
    assert (found.goldens, found.chunks_tried, found.totals.calls, found.totals.cost) == (0, 0, 0, 0)


def test_an_unknown_price_is_an_unknown_cost() -> None:
    row = usage(1, 1, 1).model_copy(update={"model": "nobody-knows"})
    assert scaled(of(1, row), tried=1, wanted=1, eligible=1, prices=PRICES, basis="b").totals.cost is None


ROLES: dict[Role, str] = {"generator": "m", "critic": "m", "reader": "m"}


def foreseen(setup: Setup = PLAIN_SETUP, roles: dict[Role, str] = ROLES, of: int = 1) -> dict[str, Usage]:
    stages = pipeline(setup)
    given = prompts(*(name for stage in stages for name in stage.prompts))
    found, scale = foresee([candidate()], of, stages, setup, given, roles, PRICES)
    assert scale == 1_000
    return {row.prompt: row for row in found.usage}


def test_priors_foresee_how_many_calls_each_stage_makes() -> None:
    rows = foreseen()
    # of 1,000 passages 93 % are drafted from, and all of these are answered
    assert [rows[name].calls for name in NAMES] == [1000, 930, 930]
    # half of the passages are dropped by the rules before
    assert foreseen(of=2)["answer_query"].calls == 465


def test_prompts_are_measured_with_the_texts_of_the_corpus() -> None:
    row = foreseen(Setup(PLAIN_SETUP.writing, CheckSettings(judge_chunks=True)))["judge_chunk"]
    messages = load_prompt("judge_chunk").render({"chunk": CHUNK.text})
    # each message costs 4 tokens beside its own
    assert row.prompt_tokens == 930 * sum(count_tokens(message.content) + 4 for message in messages)
    sizes = [
        count_tokens(ChunkVerdict.model_validate(case.reply).model_dump_json())
        for case in load_prompt("judge_chunk").examples
    ]
    assert row.completion_tokens == round(930 * round(1000 * sum(sizes) / len(sizes)) / 1000)


def test_the_mix_of_styles_and_evolutions_is_foreseen() -> None:
    writing = WritingSettings(styles={"open": 3, "exam": 1}, evolutions={"reasoning": 1, "none": 1})
    rows = foreseen(Setup(writing, CheckSettings(same_query=True)))
    assert (rows["draft_open_query"].calls, rows["draft_exam_query"].calls) == (750, 250)
    # about half of the 1,000 drafts evolve; four standard deviations of 100 draws are 4 * sqrt(0.25 / 100) = 0.2
    assert abs(rows["evolve_reasoning"].calls - 500) < 0.2 * 1000
    assert rows["same_query"].calls == rows["evolve_reasoning"].calls


def test_every_prompt_of_the_thorough_preset_can_be_measured() -> None:
    writing = ContextWritingSettings(
        evolutions=dict.fromkeys((*EVOLUTIONS, *WIDENING), 1.0), compress=True, separate=True
    )
    setup = Setup(writing, PRESETS["thorough"], min_chunks=2)
    stages = pipeline(setup)
    given = prompts(*(name for stage in stages for name in stage.prompts))
    found, _ = foresee([Candidate(chunks=TRAMS)], 1, stages, setup, given, ROLES, PRICES)
    rows = {row.prompt: row for row in found.usage}
    # 87 % of the contexts are drafted from, and each query joins 2.2 chunks
    assert rows["judge_chunk"].calls == 1914
    assert rows["judge_support"].prompt_tokens > 0


def test_all_chunks_of_a_context_are_shown_to_its_writer_alone() -> None:
    setup = Setup(ContextWritingSettings(), min_chunks=2)
    given = prompts(*(name for stage in pipeline(setup) for name in stage.prompts))

    def sent(chunks: int) -> dict[str, int]:
        context = Candidate(chunks=(*TRAMS, *TRAMS, *TRAMS, *TRAMS)[:chunks])
        found, _ = foresee([context], 1, pipeline(setup), setup, given, ROLES, PRICES)
        return {row.prompt: row.prompt_tokens for row in found.through}

    few, eight = sent(3), sent(8)
    assert eight["draft_multi_query"] > few["draft_multi_query"]
    assert eight["answer_multi_query"] == few["answer_multi_query"]
    assert eight["critique_golden"] == few["critique_golden"]


def test_unanswerable_queries_are_judged_by_what_a_search_finds() -> None:
    rows = foreseen(Setup(WritingSettings(styles={"open": 1}, unanswerable=0.5), CheckSettings(pool=4)))
    assert (rows["draft_unanswerable"].calls, rows["draft_open_query"].calls) == (500, 500)
    # half of 1000 * 0.93 * 0.9 candidates, a call of 8 passages each
    assert rows["judge_support"].calls == 419


def test_offline_rules_cost_nothing() -> None:
    rows = foreseen(roles=dict.fromkeys(ROLES, "offline"))
    assert all(row.prompt_tokens == row.completion_tokens == 0 for row in rows.values())


def test_without_candidates_nothing_is_foreseen() -> None:
    assert foresee([], 7, pipeline(PLAIN_SETUP), PLAIN_SETUP, {}, ROLES, PRICES) == (Pilot(0, (), (), 0), 7)
