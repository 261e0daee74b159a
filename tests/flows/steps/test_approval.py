"""What is asked before money is spent, and when; without a server."""

from typing import Any

import pytest
from pydantic import ValidationError

from flows.benchmark import calls_of
from flows.parameters.models import BenchmarkParameters, SingleChunkParameters
from flows.steps.approval import approve, approve_calls, check_answerable
from flows.steps.approval_form import Question, explain, form
from flows.steps.sources.chunks import DrawResult
from ragset.errors import InputError
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.grid import Grid
from ragset.models import Usage
from ragset.settings import ApprovalSettings, DocumentSettings, ModelSettings, WritingSettings
from tasks.batches import Recipe

OFFLINE, PAID = ModelSettings(), ModelSettings(model="some-model")


def row(stage: str, calls: int, cost: float | None, model: str = "some-model") -> Usage:
    return Usage(
        stage=stage,
        prompt=f"{stage}_it",
        model=model,
        calls=calls,
        prompt_tokens=100 * calls,
        completion_tokens=10 * calls,
        cost=cost,
    )


def question(*rows: Usage, most: int = 100, **limits: Any) -> Question:
    return Question(
        what=f"{most} goldens",
        rows=rows or (row("judge", 100, 0.5), row("draft", 80, 1.5)),
        basis="As counted.",
        limits=ApprovalSettings(**limits),
        most=most,
        foreseen=most,
    )


def making(**limits: Any) -> SingleChunkParameters:
    return SingleChunkParameters(documents=DocumentSettings(sources=("docs",)), approval=ApprovalSettings(**limits))


class Unasked:
    """A source that nothing may be drawn from."""

    index: Any = None
    stages: tuple[str, ...] = ()
    left = eligible = sampled = 0

    async def draw(self, size: int) -> DrawResult:
        raise AssertionError(size)


async def test_without_limits_nothing_is_estimated() -> None:
    recipe = Recipe.load(WritingSettings(), PAID, PAID, 0)
    assert await approve(making(), 7, recipe, Unasked()) == 7


async def test_the_offline_rules_cost_nothing_and_are_never_asked_about() -> None:
    recipe = Recipe.load(WritingSettings(), OFFLINE, OFFLINE, 0)
    assert await approve(making(above_calls=0), "all", recipe, Unasked()) == "all"
    offline = [row("read", 1000, 0, "offline")]
    await approve_calls(ApprovalSettings(above_calls=0), offline, "a comparison", "Counted.", "out")


@pytest.mark.parametrize(
    ("limits", "needed"),
    [
        # 100 + 80 calls at $0.50 + $1.50
        ({"above_calls": 180}, False),
        ({"above_calls": 179}, True),
        ({"above_cost": 2.0}, False),
        ({"above_cost": 1.99}, True),
        ({"above_calls": 1000, "above_cost": 1.0}, True),
    ],
)
def test_a_person_is_asked_above_a_limit_and_not_at_it(limits: dict[str, Any], needed: bool) -> None:
    assert question(**limits).needed is needed


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        # 100 + 80 calls at $0.50 + $1.50
        ({"above_cost": 1.0}, "180 calls of models and a cost of $2.00 (limit: $1.00)"),
        ({"above_calls": 90}, "180 calls of models (limit: 90) and a cost of $2.00"),
        ({"above_calls": 0, "above_cost": 0.01}, "180 calls of models (limit: 0) and a cost of $2.00 (limit: $0.0100)"),
    ],
)
def test_calls_and_cost_stand_beside_their_limits(limits: dict[str, Any], told: str) -> None:
    assert question(**limits).spending == told


def test_an_unknown_price_counts_as_above_and_the_form_says_how_to_give_it() -> None:
    unknown = question(row("judge", 1, None), above_cost=1_000_000.0)
    assert unknown.needed
    assert "The price of some-model is unknown" in explain(unknown)
    assert "RAGSET_PRICES" in explain(unknown)


def test_a_limit_of_calls_does_not_ask_what_prices_are() -> None:
    assert not question(row("judge", 1, None), above_calls=1).needed


def test_nothing_to_call_is_nothing_to_ask() -> None:
    assert not question(row("judge", 0, None), above_cost=0.0, above_calls=0).needed


def test_the_number_proposed_is_the_largest_within_both_limits() -> None:
    # 100 goldens take 180 calls and $2: 90 calls are 50 goldens, $0.50 are 25
    assert question(above_calls=90, above_cost=0.5).within == 25
    assert question(above_calls=0).within == 1


def test_the_form_takes_as_many_goldens_as_asked_for_or_fewer() -> None:
    schema = form(question(above_calls=90)).model_json_schema()["properties"]
    assert schema["decision"]["enum"] == ["go on", "cancel"]
    assert schema["decision"]["default"] == "go on"
    assert (schema["n"]["minimum"], schema["n"]["default"], schema["n"]["maximum"]) == (1, 100, 100)
    assert "50 stay within the limits" in schema["n"]["description"]
    assert all(field["title"] and field["description"] for field in schema.values())
    with pytest.raises(ValidationError):
        form(question(above_calls=90)).model_validate({"decision": "go on", "n": 101})


def test_one_golden_cannot_be_lowered() -> None:
    schema = form(question(most=1, above_calls=0)).model_json_schema()["properties"]
    assert set(schema) == {"decision"}


def test_the_form_shows_calls_tokens_and_cost_of_each_stage() -> None:
    rows = (row("judge", 100, 0.5), row("draft", 80, 1.5), row("draft", 20, 0.5))
    lines = explain(question(*rows, above_calls=90, wait_hours=1.5)).splitlines()
    assert lines[0] == (
        "This run is about to make **100 goldens**, at an estimate of **200 calls of models (limit: 90) and a cost of $2.50**."
    )
    # 100 + 10 tokens a call; both prompts of a stage together
    assert "| judge | 100 | 11,000 | $0.50 | some-model |" in lines
    assert "| draft | 100 | 11,000 | $2.00 | some-model |" in lines
    assert "| **all** | 200 | 22,000 | $2.50 |  |" in lines
    assert lines[-1] == "Without an answer the run ends after 1.5 hours."


def test_a_benchmark_counts_a_call_a_reader_two_a_judgement_and_one_a_model_that_reranks() -> None:
    asked = BenchmarkParameters(
        datasets=("set",),
        grid=Grid.model_validate({"retrieval": ["dense"], "reranker": ["none", "llm:ranker"], "reader": [PAID]}),
        systems=(ExternalSystem(name="theirs", http="http://127.0.0.1:1/ask"),),
        critic=ModelSettings(model="critic"),
    )
    rows = calls_of(asked, goldens=10)
    by_stage = {stage: sum(one.calls for one in rows if one.stage == stage) for stage in ("read", "rerank", "judge")}
    # two configurations are read, one of them reranked; their answers and those of one other system judged
    assert by_stage == {"read": 20, "rerank": 10, "judge": 60}
    diagnosed = calls_of(asked.model_copy(update={"diagnosis": True}), goldens=10)
    # and one for each reference, two for each query of the three
    assert sum(one.calls for one in diagnosed if one.stage == "diagnose") == 10 + 3 * 20


def test_a_command_without_a_server_that_could_be_answered_says_what_to_do() -> None:
    asked = SingleChunkParameters(
        documents=DocumentSettings(sources=("docs",)), generator=PAID, approval=ApprovalSettings(above_calls=10)
    )
    with pytest.raises(InputError, match=r"approval: .*flows serve.*PREFECT_API_URL"):
        check_answerable(asked)
    check_answerable(asked.model_copy(update={"generator": OFFLINE}))
    check_answerable(asked.model_copy(update={"approval": ApprovalSettings()}))


def test_what_is_made_does_not_depend_on_who_approved_it() -> None:
    plain = SingleChunkParameters(documents=DocumentSettings(sources=("docs",)))
    asking = plain.model_copy(update={"approval": ApprovalSettings(above_calls=10)})
    assert asking.identity == plain.identity
    assert asking.portable == plain.portable
