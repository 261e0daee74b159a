"""Finds out which of its chunks a query needs: the critic names them, and each is left out once to see if it is missed."""

from ragset.generation.stage import Case, Outcome, Question
from ragset.llm.ask import Complaint
from ragset.llm.gather import gather_all
from ragset.llm.replies import NeededChunks, Sufficiency
from ragset.models import Candidate
from ragset.settings import ContextWritingSettings

WHICH = Question("relevant_chunks", "critic", NeededChunks)
SUFFICES = Question("judge_sufficiency", "critic", Sufficiency)


async def keep_relevant(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with the chunks that the critic needs to answer its query; the others become spare."""
    count = len(candidate.chunks)
    if count == 1:
        return enough_chunks(candidate, case)

    def check(reply: NeededChunks) -> Complaint | None:
        wrong = next((number for number in reply.chunks if not 1 <= number <= count), None)
        message = f"There is no chunk {wrong}: name those needed by numbers from 1 to {count}."
        return None if wrong is None else Complaint(reason="wrong_chunks", message=message)

    needed = await case.ask(candidate, WHICH, {"chunks": candidate.texts, "query": candidate.query}, check)
    if not needed.chunks:
        raise case.refused(candidate, "not_answered", needed.reason)
    kept = [candidate.chunks[number - 1] for number in sorted(set(needed.chunks))]
    narrowed = candidate.narrowed(kept, case.stage, f"answered without it: {needed.reason}")
    return enough_chunks(narrowed.grown(case.step(WHICH, f"{len(kept)} of {count}")), case)


async def leave_one_out(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with those chunks alone without which the critic cannot answer its query in full.

    Each is left out in turn. The last that is not missed goes, and the rest is tested again: of two chunks that say the
    same, neither is missed when it alone is left out.
    """
    if len(candidate.chunks) == 1:
        return enough_chunks(candidate, case)
    kept = candidate
    while len(kept.chunks) > 1:
        without = [tuple(other for other in kept.chunks if other != chunk) for chunk in kept.chunks]
        inputs = [{"chunks": [chunk.text for chunk in rest], "query": kept.query} for rest in without]
        verdicts = await gather_all(*(case.ask(candidate, SUFFICES, one) for one in inputs))
        not_missed = [one for one in zip(without, verdicts, strict=True) if one[1].verdict == "in_full"]
        if not not_missed:
            break
        rest, verdict = not_missed[-1]
        kept = kept.narrowed(rest, case.stage, f"not missed: {verdict.reason}")
    kind = f"{len(kept.chunks)} of {len(candidate.chunks)}"
    return enough_chunks(kept.grown(case.step(SUFFICES, kind)), case)


def enough_chunks(candidate: Candidate, case: Case) -> Outcome:
    """The candidate, unless its query needs too few chunks: then it is kept or rejected as the settings say."""
    writing = case.setup.writing
    if len(candidate.chunks) >= case.setup.min_chunks:
        return candidate
    if len(candidate.chunks) == 1 and isinstance(writing, ContextWritingSettings) and writing.single == "keep":
        # A shape tells how several chunks are needed.
        metadata = {name: value for name, value in candidate.metadata.items() if name not in {"shape", "wished"}}
        return candidate.model_copy(update={"metadata": metadata})
    why = "; ".join(f"{left['chunk']}: {left['reason']}" for left in candidate.metadata.get("left_out", []))
    return candidate.rejected(case.stage, "needs_too_few_chunks", why)
