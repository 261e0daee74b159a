from typing import Literal

import pytest

from ragset.generation.checks import CheckSettings
from ragset.generation.stage import Models, Setup
from ragset.llm.replies import AnswerVerdict, ClosedBookAnswer, Score
from ragset.models import Candidate, Reject
from ragset.settings import ContextWritingSettings, ModelSettings, WritingSettings
from tests.samples import QUERY, candidate, outcome_of, stages_of
from tests.scripted import Scripted

KNOWN = ClosedBookAnswer(reason="School.", verdict="answered", answer=" Three smiths. ")
UNKNOWN = ClosedBookAnswer(reason="Never heard of it.", verdict="abstained", answer=None)
NOTHING = ClosedBookAnswer(reason="x", verdict="answered", answer=" ")
MALFORMED = '{"verdict": "perhaps"}'


def graded(correctness: Score) -> AnswerVerdict:
    return AnswerVerdict(feedback="They agree.", correctness=correctness, completeness=1, conciseness=1)


async def closed(
    *replies: ClosedBookAnswer | str,
    verdict: AnswerVerdict | str = "",
    use: Literal["label", "filter"] = "label",
    given: Candidate | None = None,
) -> tuple[Candidate | Reject, Scripted, Scripted]:
    reader, critic = Scripted({"answer_closed_book": replies}), Scripted({"judge_answer": [verdict]})
    case = given or candidate(QUERY, "Three smiths from Delft.")
    setup = Setup(WritingSettings(), CheckSettings(closed_book=use))
    return await outcome_of("closed_book", case, Models(Scripted({}), critic, reader), setup), reader, critic


def label(outcome: Candidate | Reject) -> object:
    assert isinstance(outcome, Candidate)
    return outcome.metadata["closed_book"]


async def test_what_the_critic_accepts_is_known_and_labelled() -> None:
    outcome, reader, critic = await closed(KNOWN, verdict=graded(4))
    assert label(outcome) == {"known": True, "answer": "Three smiths.", "correctness": 4}
    assert [request.inputs for request in reader.requests] == [{"query": QUERY}]
    asked = {"query": QUERY, "reference": "Three smiths from Delft.", "answer": "Three smiths."}
    assert [request.inputs for request in critic.requests] == [asked]
    assert isinstance(outcome, Candidate)
    assert [(step.stage, step.kind) for step in outcome.lineage] == [
        ("closed_book", "answer"),
        ("closed_book", "judge"),
    ]


async def test_a_filter_rejects_what_is_known_with_the_critics_words() -> None:
    outcome, _, _ = await closed(KNOWN, verdict=graded(5), use="filter")
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("closed_book", "known_without_passage")
    assert outcome.detail == "correctness 5 of 5: They agree."


@pytest.mark.parametrize("use", ["label", "filter"])
async def test_a_wrong_answer_is_not_known(use: Literal["label", "filter"]) -> None:
    outcome, _, _ = await closed(KNOWN, verdict=graded(3), use=use)
    assert label(outcome) == {"known": False, "answer": "Three smiths.", "correctness": 3}


@pytest.mark.parametrize("use", ["label", "filter"])
async def test_who_abstains_knows_nothing_and_no_critic_is_asked(use: Literal["label", "filter"]) -> None:
    outcome, _, critic = await closed(UNKNOWN, use=use)
    assert label(outcome) == {"known": False, "answer": None, "correctness": None}
    assert critic.requests == []


async def test_an_answer_of_nothing_is_asked_for_again() -> None:
    outcome, reader, _ = await closed(NOTHING, UNKNOWN)
    assert label(outcome) == {"known": False, "answer": None, "correctness": None}
    assert "the answer is empty" in reader.requests[1].messages[-1].content


@pytest.mark.parametrize(
    ("replies", "verdict", "reason"),
    [([MALFORMED], "", "malformed_reply"), ([NOTHING], "", "empty_answer"), ([KNOWN], "no verdict", "malformed_reply")],
)
async def test_what_cannot_be_read_is_never_a_label(
    replies: list[ClosedBookAnswer | str], verdict: str, reason: str
) -> None:
    outcome, _, _ = await closed(*replies, verdict=verdict)
    assert label(outcome) == {"known": None, "unread": reason}
    outcome, _, _ = await closed(*replies, verdict=verdict, use="filter")
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("closed_book", reason)


async def test_an_unanswerable_query_passes_and_nobody_is_asked() -> None:
    near_miss = candidate(QUERY).model_copy(update={"metadata": {"unanswerable": {"missing": "who paid"}}})
    outcome, reader, _ = await closed(KNOWN, given=near_miss, use="filter")
    assert outcome == near_miss
    assert reader.requests == []


@pytest.mark.parametrize("use", ["label", "filter"])
def test_it_is_the_last_stage_of_both_pipelines(use: Literal["label", "filter"]) -> None:
    for writing in (WritingSettings(), ContextWritingSettings()):
        assert list(stages_of(Setup(writing, CheckSettings(closed_book=use))))[-1] == "closed_book"


def test_it_is_off_unless_asked_for() -> None:
    assert "closed_book" not in stages_of()


def test_the_reader_is_the_generator_unless_a_check_names_one() -> None:
    generator = ModelSettings(model="writes", temperature=0.3)
    assert CheckSettings(closed_book="label").reader(generator) == generator
    named = CheckSettings(closed_book="label", closed_book_reader="reads")
    assert named.reader(generator) == ModelSettings(model="reads", temperature=0.3)
    assert named.model_copy(update={"closed_book": "off"}).reader(generator) == generator
