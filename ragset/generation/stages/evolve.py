"""A drafted query made harder, or more like what people type; once, or several times after each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragset.generation.personas import PLAIN, QueryVoice, complain_of_voice
from ragset.generation.stages.draft import complain_of_query
from ragset.generation.weighted_choice import choose
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import EvolutionVerdict, EvolvedQuery, SameQuery
from ragset.models import Candidate, Reject, Step
from ragset.text.rules.content_words import folded_words

STAGE = "evolve"

EVOLUTIONS = {
    "generalise": "evolve_generalise",
    "reasoning": "evolve_reasoning",
    "conditional": "evolve_conditional",
    "constraints": "evolve_constraints",
    "deepen": "evolve_deepen",
    "concretise": "evolve_concretise",
    "more_steps": "evolve_more_steps",
    "complicate_input": "evolve_complicate_input",
    "broaden": "evolve_broaden",
    "compress": "evolve_compress",
}
"""The prompt of each evolution: another one is a prompt file and a line here."""

MULTI_CONTEXT = "multi_context"
"""The way that takes a second chunk in; its prompt is `evolve_multi_context`."""
MULTI_CONTEXT_PROMPT = "evolve_multi_context"
SAME_PROMPT = "same_query"
JUDGE_PROMPT = "judge_evolution"

NONE = "none"
"""The weight of leaving a query as it was drafted."""
COMPRESS = "compress"

_TRIES_AGAIN = 2
"""How often a query that has not changed in substance is asked to evolve again."""


@dataclass(frozen=True)
class Evolver:
    """Who evolves queries, and by which rules."""

    prompts: Mapping[str, Prompt]
    generator: LLM
    critic: LLM
    language: str = "en"
    voice: QueryVoice = PLAIN
    """In which the query was drafted: evolved, it still must not tell of it."""
    notice_same: bool = False
    """Ask the critic whether a query is merely the old one again."""
    reject_same: bool = False
    """What becomes of one that is, after two more tries: a reject; else it stays simple, and is labelled so."""
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
    """The candidate with its query rewritten in each of these ways, or as it was where its passages do not carry one.

    The first `done` of them have been tried already. `metadata["evolution"]` is the last that took, or `none`;
    `metadata["evolutions"]` are all that took; `metadata["unevolved"]` is there where the query came back in other words
    each time, and no other way made it harder. What did not evolve is a Reject where the evolver says so. A Reject says at which one the query went wrong.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    for place, kind in enumerate(kinds[done:], start=done):
        outcome = await _evolve(candidate, candidate, {"chunk": candidate.text}, evolver, kind)
        if isinstance(outcome, Reject):
            return _placed(outcome, kinds, place)
        candidate = outcome
    took = candidate.metadata.get("evolutions")
    if evolver.reject_same and not took and any(kind != COMPRESS for kind in kinds):
        return candidate.rejected(STAGE, "not_evolved", "its passages carry none of " + ", ".join(kinds))
    if "evolution" not in candidate.metadata:
        return candidate.model_copy(update={"metadata": {**candidate.metadata, "evolution": NONE}})
    return candidate


async def evolve_into_context(
    candidate: Candidate, evolver: Evolver, kinds: Sequence[str] = (MULTI_CONTEXT,)
) -> Candidate | Reject:
    """The candidate of one chunk with a query that needs a second one, the first of those to spare, as well.

    It is the first of `kinds`, the rest of which is left to `evolve_query`. Where the two chunks do not carry such a
    query, it stays as it was, with its one chunk.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    second, *others = candidate.spare
    wider = candidate.model_copy(update={"chunks": (*candidate.chunks, second), "spare": tuple(others)})
    passages = {"chunk": candidate.text, "second": second.text}
    outcome = await _evolve(candidate, wider, passages, evolver, MULTI_CONTEXT)
    return _placed(outcome, kinds, 0) if isinstance(outcome, Reject) else outcome


def _placed(reject: Reject, kinds: Sequence[str], place: int) -> Reject:
    """With the transformation at which it went wrong: `deepen (2nd of 3): …`."""
    ordinal = {1: "1st", 2: "2nd", 3: "3rd"}.get(place + 1, f"{place + 1}th")
    at = f"{kinds[place]} ({ordinal} of {len(kinds)})" if len(kinds) > 1 else kinds[place]
    return reject.model_copy(update={"detail": f"{at}: {reject.detail}"})


async def _evolve(
    candidate: Candidate, evolved_into: Candidate, passages: dict[str, str], evolver: Evolver, kind: str
) -> Candidate | Reject:
    prompt = evolver.prompts[MULTI_CONTEXT_PROMPT if kind == MULTI_CONTEXT else EVOLUTIONS[kind]]
    # A query that was compressed well is the old one in fewer words.
    notice_same = evolver.notice_same and kind != COMPRESS
    unread: list[Unfit] = []

    async def check(reply: EvolvedQuery) -> Complaint | None:
        query = (reply.query or "").strip()
        complaint = complain_of_query(query, evolver.language) or complain_of_voice(
            query, evolver.voice, tuple(passages.values()), evolver.language or "en"
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
    took: list[str] = candidate.metadata.get("evolutions", [])
    as_it_was = {**candidate.metadata, "evolution": took[-1] if took else NONE}
    if isinstance(evolved, Unfit):
        if evolved.reason != SAME_PROMPT or (evolver.reject_same and not took):
            return candidate.rejected(STAGE, evolved.reason, evolved.detail)
        return candidate.grown(step, metadata=as_it_was if took else {**as_it_was, "unevolved": True})
    query = (evolved.query or "").strip()
    if not query or query == candidate.query:
        return candidate.grown(step, metadata=as_it_was)
    metadata = {**candidate.metadata, "evolution": kind, "evolutions": [*took, kind]}
    if kind != COMPRESS:
        metadata.pop("unevolved", None)
    grown = evolved_into.grown(step.model_copy(update={"query": query}), query=query, metadata=metadata)
    return await _judged(grown, evolver) if evolver.judge else grown


async def _same(query: str, evolved: str, evolver: Evolver) -> Complaint | Unfit | None:
    """What to say to a model that gave the old query back; a verdict is not asked for where the words are the same."""
    if folded_words(query) == folded_words(evolved):
        return _merely_reworded("No word differs.")
    prompt = evolver.prompts[SAME_PROMPT]
    verdict = await ask(evolver.critic, prompt, SameQuery, {"query": query, "evolved": evolved}, stage=STAGE)
    if isinstance(verdict, Unfit):
        return verdict
    if not (verdict.same or (verdict.same_constraints and verdict.same_depth)):
        return None
    return _merely_reworded(verdict.reason)


def _merely_reworded(why: str) -> Complaint:
    message = (
        f"That is merely the old query in other words: {why} Change what it takes to answer it, or reply with null."
    )
    return Complaint(reason=SAME_PROMPT, message=message)


async def _judged(candidate: Candidate, evolver: Evolver) -> Candidate | Reject:
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
