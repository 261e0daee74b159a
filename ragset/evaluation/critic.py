"""A critic asked about the answers of one system, from a program that runs no flow."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, NamedTuple, TypeVar

from ragset.evaluation.diagnosis import PROMPTS as DIAGNOSIS_PROMPTS
from ragset.evaluation.diagnosis import diagnose, diagnosis_scores, has_claims, judge
from ragset.evaluation.goldens import TestSet
from ragset.evaluation.metrics.claims import Diagnosis
from ragset.evaluation.metrics.judged import FAITHFULNESS_PROMPT
from ragset.evaluation.metrics.judged import PROMPT as JUDGE_PROMPT
from ragset.evaluation.metrics.scores import Score
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.scoring import score_answer, unanswered_scores
from ragset.llm.connect import connected
from ragset.llm.gather import gather_all
from ragset.llm.prompts import load_prompt
from ragset.llm.protocol import LLM
from ragset.llm.tracing import about
from ragset.models import Golden
from ragset.settings import OFFLINE, Budget, Environment, ModelSettings

T = TypeVar("T")


class Judged(NamedTuple):
    """What was found of a system's answers."""

    scores: list[Score]
    diagnoses: dict[str, Diagnosis]
    """By golden id; where no diagnosis was asked for, the assertions of corpus-wide goldens alone."""


async def judged_by(
    critic: ModelSettings, run: str, work: Callable[[LLM | None], Awaitable[T]], budget: Budget | None = None
) -> T:
    """What `work` makes of the critic; it gets None where the critic is no model."""
    if critic.model == OFFLINE:
        return await work(None)
    async with connected(critic, Environment(), budget or Budget(), run) as llm:
        return await work(llm)


async def judge_answers(
    ranked: RetrievalResult, of: TestSet, critic: LLM | None, language: str = "en", *, answers: bool, diagnosis: bool
) -> Judged:
    """Every golden's answer by words, by the critic if there is one, and by its claims if a diagnosis is asked for.

    `answers` says whether the system answers: if not, a diagnosis is of its passages alone.
    """
    folder = Environment().ragset_prompts
    named = (JUDGE_PROMPT, FAITHFULNESS_PROMPT, *DIAGNOSIS_PROMPTS) if critic else ()
    prompts = {name: load_prompt(name, language, folder) for name in named}
    cites = answers and bool(ranked.cited)
    graded: dict[str, Diagnosis] = {}

    def passages(golden: Golden) -> tuple[str, ...]:
        return ranked.passages_of(golden.id, of.corpus, len(ranked.hits[golden.id]))

    async def scored(golden: Golden) -> list[Score]:
        if golden.id not in ranked.hits:
            return unanswered_scores(golden, judged=critic is not None)
        answer = ranked.answers.get(golden.id)
        values = score_answer(golden, answer)
        if critic is not None:
            with about(golden.query, golden=golden.id):
                judged, assertions = await judge(golden, answer, passages(golden), prompts, critic)
            values |= judged
            graded.update({golden.id: assertions} if assertions else {})
        return [Score(golden.id, metric, value) for metric, value in values.items()]

    async def diagnosed(golden: Golden) -> Diagnosis | None:
        if critic is None or golden.id not in ranked.hits:
            return None
        answer, cited = ranked.answers.get(golden.id), ranked.cited.get(golden.id, ()) if cites else None
        with about(golden.query, golden=golden.id):
            return await diagnose(golden, answer, passages(golden), prompts, critic, answers=answers, cited=cited)

    scores = [
        score for of_golden in await gather_all(*map(scored, of.goldens if answers else ())) for score in of_golden
    ]
    asked = [golden for golden in of.goldens if diagnosis and has_claims(golden)]
    found = {golden.id: one for golden, one in zip(asked, await gather_all(*map(diagnosed, asked)), strict=True)}
    for golden, one in found.items():
        scores += diagnosis_scores(golden, one, answers=answers, cites=cites)
    return Judged(scores, graded | {golden: one for golden, one in found.items() if one})


def in_event_loop(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, also where a loop is running in this thread, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    # In a copy of this context, so that spans of judgements become children of the one that is open here.
    return ThreadPoolExecutor(1, "ragset evaluate").submit(copy_context().run, asyncio.run, work).result()
