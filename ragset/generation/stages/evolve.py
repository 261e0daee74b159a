"""Rewrites a drafted query to be harder, or more like what people type; once, or several times in a row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragset.generation.evolutions import COMPRESS, MULTI_CONTEXT, NONE, evolution_of
from ragset.generation.personas import PLAIN, WritingStyle, complain_of_writing_style
from ragset.generation.stages.draft import complain_of_query
from ragset.generation.weighted_choice import choose
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import EvolutionVerdict, EvolvedQuery, SameQuery
from ragset.models import Candidate, Reject, Step
from ragset.text.rules.content_words import folded_words

STAGE = "evolve"
SAME_PROMPT = "same_query"
JUDGE_PROMPT = "judge_evolution"

_TRIES_AGAIN = 2
"""How often a query that has not changed in substance is asked to evolve again."""


@dataclass(frozen=True)
class Evolver:
    """Who evolves queries, and by which rules."""

    prompts: Mapping[str, Prompt]
    generator: LLM
    critic: LLM
    language: str = "en"
    writing_style: WritingStyle = PLAIN
    """Of the draft; the evolved query must not reveal it either."""
    notice_same: bool = False
    """Ask the critic whether a query is merely the old one again."""
    reject_same: bool = False
    """Reject a query that is still the old one after two more tries; else it stays simple, and is labelled so."""
    judge: bool = False
    """Ask the critic whether the query stands alone, and its passages answer it."""


def chain(weights: Mapping[str, float], depth: int, *, compress: bool, seed: int, case: str) -> tuple[str, ...]:
    """The evolutions that `case` draws by weight, up to `depth` different ones; () where it draws `none` first.

    `compress` comes last, since what follows it would make the query long again; `multi_context` comes first or not at
    all, since the query is drafted for it.
    """
    if not weights:
        return (COMPRESS,) if compress else ()
    kinds: list[str] = []
    left = dict(weights)
    while left and len(kinds) < depth and any(weight > 0 for weight in left.values()):
        kind = choose(left, seed, f"evolution {len(kinds) + 1}" if kinds else "evolution", case)
        if kind == NONE:
            break
        kinds.append(kind)
        left = {other: weight for other, weight in left.items() if other not in {kind, MULTI_CONTEXT}}
    if compress or COMPRESS in kinds:
        kinds = [kind for kind in kinds if kind != COMPRESS] + [COMPRESS]
    return tuple(kinds)


async def evolve_query(
    candidate: Candidate, evolver: Evolver, kinds: Sequence[str], *, done: int = 0
) -> Candidate | Reject:
    """The candidate with its query rewritten in each of these ways; as it was where its passages do not carry one.

    The first `done` of them have been tried already. In the metadata `evolution` is the last that changed the query, or
    `none`, and `evolutions` are all that did; `unevolved` marks a query that came back in other words each time.
    """
    for place, kind in enumerate(kinds[done:], start=done):
        outcome = await _evolve(candidate, candidate, {"chunk": candidate.text}, evolver, kind)
        if isinstance(outcome, Reject):
            return _at_place(outcome, kinds, place)
        candidate = outcome
    changed = candidate.metadata.get("evolutions")
    if evolver.reject_same and not changed and any(kind != COMPRESS for kind in kinds):
        return candidate.rejected(STAGE, "not_evolved", "its passages carry none of " + ", ".join(kinds))
    if "evolution" not in candidate.metadata:
        return candidate.model_copy(update={"metadata": {**candidate.metadata, "evolution": NONE}})
    return candidate


async def evolve_into_context(
    candidate: Candidate, evolver: Evolver, kinds: Sequence[str] = (MULTI_CONTEXT,)
) -> Candidate | Reject:
    """The candidate of one chunk with a query that needs its first spare chunk as well.

    This is the first of `kinds`; `evolve_query` does the rest. Where the two chunks carry no such query, the candidate
    stays as it was, with its one chunk.
    """
    second, *others = candidate.spare
    wider = candidate.model_copy(update={"chunks": (*candidate.chunks, second), "spare": tuple(others)})
    passages = {"chunk": candidate.text, "second": second.text}
    outcome = await _evolve(candidate, wider, passages, evolver, MULTI_CONTEXT)
    return _at_place(outcome, kinds, 0) if isinstance(outcome, Reject) else outcome


def _at_place(reject: Reject, kinds: Sequence[str], place: int) -> Reject:
    """The reject with the evolution that went wrong: `deepen (2nd of 3): …`."""
    ordinal = {1: "1st", 2: "2nd", 3: "3rd"}.get(place + 1, f"{place + 1}th")
    at = f"{kinds[place]} ({ordinal} of {len(kinds)})" if len(kinds) > 1 else kinds[place]
    return reject.model_copy(update={"detail": f"{at}: {reject.detail}"})


async def _evolve(
    candidate: Candidate, evolved_into: Candidate, passages: dict[str, str], evolver: Evolver, kind: str
) -> Candidate | Reject:
    prompt = evolver.prompts[evolution_of(kind).prompt]
    # A query that was compressed well is the old one in fewer words.
    notice_same = evolver.notice_same and kind != COMPRESS
    unread: list[Unfit] = []

    async def check(reply: EvolvedQuery) -> Complaint | None:
        query = (reply.query or "").strip()
        complaint = complain_of_query(query, evolver.language) or complain_of_writing_style(
            query, evolver.writing_style, tuple(passages.values()), evolver.language or "en"
        )
        if complaint or not query or not notice_same:
            return complaint
        same = await _same(candidate.query, query, evolver)
        if isinstance(same, Unfit):
            unread.append(same)
            return None
        return same

    evolved = await ask(
        evolver.generator,
        prompt,
        EvolvedQuery,
        {**passages, "query": candidate.query},
        stage=STAGE,
        check=check,
        complaints=_TRIES_AGAIN if notice_same else 1,
    )
    if unread:
        return candidate.rejected(STAGE, unread[-1].reason, f"{SAME_PROMPT}: {unread[-1].detail}")
    step = Step(stage=STAGE, kind=kind, prompt=prompt.id, model=evolver.generator.model)
    before: list[str] = candidate.metadata.get("evolutions", [])
    unchanged = {**candidate.metadata, "evolution": before[-1] if before else NONE}
    if isinstance(evolved, Unfit):
        if evolved.reason != SAME_PROMPT or (evolver.reject_same and not before):
            return candidate.rejected(STAGE, evolved.reason, evolved.detail)
        return candidate.grown(step, metadata=unchanged if before else {**unchanged, "unevolved": True})
    query = (evolved.query or "").strip()
    if not query or query == candidate.query:
        return candidate.grown(step, metadata=unchanged)
    metadata = {**candidate.metadata, "evolution": kind, "evolutions": [*before, kind]}
    if kind != COMPRESS:
        metadata.pop("unevolved", None)
    changed = evolved_into.grown(step.model_copy(update={"query": query}), query=query, metadata=metadata)
    return await _judge(changed, evolver) if evolver.judge else changed


async def _same(query: str, evolved: str, evolver: Evolver) -> Complaint | Unfit | None:
    """The complaint about a reply that is the old query again; the critic is not asked where the words are the same."""
    why = "No word differs."
    if folded_words(query) != folded_words(evolved):
        inputs = {"query": query, "evolved": evolved}
        verdict = await ask(evolver.critic, evolver.prompts[SAME_PROMPT], SameQuery, inputs, stage=STAGE)
        if isinstance(verdict, Unfit):
            return verdict
        if not (verdict.same or (verdict.same_constraints and verdict.same_depth)):
            return None
        why = verdict.reason
    message = (
        f"That is merely the old query in other words: {why} Change what it takes to answer it, or reply with null."
    )
    return Complaint(reason=SAME_PROMPT, message=message)


async def _judge(candidate: Candidate, evolver: Evolver) -> Candidate | Reject:
    prompt = evolver.prompts[JUDGE_PROMPT]
    inputs = {"chunks": candidate.texts, "query": candidate.query}
    verdict = await ask(evolver.critic, prompt, EvolutionVerdict, inputs, stage=STAGE)
    if isinstance(verdict, Unfit):
        return candidate.rejected(STAGE, verdict.reason, f"{JUDGE_PROMPT}: {verdict.detail}")
    if not verdict.standalone:
        return candidate.rejected(STAGE, "not_standalone", verdict.reason)
    if not verdict.answerable:
        return candidate.rejected(STAGE, "not_answerable", verdict.reason)
    return candidate.grown(Step(stage=STAGE, kind="judge", prompt=prompt.id, model=evolver.critic.model))
