"""Asks a critic for the claims of a reference and of an answer, and which text states which."""

import logging
import math
from collections.abc import Mapping, Sequence

from ragset.evaluation.metrics.claims import CLAIM_METRICS, AnswerClaim, Diagnosis, ReferenceClaim, by_claims
from ragset.evaluation.metrics.judged import FAITHFULNESS_PROMPT, ask_critic, judge_answer
from ragset.evaluation.metrics.scores import Score
from ragset.llm.ask import Complaint
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import AnswerMatch, Claims, ClaimSources, ReferenceClaims
from ragset.models import CORPUS_WIDE, UNANSWERABLE, Golden

STAGE = "diagnose"
LIST_PROMPT, PASSAGES_PROMPT, ANSWER_PROMPT = "list_claims", "match_passages", "match_answer"
PROMPTS = (LIST_PROMPT, PASSAGES_PROMPT, ANSWER_PROMPT, FAITHFULNESS_PROMPT)

_logger = logging.getLogger(__name__)


def has_claims(golden: Golden) -> bool:
    """Whether there is a reference answer to take claims from; that of a corpus-wide query are its assertions."""
    return golden.kind not in {UNANSWERABLE, CORPUS_WIDE} and bool((golden.answer or "").strip())


async def diagnose(
    golden: Golden,
    answer: str | None,
    chunks: Sequence[str],
    prompts: Mapping[str, Prompt],
    llm: LLM,
    *,
    answers: bool,
    cited: tuple[int, ...] | None = None,
) -> Diagnosis | None:
    """What the critic finds; None where a judgement of it is missing.

    `chunks` are the passages that the reader was given, and `answers` says whether there is a reader: without an answer it
    abstained. The claims of the answer are those that faithfulness is judged by, so they are asked for once.
    """
    said = (answer or "").strip()
    asked = {"query": golden.query, "reference": golden.answer}
    listed = await ask_critic(ReferenceClaims, prompts[LIST_PROMPT], asked, llm, STAGE)
    inputs = {"chunks": tuple(chunks), "query": golden.query, "answer": said}
    found = await ask_critic(Claims, prompts[FAITHFULNESS_PROMPT], inputs, llm) if said else Claims(claims=())
    if listed is None or found is None:
        return None
    reference, claimed = (tuple(one.claim for one in of.claims) for of in (listed, found))
    # An answer often states a claim in the words of the reference: it is looked for once.
    statements = tuple(dict.fromkeys((*reference, *claimed)))
    sources = await _sources(golden.query, statements, chunks, prompts[PASSAGES_PROMPT], llm)
    # An answer that claims nothing states nothing, and nobody is asked.
    matched = (
        await _match({**asked, "answer": said}, reference, claimed, prompts[ANSWER_PROMPT], llm) if claimed else None
    )
    if sources is None or (claimed and matched is None):
        return None
    answered = [bool(one.stated) for one in matched.reference] if matched else [False] * len(reference)
    correct = [bool(one.stated) for one in matched.answer] if matched else []
    passages = dict(zip(statements, sources, strict=True))
    return Diagnosis(
        passages=len(chunks),
        reference=tuple(
            ReferenceClaim(
                text=one.claim,
                vital=bool(one.vital),
                passages=passages[one.claim],
                answered=states if answers else None,
            )
            for one, states in zip(listed.claims, answered, strict=True)
        ),
        answer=tuple(
            AnswerClaim(text=text, passages=passages[text], correct=right)
            for text, right in zip(claimed, correct, strict=True)
        )
        if answers
        else None,
        cited=cited,
    )


async def judge(
    golden: Golden, answer: str | None, chunks: Sequence[str], prompts: Mapping[str, Prompt], llm: LLM
) -> tuple[dict[str, float], Diagnosis | None]:
    """The judged metrics of an answer, as of `judge_answer`; of a corpus-wide query the assertions that it makes, and their share."""
    if golden.kind != CORPUS_WIDE:
        return await judge_answer(golden, answer, chunks, prompts, llm), None
    found = await _grade_assertions(golden, answer, prompts, llm)
    return {"assertions_met": by_claims("answer_recall", found) if found else math.nan}, found


async def _grade_assertions(
    golden: Golden, answer: str | None, prompts: Mapping[str, Prompt], llm: LLM
) -> Diagnosis | None:
    """Which assertions of a corpus-wide query the answer makes, by one call; None where the critic gives no judgement.

    A system that abstained makes none.
    """
    said, statements = (answer or "").strip(), [one.statement for one in golden.assertions]
    verdicts = [(False, "")] * len(statements)
    if said:
        inputs = {"query": golden.query, "reference": golden.answer or "\n".join(statements), "answer": said}
        matched = await _match(inputs, statements, (), prompts[ANSWER_PROMPT], llm)
        if matched is None:
            return None
        verdicts = [(bool(one.stated), one.reason) for one in matched.reference]
    claims = (
        ReferenceClaim(text=statement, vital=True, passages=(), answered=stated, reason=reason)
        for statement, (stated, reason) in zip(statements, verdicts, strict=True)
    )
    return Diagnosis(passages=0, reference=tuple(claims), answer=None)


async def _sources(
    query: str, claims: Sequence[str], chunks: Sequence[str], prompt: Prompt, llm: LLM
) -> list[tuple[int, ...]] | None:
    """The numbers of the passages that state each claim; without passages nothing is asked."""
    if not claims or not chunks:
        return [()] * len(claims)

    def complain(reply: ClaimSources) -> Complaint | None:
        if told := _misnumbered("claims", [one.claim for one in reply.sources], len(claims)):
            return told
        unknown = sorted({n for one in reply.sources for n in one.chunks if not 1 <= n <= len(chunks)})
        if not unknown:
            return None
        message = f"There is no passage {unknown[0]}: their numbers go from 1 to {len(chunks)}."
        return Complaint(reason="wrong_chunks", message=message)

    inputs = {"chunks": tuple(chunks), "query": query, "claims": tuple(claims)}
    found = await ask_critic(ClaimSources, prompt, inputs, llm, STAGE, complain)
    if found is None:
        return None
    return [tuple(sorted(set(one.chunks))) for one in sorted(found.sources, key=lambda one: one.claim)]


async def _match(
    inputs: Mapping[str, object], reference: Sequence[str], said: Sequence[str], prompt: Prompt, llm: LLM
) -> AnswerMatch | None:
    """Both lists in the order of the claims."""

    def complain(reply: AnswerMatch) -> Complaint | None:
        return _misnumbered("reference", [one.claim for one in reply.reference], len(reference)) or _misnumbered(
            "answer", [one.claim for one in reply.answer], len(said)
        )

    texts = {"claims": tuple(reference), "said": tuple(said)}
    found = await ask_critic(AnswerMatch, prompt, {**inputs, **texts}, llm, STAGE, complain)
    if found is None:
        return None
    ordered = {name: tuple(sorted(getattr(found, name), key=lambda one: one.claim)) for name in ("reference", "answer")}
    return found.model_copy(update=ordered)


def _misnumbered(what: str, numbers: Sequence[int], count: int) -> Complaint | None:
    if sorted(numbers) == [*range(1, count + 1)]:
        return None
    wanted = f"one entry for each of the numbers from 1 to {count}" if count else "no entry"
    return Complaint(reason="wrong_claims", message=f"{what}: give {wanted}; there are {sorted(numbers)}.")


def diagnosis_scores(golden: str, found: Diagnosis | None, *, answers: bool, cites: bool) -> list[Score]:
    """Metrics of claims; NaN where the critic did not judge, and none where a metric is not defined."""
    scores: list[Score] = []
    asked = {"claims": True, "answer claims": answers, "citations": cites}
    for name in (name for name, metric in CLAIM_METRICS.items() if asked[metric.needs]):
        value = by_claims(name, found) if found else math.nan
        if found is None or not math.isnan(value):
            scores.append(Score(golden, name, value))
    return scores
