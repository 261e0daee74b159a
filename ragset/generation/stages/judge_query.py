"""Asks the critic whether a drafted query can be sent to a search engine as it stands; if not, rewrites it."""

from ragset.generation.stage import Case, Question
from ragset.generation.stages.query_rules import complain_of_written
from ragset.llm.replies import EvolvedQuery, QueryVerdict
from ragset.models import Candidate

JUDGE = Question("judge_query", "critic", QueryVerdict)
REWRITE = Question("rewrite_query", "generator", EvolvedQuery)


async def screen_query(candidate: Candidate, case: Case) -> Candidate:
    """The candidate with a query that the critic lets pass, after at most `max_rewrites` rewrites.

    `metadata["rewrites"]` counts them; `metadata["feedback"]` is what the critic said each time.
    """
    # Rewritten by its chunk, an unanswerable query would come to ask what the chunk does say.
    most = 0 if candidate.unanswerable else case.setup.checks.max_rewrites
    language, style, passages = case.language_of(candidate), case.style_of(candidate), candidate.texts
    feedback: list[str] = []
    while True:
        verdict = await case.ask(candidate, JUDGE, {"query": candidate.query})
        if verdict.verdict and verdict.independent and verdict.clear:
            metadata = {**candidate.metadata, "rewrites": len(feedback)}
            if feedback:
                metadata["feedback"] = feedback
            return candidate.grown(case.step(JUDGE), metadata=metadata)
        if len(feedback) == most:
            reason = "not_standalone" if not verdict.independent else "unclear"
            tried = f"rewritten {len(feedback)} times: " if feedback else ""
            raise case.refused(candidate, reason, tried + verdict.feedback)
        inputs = {"chunk": candidate.text, "query": candidate.query, "feedback": verdict.feedback}
        rewritten = await case.ask(
            candidate, REWRITE, inputs, lambda reply: complain_of_written(reply.query, language, style, passages)
        )
        query = (rewritten.query or "").strip()
        if not query or query == candidate.query:
            raise case.refused(candidate, "not_rewritten", f"{verdict.feedback} {rewritten.reason}")
        feedback.append(verdict.feedback)
        candidate = candidate.grown(case.step(REWRITE, "rewrite", query), query=query)
