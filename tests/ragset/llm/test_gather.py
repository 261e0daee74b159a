"""Calls made together: what one is answered is kept, whatever becomes of the others."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ragset.errors import BudgetSpent, InputError, LLMUnavailable, ProviderRefused
from ragset.evaluation.metrics.judged import judge_answer
from ragset.generation.checks import CheckSettings
from ragset.generation.stage import Setup
from ragset.generation.stages.support import MOST_PASSAGES
from ragset.llm.gather import gather_all
from ragset.llm.journal import Journal
from ragset.llm.journaled import BudgetTracker, Journaled
from ragset.llm.protocol import LLM
from ragset.llm.usage import Prices
from ragset.models import Candidate, Chunk, Golden
from ragset.settings import Budget, ContextWritingSettings, WritingSettings
from tests.clients import client_of
from tests.fake_openai import Fake
from tests.samples import outcome_of, prompts


def chunk(number: int) -> Chunk:
    text = f"The tramway of town number {number} opened in {1880 + number}."
    return Chunk(doc_id="d", start=100 * number, end=100 * number + len(text), text=text)


CHUNKS = tuple(map(chunk, range(2 * MOST_PASSAGES)))
CANDIDATE = Candidate(
    chunks=CHUNKS[:2], query="When did it open?", answer="In 1880.", evidence=(CHUNKS[0].span,), found=CHUNKS
)
GOLDEN = Golden(id="g", query="When?", answer="In 1880.", kind="single-chunk", evidence=(CHUNKS[0].span,), chunks=())


CHECKED = Setup(WritingSettings(), CheckSettings(judge_chunks=True, holes=True))


STAGES: dict[str, Callable[[LLM], Awaitable[Any]]] = {
    "judge": lambda llm: outcome_of("judge", CANDIDATE, llm, CHECKED),
    "necessity": lambda llm: outcome_of("necessity", CANDIDATE, llm, Setup(ContextWritingSettings())),
    "support": lambda llm: outcome_of("support", CANDIDATE, llm, CHECKED),
    "judge_answer": lambda llm: judge_answer(
        GOLDEN, "In 1880.", [CHUNKS[0].text], prompts("judge_answer", "judge_faithfulness"), llm
    ),
}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(("limits", "error"), [({}, ProviderRefused), ({"max_calls": 1}, BudgetSpent)])
async def test_a_reply_on_its_way_when_another_call_fails_is_kept(
    fake: Fake, tmp_path: Path, stage: str, limits: dict[str, int], error: type[Exception]
) -> None:
    fake.set(latency=0.2, quota_after=0 if limits else 1)
    journal = Journal(tmp_path / "journal.sqlite")
    async with client_of(fake) as client:
        llm = Journaled(client, journal, BudgetTracker(journal, "run", Budget.model_validate(limits), Prices()))
        with pytest.raises(error):
            await STAGES[stage](llm)
        assert journal.spent("run").calls == fake.stats()["answered"] == 1
    journal.close()


async def fail(error: BaseException, after: float = 0.0) -> None:
    await asyncio.sleep(after)
    raise error


async def test_results_come_in_the_order_of_what_was_asked() -> None:
    async def value(number: int, seconds: float) -> int:
        await asyncio.sleep(seconds)
        return number

    assert await gather_all(value(1, 0.02), value(2, 0.0), value(3, 0.01)) == (1, 2, 3)
    assert await gather_all() == ()


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        ((LLMUnavailable("1"), LLMUnavailable("2")), "1"),
        ((LLMUnavailable("gone"), asyncio.CancelledError(), ProviderRefused("quota")), "quota"),
        ((LLMUnavailable("later"), BudgetSpent("spent")), "spent"),
        ((BudgetSpent("spent"), InputError("disk")), "disk"),
        ((RuntimeError("the journal is closed"), LLMUnavailable("later")), "later"),
        ((asyncio.CancelledError(), KeyError("fault")), "'fault'"),
    ],
)
async def test_the_error_that_a_user_has_to_mend_is_raised_before_those_that_follow_from_it(
    errors: tuple[BaseException, ...], told: str
) -> None:
    with pytest.raises(BaseException) as raised:  # noqa: PT011
        await gather_all(*map(fail, errors))
    assert str(raised.value) == told


async def test_being_cancelled_cancels_all_and_returns_when_they_have_ended() -> None:
    ended: list[str] = []

    async def tidy(name: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            ended.append(name)

    together = asyncio.create_task(gather_all(tidy("first"), tidy("second"), fail(ValueError())))
    await asyncio.sleep(0.01)
    together.cancel()
    with pytest.raises(asyncio.CancelledError):
        await together
    assert sorted(ended) == ["first", "second"]
