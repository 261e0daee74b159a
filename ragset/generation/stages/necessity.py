"""Finds out which of its chunks a query needs: the critic names them, and each is left out once to see if it is missed."""

from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import NeededChunks, Sufficiency
from ragset.models import Candidate, Chunk, Reject, Step

RELEVANT = "relevant"
RELEVANT_PROMPT = "relevant_chunks"
NECESSITY = "necessity"
NECESSITY_PROMPT = "judge_sufficiency"


async def keep_relevant(candidate: Candidate, prompt: Prompt, llm: LLM) -> Candidate | Reject:
    """The candidate with the chunks that the critic needs to answer its query; the others become spare."""
    if len(candidate.chunks) == 1:
        return candidate
    count = len(candidate.chunks)
    needed = await ask(
        llm,
        prompt,
        NeededChunks,
        {"chunks": candidate.texts, "query": candidate.query},
        stage=RELEVANT,
        check=lambda reply: complain_of_numbers(reply, count),
    )
    if isinstance(needed, Unfit):
        return candidate.rejected(RELEVANT, needed.reason, needed.detail)
    if not needed.chunks:
        return candidate.rejected(RELEVANT, "not_answered", needed.reason)
    kept = [candidate.chunks[number - 1] for number in sorted(set(needed.chunks))]
    step = Step(stage=RELEVANT, kind=f"{len(kept)} of {count}", prompt=prompt.id, model=llm.model)
    return candidate.narrowed(kept, RELEVANT, f"answered without it: {needed.reason}").grown(step)


def complain_of_numbers(reply: NeededChunks, count: int) -> Complaint | None:
    """What to mend: it names chunks that are not there."""
    wrong = [number for number in reply.chunks if not 1 <= number <= count]
    if not wrong:
        return None
    return Complaint(
        reason="wrong_chunks", message=f"There is no chunk {wrong[0]}: name those needed by numbers from 1 to {count}."
    )


async def leave_one_out(candidate: Candidate, prompt: Prompt, llm: LLM) -> Candidate | Reject:
    """The candidate with those chunks alone without which the critic cannot answer its query in full.

    Each chunk is left out in turn. Of those that are not missed the last one goes, being least like the seed, and the
    rest is tested again: of two chunks that say the same, neither is missed when it alone is left out.
    """
    if len(candidate.chunks) == 1:
        return candidate
    kept = candidate
    while len(kept.chunks) > 1:
        without = [tuple(other for other in kept.chunks if other != chunk) for chunk in kept.chunks]
        verdicts = await gather_all(*(_answers(rest, kept.query, prompt, llm) for rest in without))
        not_missed: list[tuple[tuple[Chunk, ...], str]] = []
        for rest, verdict in zip(without, verdicts, strict=True):
            if isinstance(verdict, Unfit):
                return candidate.rejected(NECESSITY, verdict.reason, verdict.detail)
            if verdict.verdict == "in_full":
                not_missed.append((rest, verdict.reason))
        if not not_missed:
            break
        rest, reason = not_missed[-1]
        kept = kept.narrowed(rest, NECESSITY, f"not missed: {reason}")
    kind = f"{len(kept.chunks)} of {len(candidate.chunks)}"
    return kept.grown(Step(stage=NECESSITY, kind=kind, prompt=prompt.id, model=llm.model))


async def _answers(chunks: tuple[Chunk, ...], query: str, prompt: Prompt, llm: LLM) -> Sufficiency | Unfit:
    inputs = {"chunks": [chunk.text for chunk in chunks], "query": query}
    return await ask(llm, prompt, Sufficiency, inputs, stage=NECESSITY)
