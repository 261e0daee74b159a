from collections.abc import Sequence
from typing import Any

import pytest

from ragset.errors import LLMUnavailable
from ragset.generation.checks import PRESETS, CheckSettings
from ragset.generation.estimate import Estimate, Find, Pilot, costs_of, estimate, pilot
from ragset.generation.evolutions import EVOLUTIONS, WIDENING
from ragset.generation.forecast import Rate
from ragset.generation.past_runs import PastRates
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
    assert found.kept == 2
    assert found.rates.stages == {"draft": (3, 2), "answer": (2, 2), "critique": (2, 2), "find": (2, 2)}
    # of 1,000 candidates: a call of 100 tokens each
    assert {name: [(row.calls, row.prompt_tokens) for row in rows] for name, rows in found.costs.items()} == {
        "draft": [(1_000, 100_000)],
        "answer": [(1_000, 100_000)],
        "critique": [(1_000, 100_000)],
        "find": [],
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
    assert found.rates.stages["find"] == (3, 2)
    assert found.costs["support"][0].calls == 1_000


async def test_a_pilot_without_candidates_costs_nothing() -> None:
    found = await tried([], Scripted({}))
    assert (found.kept, found.costs) == (0, {})


async def test_a_pilot_that_cannot_ask_stops() -> None:
    class Down:
        model = "down"

        async def complete(self, request: Request) -> Completion:
            raise LLMUnavailable("no answer")

    with pytest.raises(LLMUnavailable):
        await tried([candidate()], Down())


CERTAIN = Rate(1.0, 60)
STAGES = pipeline(PLAIN_SETUP)


def estimated(
    passed: tuple[int, int] = (0, 0),
    *,
    wanted: int | None = 30,
    eligible: int = 10_000,
    let_through: Rate = CERTAIN,
    mixed: bool = False,
    model: str = "m",
) -> Estimate:
    """By published rates, and a pilot of which that many entered and `passed` the draft; a draft takes 100 and 10 tokens."""
    row = usage(1_000, 100_000, 10_000).model_copy(update={"model": model})
    tried = PastRates(stages={"draft": passed})
    more: dict[str, Any] = {
        "let_through": let_through,
        "tried": tried,
        "wanted": wanted,
        "eligible": eligible,
        "mixed": mixed,
    }
    return estimate(STAGES, PLAIN_SETUP, {"draft": (row,)}, prices=PRICES, basis="b", **more)


def test_goldens_are_paid_for_by_the_drafts_that_they_take() -> None:
    found = estimated()
    # 80 % of drafts and 70 % of critiques pass, so 30 goldens take 30 / 0.56 = 54 drafts and more, as the rates are uncertain
    assert found.passed == pytest.approx(0.56)
    assert found.goldens == 30
    assert 54 <= found.totals.calls < 63
    # 100 tokens at $2 and 10 at $10 a million: $0.0003 a draft
    assert found.totals.cost == pytest.approx(found.totals.calls * 0.0003, rel=0.02)
    assert found.at_least[0].calls in range(30, found.totals.calls)
    assert found.at_most[0].calls in range(found.totals.calls + 1, 110)


def test_a_pilot_outweighs_the_published_rates() -> None:
    # 20 of 40 passed, and 4 more count at 0.8: (20 + 3.2) / 44 = 0.527, times 0.7
    assert estimated((40, 20)).passed == pytest.approx(0.527 * 0.7, abs=0.001)


def test_a_pilot_in_which_nothing_passed_still_gives_figures_for_the_goldens_wanted() -> None:
    found = estimated((10, 0))
    # 4 at 0.8 are 3.2 of 14
    assert found.passed == pytest.approx(3.2 / 14 * 0.7)
    assert found.goldens == 30
    assert found.totals.calls > 100
    assert found.at_most[0].calls > 2 * found.totals.calls


def test_with_a_mix_of_hardness_the_upper_end_is_the_whole_corpus() -> None:
    assert estimated(eligible=500, mixed=True).at_most[0].calls == 500


def test_a_corpus_of_which_the_rules_let_nothing_through_costs_nothing() -> None:
    found = estimated(eligible=500, let_through=Rate(0.0, 60))
    assert (found.passed, found.goldens, found.totals.calls, found.totals.cost) == (0, 0, 0, 0)


def test_an_unknown_price_is_an_unknown_cost() -> None:
    assert estimated(model="nobody-knows").totals.cost is None


def test_calls_that_no_pass_rate_changes_are_added_to_both_ends() -> None:
    before = estimated()
    once = usage(1, 1_700, 120)
    found = before.plus([once])
    assert (found.usage[0], found.at_least[0], found.at_most[0]) == (once, once, once)
    assert found.totals.calls == before.totals.calls + 1


ROLES: dict[Role, str] = {"generator": "m", "critic": "m", "reader": "m"}


def foreseen(setup: Setup = PLAIN_SETUP, roles: dict[Role, str] = ROLES) -> dict[str, Usage]:
    """What 1,000 candidates that enter a stage take, by prompt."""
    stages = pipeline(setup)
    given = prompts(*(name for stage in stages for name in stage.prompts))
    costs = costs_of([candidate()], stages, setup, given, roles)
    return {row.prompt: row for rows in costs.values() for row in rows}


def test_a_plain_pipeline_asks_for_a_draft_and_a_critique_of_each_candidate_and_for_few_answers() -> None:
    rows = foreseen()
    assert [rows[name].calls for name in NAMES] == [1000, 20, 1000]


def test_a_query_that_evolves_is_answered_anew() -> None:
    rows = foreseen(Setup(WritingSettings(styles={"open": 1}, evolutions={"deepen": 1})))
    assert rows["answer_query"].calls == 1000


def test_prompts_are_measured_with_the_texts_of_the_corpus() -> None:
    row = foreseen(Setup(PLAIN_SETUP.writing, CheckSettings(judge_chunks=True)))["judge_chunk"]
    messages = load_prompt("judge_chunk").render({"chunk": CHUNK.text})
    # each message costs 4 tokens beside its own
    assert row.prompt_tokens == 1_000 * sum(count_tokens(message.content) + 4 for message in messages)
    sizes = [
        count_tokens(ChunkVerdict.model_validate(case.reply).model_dump_json())
        for case in load_prompt("judge_chunk").examples
    ]
    assert row.completion_tokens == round(1_000 * sum(sizes) / len(sizes))


def test_the_mix_of_styles_and_evolutions_is_foreseen() -> None:
    writing = WritingSettings(styles={"open": 3, "exam": 1}, evolutions={"reasoning": 1, "none": 1})
    rows = foreseen(Setup(writing, CheckSettings(same_query=True)))
    assert (rows["draft_open_query"].calls, rows["draft_exam_query"].calls) == (750, 250)
    # about half of the 1,000 drafts evolve; four standard deviations of 100 draws are 4 * sqrt(0.25 / 100) = 0.2
    assert abs(rows["evolve_reasoning"].calls - 500) < 0.2 * 1000
    assert rows["same_query"].calls == rows["evolve_reasoning"].calls


def test_every_prompt_of_the_thorough_preset_can_be_measured() -> None:
    writing = ContextWritingSettings(evolutions=dict.fromkeys((*EVOLUTIONS, *WIDENING), 1.0), compress=True)
    setup = Setup(writing, PRESETS["thorough"], min_chunks=2)
    stages = pipeline(setup)
    given = prompts(*(name for stage in stages for name in stage.prompts))
    costs = costs_of([Candidate(chunks=TRAMS)], stages, setup, given, ROLES)
    rows = {row.prompt: row for rows in costs.values() for row in rows}
    # each query joins two chunks
    assert rows["judge_chunk"].calls == 2_000
    assert rows["judge_support"].prompt_tokens > 0


def test_all_chunks_of_a_context_are_shown_to_its_writer_alone() -> None:
    setup = Setup(ContextWritingSettings(), min_chunks=2)
    given = prompts(*(name for stage in pipeline(setup) for name in stage.prompts))

    def sent(chunks: int) -> dict[str, int]:
        context = Candidate(chunks=(*TRAMS, *TRAMS, *TRAMS, *TRAMS)[:chunks])
        costs = costs_of([context], pipeline(setup), setup, given, ROLES)
        return {row.prompt: row.prompt_tokens for rows in costs.values() for row in rows}

    few, eight = sent(3), sent(8)
    assert eight["draft_multi_query"] > few["draft_multi_query"]
    assert eight["answer_multi_query"] == few["answer_multi_query"]
    assert eight["critique_golden"] == few["critique_golden"]


def test_unanswerable_queries_are_judged_by_what_a_search_finds() -> None:
    rows = foreseen(Setup(WritingSettings(styles={"open": 1}, unanswerable=0.5), CheckSettings(pool=4)))
    assert (rows["draft_unanswerable"].calls, rows["draft_open_query"].calls) == (500, 500)
    # half of 1,000 candidates, a call of 8 passages each
    assert rows["judge_support"].calls == 500


def test_offline_rules_cost_nothing() -> None:
    rows = foreseen(roles=dict.fromkeys(ROLES, "offline"))
    assert all(row.prompt_tokens == row.completion_tokens == 0 for row in rows.values())


def test_without_candidates_nothing_is_foreseen() -> None:
    assert costs_of([], pipeline(PLAIN_SETUP), PLAIN_SETUP, {}, ROLES) == {}
