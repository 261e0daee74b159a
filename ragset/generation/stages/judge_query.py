"""Asks the critic whether a drafted query can be sent to a search engine as it stands; if not, rewrites it."""

from collections.abc import Mapping

from ragset.generation.personas import PLAIN, WritingStyle, complain_of_writing_style
from ragset.generation.stages.draft import complain_of_query
from ragset.llm.ask import Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import EvolvedQuery, QueryVerdict
from ragset.models import Candidate, Reject, Step

STAGE = "screen"
PROMPT = "judge_query"
REWRITE_PROMPT = "rewrite_query"


async def screen_query(
    candidate: Candidate,
    prompts: Mapping[str, Prompt],
    critic: LLM,
    generator: LLM,
    *,
    max_rewrites: int,
    language: str = "en",
    writing_style: WritingStyle = PLAIN,
) -> Candidate | Reject:
    """The candidate with a query that the critic lets pass, after at most `max_rewrites` rewrites.

    `metadata["rewrites"]` counts them, and `metadata["feedback"]` is what the critic said each time.
    """
    judging, rewriting = prompts[PROMPT], prompts[REWRITE_PROMPT]
    passages = candidate.texts
    feedback: list[str] = []
    while True:
        verdict = await ask(critic, judging, QueryVerdict, {"query": candidate.query}, stage=STAGE)
        if isinstance(verdict, Unfit):
            return candidate.rejected(STAGE, verdict.reason, verdict.detail)
        if verdict.verdict and verdict.independent and verdict.clear:
            metadata = {**candidate.metadata, "rewrites": len(feedback)}
            if feedback:
                metadata["feedback"] = feedback
            return candidate.grown(Step(stage=STAGE, prompt=judging.id, model=critic.model), metadata=metadata)
        if len(feedback) == max_rewrites:
            reason = "not_standalone" if not verdict.independent else "unclear"
            tried = f"rewritten {len(feedback)} times: " if feedback else ""
            return candidate.rejected(STAGE, reason, tried + verdict.feedback)
        rewritten = await ask(
            generator,
            rewriting,
            EvolvedQuery,
            {"chunk": candidate.text, "query": candidate.query, "feedback": verdict.feedback},
            stage=STAGE,
            check=lambda reply: (
                complain_of_query(reply.query, language)
                or complain_of_writing_style(reply.query, writing_style, passages, language or "en")
            ),
        )
        if isinstance(rewritten, Unfit):
            return candidate.rejected(STAGE, rewritten.reason, rewritten.detail)
        query = (rewritten.query or "").strip()
        if not query or query == candidate.query:
            return candidate.rejected(STAGE, "not_rewritten", f"{verdict.feedback} {rewritten.reason}")
        feedback.append(verdict.feedback)
        step = Step(stage=STAGE, kind="rewrite", prompt=rewriting.id, model=generator.model, query=query)
        candidate = candidate.grown(step, query=query)
