import json

import pytest

from ragset.errors import BudgetSpent, CaseRefused, LLMUnavailable, ProviderRefused
from ragset.llm.ask import Complaint, Unfit, ask, read_reply
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import Completion, Request
from ragset.llm.replies import ChunkVerdict, Criticism, QueryDraft
from tests.clients import client_of
from tests.fake_openai import Fake
from tests.scripted import Scripted

PROMPT = Prompt(
    name="draft_query",
    version=1,
    purpose="A query.",
    inputs=("chunk",),
    reply="QueryDraft",
    system="Write a query.",
    user="<chunk>{{ chunk }}</chunk>",
)
GOOD = QueryDraft(reason="States facts.", query="Why?")
BAD = QueryDraft(reason="States facts.", query="What does the text say?")


def completion(text: str, *, truncated: bool = False) -> Completion:
    return Completion(text=text, model="m", truncated=truncated)


def complain(reply: QueryDraft) -> Complaint | None:
    return Complaint(reason="leans", message="It leans on the text.") if "text" in (reply.query or "") else None


async def asked(llm: Scripted) -> QueryDraft | Unfit:
    return await ask(llm, PROMPT, QueryDraft, {"chunk": "Tea."}, stage="draft", check=complain)


async def test_reply_that_fits_is_asked_for_once() -> None:
    llm = Scripted({"draft_query": [GOOD]})
    assert await asked(llm) == GOOD
    assert len(llm.requests) == 1
    assert llm.requests[0].messages == PROMPT.render({"chunk": "Tea."})


async def test_malformed_reply_is_asked_for_again_with_what_was_wrong() -> None:
    llm = Scripted({"draft_query": ['{"reason": "a"}', GOOD]})
    assert await asked(llm) == GOOD
    *before, said, again = llm.requests[1].messages
    assert tuple(before) == llm.requests[0].messages
    assert (said.role, said.content) == ("assistant", '{"reason": "a"}')
    assert again.role == "user"
    assert "query: Field required" in again.content


async def test_malformed_replies_are_given_up_after_two_more() -> None:
    llm = Scripted({"draft_query": ["no"]})
    assert await asked(llm) == Unfit(reason="malformed_reply", detail="there is no JSON object in it")
    assert len(llm.requests) == 3


async def test_complaint_is_told_once() -> None:
    llm = Scripted({"draft_query": [BAD, GOOD]})
    assert await asked(llm) == GOOD
    assert llm.requests[1].messages[-1].content.startswith("It leans on the text.")


async def test_reply_that_is_complained_of_twice_is_unfit_for_that_reason() -> None:
    llm = Scripted({"draft_query": [BAD]})
    assert await asked(llm) == Unfit(reason="leans", detail="It leans on the text.")
    assert len(llm.requests) == 2


async def test_malformed_replies_and_complaints_are_bounded_together() -> None:
    llm = Scripted({"draft_query": ["no", BAD, "no", BAD]})
    assert isinstance(await asked(llm), Unfit)
    assert len(llm.requests) == 4


async def test_refused_case_is_unfit_and_everything_else_goes_up() -> None:
    class Raising:
        model = "raising"

        def __init__(self, error: Exception) -> None:
            self.error = error

        async def complete(self, request: Request) -> Completion:
            raise self.error

    found = await ask(Raising(CaseRefused("too long")), PROMPT, QueryDraft, {"chunk": "Tea."}, stage="draft")
    assert found == Unfit(reason="refused_by_provider", detail="too long")
    for error in (ProviderRefused("key"), LLMUnavailable("down"), BudgetSpent("spent")):
        with pytest.raises(type(error)):
            await ask(Raising(error), PROMPT, QueryDraft, {"chunk": "Tea."}, stage="draft")


@pytest.mark.parametrize("fault", ["malformed", "truncated"])
async def test_faulty_replies_of_a_server_are_asked_for_twice_more(fake: Fake, fault: str) -> None:
    fake.set(**{fault: 1.0})
    async with client_of(fake) as client:
        found = await ask(client, PROMPT, QueryDraft, {"chunk": "Tea."}, stage="draft")
    assert isinstance(found, Unfit)
    assert found.reason == "malformed_reply"
    assert fake.stats()["answered"] == 3


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "a", "score": 3}',
        '```json\n{"reason": "a", "score": 3}\n```',
        'Sure! Here it is: {"reason": "a", "score": 3} Anything else?',
        '<think>Perhaps {"reason": "b", "score": 1}?</think>{"reason": "a", "score": 3}',
        'Perhaps {"reason": "b", "score": 1}?</think>\n{"reason": "a", "score": 3}',
        'The set {x} is meant. {"reason": "a", "score": 3}',
        'In the form {"reason": "…"}: {"reason": "a", "score": 3}',
        '\ufeff[{"reason": "a", "score": 3}]',
    ],
)
def test_reply_is_found_wherever_a_model_puts_it(text: str) -> None:
    assert read_reply(completion(text), Criticism) == Criticism(reason="a", score=3)


def test_line_breaks_inside_strings_are_forgiven() -> None:
    assert read_reply(completion('{"reason": "a\nb", "score": 3}'), Criticism).reason == "a\nb"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no JSON object"),
        ("I would rather not.", "no JSON object"),
        ('{"reason": "a", "score": 3', "breaks off"),
        ('{"reason": "a", "score": 9}', "score: Input should be 1, 2, 3, 4 or 5"),
        ('{"reason": "a", "score": NaN}', "score"),
        ('{"reason": "a", "score": 3, "mood": "good"}', "mood: Extra inputs"),
        ('{"a":' * 30_000, "nested too deep|breaks off"),
        ("{" * 100_000, "breaks off"),
        ('{"reason": "a", "score": ' + "9" * 5000 + "}", "."),
    ],
)
def test_reply_that_does_not_fit_says_what_to_mend(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_reply(completion(text), Criticism)


def test_cut_off_reply_is_none_even_if_it_reads_well() -> None:
    with pytest.raises(ValueError, match="cut off"):
        read_reply(completion('{"reason": "a", "score": 3}', truncated=True), Criticism)


def test_unreadable_verdict_is_never_a_label() -> None:
    with pytest.raises(ValueError, match="self_containment"):
        read_reply(completion('{"reason": "a", "self_containment": null, "not_metadata": 1}'), ChunkVerdict)


def test_half_a_surrogate_pair_becomes_a_question_mark() -> None:
    text = json.dumps({"reason": "half \ud83d, whole \U0001f375", "score": 3})
    assert "\\ud83d," in text
    assert read_reply(completion(text), Criticism).reason == "half ?, whole \U0001f375"
