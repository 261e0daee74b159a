"""Answers of a RAG system as a critic judges them. What the critic leaves unjudged is NaN, never a default."""

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import AnswerVerdict, Claims, Reply
from ragset.models import UNANSWERABLE, Golden

STAGE = "judge_answer"
PROMPT = "judge_answer"
FAITHFULNESS_PROMPT = "judge_faithfulness"
R = TypeVar("R", bound=Reply)

_logger = logging.getLogger(__name__)


async def judge_answer(
    golden: Golden, answer: str | None, chunks: Sequence[str], prompts: Mapping[str, Prompt], llm: LLM
) -> dict[str, float]:
    """The judged metrics of one answer, each from 0 to 1; `answer` is None or empty where the system abstained.

    `chunks` are the passages that the answer was made from.

    - `correctness`, (s - 1)/4 of the score from 1 to 5, `completeness` and `conciseness`, where there is a reference. An
      abstention there is wrong and incomplete, and its conciseness is NaN.
    - `faithfulness`: the share of claims that the passages support, NaN without claims.
    - `abstention` of an unanswerable query, `attempted` of any other. An answer without claims is an abstention.
    """
    said = (answer or "").strip()
    inputs = {"chunks": tuple(chunks), "query": golden.query, "answer": said}
    answerable = golden.answer is not None and golden.kind != UNANSWERABLE

    async def claimed() -> Claims | None:
        return await ask_critic(Claims, prompts[FAITHFULNESS_PROMPT], inputs, llm) if said else Claims(claims=())

    async def agreement() -> dict[str, float]:
        if not answerable or not (golden.answer or "").strip():
            return {}
        values = 0.0, 0.0, math.nan
        if said:
            asked = {"query": golden.query, "reference": golden.answer, "answer": said}
            verdict = await ask_critic(AnswerVerdict, prompts[PROMPT], asked, llm)
            values = (math.nan,) * 3
            if verdict:
                values = (verdict.correctness - 1) / 4, verdict.completeness, verdict.conciseness
        return dict(zip(("correctness", "completeness", "conciseness"), values, strict=True))

    scores, claims = await gather_all(agreement(), claimed())
    found = claims.claims if claims else ()
    faithfulness = {"faithfulness": sum(claim.supported for claim in found) / len(found) if found else math.nan}
    attempted = math.nan if claims is None else float(bool(found))
    # The order in which scores are written.
    return (
        {**scores, **faithfulness, "attempted": attempted}
        if answerable
        else {"abstention": 1 - attempted, **faithfulness}
    )


async def ask_critic(
    reply: type[R],
    prompt: Prompt,
    inputs: Mapping[str, object],
    llm: LLM,
    stage: str = STAGE,
    check: Callable[[R], Complaint | None] | None = None,
) -> R | None:
    """The judgement; None where there is none."""
    found = await ask(llm, prompt, reply, inputs, stage=stage, check=check)
    if isinstance(found, Unfit):
        _logger.info("%s: no judgement: %s", prompt.name, found.reason)
        return None
    return found
