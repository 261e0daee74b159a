"""Rewrites a drafted query to be harder, or more like what people type; once, or several times in a row."""

from ragset.generation.evolutions import COMPRESS, MULTI_CONTEXT, NONE, evolution_of
from ragset.generation.personas import WritingStyle
from ragset.generation.stage import Case, Outcome, Question, RefusedError
from ragset.generation.stages.enough_chunks import enough_chunks
from ragset.generation.stages.judge_query import complain_of_written
from ragset.llm.ask import Complaint, Unfit
from ragset.llm.replies import EvolutionVerdict, EvolvedQuery, SameQuery
from ragset.models import Candidate, Reject
from ragset.text.rules.content_words import folded_words

SAME = Question("same_query", "critic", SameQuery)
JUDGE = Question("judge_evolution", "critic", EvolutionVerdict)


def evolving(kind: str) -> Question[EvolvedQuery]:
    """The question for that evolution."""
    return Question(evolution_of(kind).prompt, "generator", EvolvedQuery)


async def evolve_query(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with its query rewritten in each of the ways that its chunk draws, where its passages carry them.

    In the metadata `evolution` is the last that changed the query, or `none`, and `evolutions` are all that did;
    `unevolved` marks a query that came back in other words each time. `multi_context` takes the first spare chunk in.
    """
    if candidate.unanswerable:
        return candidate
    kinds = case.setup.evolutions_of(candidate)
    language, style = case.language_of(candidate), case.style_of(candidate)
    for place, kind in enumerate(kinds):
        widens = kind == MULTI_CONTEXT
        if widens and (len(candidate.chunks) > 1 or not candidate.spare):
            continue
        try:
            candidate = await _evolve(candidate, case, kind, language, style)
        except RefusedError as refused:
            ordinal = ("1st", "2nd", "3rd", "4th", "5th")[place]
            at = f"{kind} ({ordinal} of {len(kinds)})" if len(kinds) > 1 else kind
            return refused.reject.model_copy(update={"detail": f"{at}: {refused.reject.detail}"})
        if widens:
            outcome = enough_chunks(candidate, case)
            if isinstance(outcome, Reject):
                return outcome
            candidate = outcome
    changed = candidate.metadata.get("evolutions")
    if case.setup.checks.unevolved == "reject" and not changed and any(kind != COMPRESS for kind in kinds):
        raise case.refused(candidate, "not_evolved", "its passages carry none of " + ", ".join(kinds))
    last = candidate.metadata.get("evolution", NONE)
    return candidate.model_copy(update={"metadata": {**candidate.metadata, "evolution": last}})


async def _evolve(candidate: Candidate, case: Case, kind: str, language: str, style: WritingStyle) -> Candidate:
    checks = case.setup.checks
    evolved_into, passages = candidate, {"chunk": candidate.text}
    titles = {"title": candidate.section}
    if kind == MULTI_CONTEXT:
        second, *others = candidate.spare
        evolved_into = candidate.model_copy(update={"chunks": (*candidate.chunks, second), "spare": tuple(others)})
        passages["second"] = second.text
        titles["second_title"] = second.section
    # A query that was compressed well is the old one in fewer words.
    notice_same = checks.same_query and kind != COMPRESS

    async def check(reply: EvolvedQuery) -> Complaint | None:
        query = (reply.query or "").strip()
        complaint = complain_of_written(query, language, style, tuple(passages.values()))
        return complaint if complaint or not query or not notice_same else await _same(candidate, case, query)

    inputs = {**passages, **titles, "query": candidate.query}
    evolved = await case.try_ask(evolving(kind), inputs, check, complaints=2 if notice_same else 1)
    before: list[str] = candidate.metadata.get("evolutions", [])
    unchanged = {**candidate.metadata, "evolution": before[-1] if before else NONE}
    step = case.step(evolving(kind), kind)
    if isinstance(evolved, Unfit):
        if evolved.reason != SAME.prompt or (checks.unevolved == "reject" and not before):
            raise case.refused(candidate, evolved.reason, evolved.detail)
        return candidate.grown(step, metadata=unchanged if before else {**unchanged, "unevolved": True})
    query = (evolved.query or "").strip()
    if not query or query == candidate.query:
        return candidate.grown(step, metadata=unchanged)
    metadata = {**candidate.metadata, "evolution": kind, "evolutions": [*before, kind]}
    if kind != COMPRESS:
        metadata.pop("unevolved", None)
    changed = evolved_into.grown(step.model_copy(update={"query": query}), query=query, metadata=metadata)
    return await _judge(changed, case) if checks.judge_evolutions else changed


async def _same(candidate: Candidate, case: Case, evolved: str) -> Complaint | None:
    """The complaint about a reply that is the old query again; the critic is not asked where the words are the same."""
    why = "No word differs."
    if folded_words(candidate.query) != folded_words(evolved):
        verdict = await case.try_ask(SAME, {"query": candidate.query, "evolved": evolved})
        if isinstance(verdict, Unfit):
            raise case.refused(candidate, verdict.reason, f"{SAME.prompt}: {verdict.detail}")
        if not verdict.same:
            return None
        why = verdict.reason
    told = f"That is merely the old query in other words: {why} Change what it takes to answer it, or reply with null."
    return Complaint(reason=SAME.prompt, message=told)


async def _judge(candidate: Candidate, case: Case) -> Candidate:
    verdict = await case.try_ask(
        JUDGE, {"chunks": candidate.texts, "titles": candidate.sections, "query": candidate.query}
    )
    if isinstance(verdict, Unfit):
        raise case.refused(candidate, verdict.reason, f"{JUDGE.prompt}: {verdict.detail}")
    if not (verdict.standalone and verdict.answerable):
        reason = "not_answerable" if verdict.standalone else "not_standalone"
        raise case.refused(candidate, reason, verdict.reason)
    return candidate.grown(case.step(JUDGE, "judge"))
