"""A drafted query made harder, or more like what people type."""

from ragset.draft import complain_of_query
from ragset.llm.ask import Unfit, ask
from ragset.llm.protocol import LLM
from ragset.models import Candidate, Reject, Step
from ragset.prompt import Prompt
from ragset.replies import EvolvedQuery

STAGE = "evolve"

EVOLUTIONS = {
    "generalise": "evolve_generalise",
    "reasoning": "evolve_reasoning",
    "conditional": "evolve_conditional",
    "compress": "evolve_compress",
}
"""The prompt of each evolution: another one is a prompt file and a line here."""

MULTI_CONTEXT = "multi_context"
"""The way that takes a second chunk in; its prompt is `evolve_multi_context`."""
MULTI_CONTEXT_PROMPT = "evolve_multi_context"

NONE = "none"
"""The weight of leaving a query as it was drafted."""


async def evolve_query(
    candidate: Candidate, prompt: Prompt, llm: LLM, *, kind: str, language: str = "en"
) -> Candidate | Reject:
    """The candidate with its query rewritten, or as it was where the passage does not carry the rewriting.

    A query that stays as it was has `metadata["evolution"] == "none"`, and its lineage says what was tried.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    return await _evolve(candidate, candidate, {"chunk": candidate.text}, prompt, llm, kind, language)


async def evolve_into_context(
    candidate: Candidate, prompt: Prompt, llm: LLM, *, language: str = "en"
) -> Candidate | Reject:
    """The candidate of one chunk with a query that needs a second one, the first of those to spare, as well.

    Where the two do not carry such a query, it stays as it was, with its one chunk.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    second, *others = candidate.spare
    wider = candidate.model_copy(update={"chunks": (*candidate.chunks, second), "spare": tuple(others)})
    inputs = {"chunk": candidate.text, "second": second.text}
    return await _evolve(candidate, wider, inputs, prompt, llm, MULTI_CONTEXT, language)


async def _evolve(
    candidate: Candidate,
    evolved_into: Candidate,
    passages: dict[str, str],
    prompt: Prompt,
    llm: LLM,
    kind: str,
    language: str,
) -> Candidate | Reject:
    evolved = await ask(
        llm,
        prompt,
        EvolvedQuery,
        {**passages, "query": candidate.query},
        stage=STAGE,
        check=lambda reply: complain_of_query(reply.query, language),
    )
    if isinstance(evolved, Unfit):
        return candidate.rejected(STAGE, evolved.reason, evolved.detail)
    query = (evolved.query or "").strip()
    if not query or query == candidate.query:
        step = Step(stage=STAGE, kind=kind, prompt=prompt.id, model=llm.model)
        return candidate.grown(step, metadata={**candidate.metadata, "evolution": NONE})
    step = Step(stage=STAGE, kind=kind, prompt=prompt.id, model=llm.model, query=query)
    return evolved_into.grown(step, query=query, metadata={**candidate.metadata, "evolution": kind})
