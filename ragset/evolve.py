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
    chunk = candidate.chunks[0]
    evolved = await ask(
        llm,
        prompt,
        EvolvedQuery,
        {"chunk": chunk.text, "query": candidate.query},
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
    return candidate.grown(step, query=query, metadata={**candidate.metadata, "evolution": kind})
