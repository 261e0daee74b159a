"""Answers of a RAG system as a critic judges them. What the critic leaves unjudged is NaN, never a default."""

import logging
import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from ragset.llm.ask import Unfit, ask
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

    `chunks` are the passages that the answer was made from, `prompts` by name `judge_answer` and `judge_faithfulness`.

    - `correctness`, (s - 1)/4 of the score from 1 to 5, `completeness` and `conciseness`, where there is a reference. Who
      abstains there is wrong and incomplete, and there is nothing whose conciseness could be judged.
    - `faithfulness`: the share of claims that the passages support, NaN without claims.
    - `abstention` of an unanswerable query, `attempted` of any other. An answer that claims nothing ("I do not know") is
      an abstention.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    said = (answer or "").strip()
    claiming = _claims(golden.query, said, chunks, prompts, llm)
    if golden.answer is None or golden.kind == UNANSWERABLE:
        claims = await claiming
        return {"abstention": 1 - _claimed(claims), "faithfulness": faithfulness(claims)}
    verdict: dict[str, float] = {}
    if golden.answer.strip():
        verdict, claims = await gather_all(_verdict(golden.query, golden.answer, said, prompts, llm), claiming)
    else:
        claims = await claiming
    return {**verdict, "faithfulness": faithfulness(claims), "attempted": _claimed(claims)}


def faithfulness(claims: Claims | None) -> float:
    """Claims that the passages support / claims; NaN where there are none."""
    if claims is None or not claims.claims:
        return math.nan
    return sum(claim.supported for claim in claims.claims) / len(claims.claims)


def _claimed(claims: Claims | None) -> float:
    """1 where something is claimed, 0 where nothing is; NaN without a judgement."""
    return math.nan if claims is None else float(bool(claims.claims))


async def _verdict(query: str, reference: str, said: str, prompts: Mapping[str, Prompt], llm: LLM) -> dict[str, float]:
    if not said:
        return {"correctness": 0.0, "completeness": 0.0, "conciseness": math.nan}
    inputs = {"query": query, "reference": reference, "answer": said}
    verdict = await _ask_for(AnswerVerdict, prompts[PROMPT], inputs, llm)
    if verdict is None:
        return dict.fromkeys(("correctness", "completeness", "conciseness"), math.nan)
    return {
        "correctness": (verdict.correctness - 1) / 4,
        "completeness": verdict.completeness,
        "conciseness": verdict.conciseness,
    }


async def _claims(
    query: str, said: str, chunks: Sequence[str], prompts: Mapping[str, Prompt], llm: LLM
) -> Claims | None:
    """None where there is no judgement."""
    if not said:
        return Claims(claims=())
    inputs = {"chunks": tuple(chunks), "query": query, "answer": said}
    return await _ask_for(Claims, prompts[FAITHFULNESS_PROMPT], inputs, llm)


async def _ask_for(reply: type[R], prompt: Prompt, inputs: Mapping[str, object], llm: LLM) -> R | None:
    found = await ask(llm, prompt, reply, inputs, stage=STAGE)
    if isinstance(found, Unfit):
        _logger.info("%s: no judgement: %s", prompt.name, found.reason)
        return None
    return found
