"""Pools of passages for queries, and the stages that label a pooled query: its passages are graded, it is answered from the relevant ones, the others compared."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from ragset.dataset.completeness import METADATA as JUDGED
from ragset.dataset.completeness import RELEVANT, Judged
from ragset.dataset.relevance.qrels import is_relevant
from ragset.generation.stage import Case, Outcome, Question, RefusedError, Stage
from ragset.generation.stages import support
from ragset.generation.stages.answer import ANSWER, CONTEXT_ANSWER, answered
from ragset.llm.ask import Complaint, Unfit
from ragset.llm.gather import gather_all
from ragset.llm.replies import PassageGrade, PassageGrades
from ragset.models import UNANSWERABLE, Candidate, Chunk, Reject, Span
from ragset.text.quotes import merge_neighbours, whole_sentences

GRADE = Question("grade_passage", "critic", PassageGrades)
Ranking = Sequence[Sequence[Span]]
"""At each rank the places of a hit: one for a chunk of ours, perhaps several for a passage of another system."""
Pool = Mapping[Span, Mapping[str, int]]
"""Passages in the order in which they came, each with its best rank, from 1, in the rankings that hold it, by their names."""
POOL = "pool"
"""The key of a candidate's pool in its metadata: ranks by the id of the passage."""
AT_ONCE = 5
"""Passages graded in one call. UMBRELA grades one; five share the query and the instructions, and stay within attention."""
EXACT = 3
MOST = 8
"""Relevant passages that an answer may join."""


def label_stages(depth: int) -> tuple[Stage, ...]:
    """The stages, of queries whose pools are `depth` ranks of two searches."""
    # Two searches have about half of their passages in common; about one query in five needs a second try at its answer.
    return (
        Stage("grade", grade_passages, {GRADE: max(1.0, 1.5 * depth / AT_ONCE)}, shows=AT_ONCE),
        Stage("answer", answer_from_relevant, {ANSWER: 0.9, CONTEXT_ANSWER: 0.2}),
        Stage("support", support.judge_support, {support.SUPPORT: 0.7}, shows=MOST),
    )


def expected_calls(depth: int, queries: int) -> list[tuple[Stage, Question[Any], float]]:
    """About how many calls so many queries cost, by stage and what is asked."""
    return [(at, asked, often * queries) for at in label_stages(depth) for asked, often in at.asks.items()]


def pool_passages(rankings: Mapping[str, Ranking], depth: int) -> dict[Span, dict[str, int]]:
    """The passages of the first `depth` ranks of all rankings: all of rank 1, then all of rank 2, and so on.

    A passage that shares half of the shorter of the two with one that came before counts as that one. Test collections are
    pooled so since TREC (Spärck Jones and van Rijsbergen, 1975).
    """
    pool: dict[Span, dict[str, int]] = {}
    for rank, level in enumerate(zip_longest(*(ranking[:depth] for ranking in rankings.values())), start=1):
        for name, places in zip(rankings, level, strict=True):
            for place in places or ():
                of_it = (one for one in pool if one.doc_id == place.doc_id and is_relevant(one.start, one.end, place))
                same = next(of_it, place)
                pool.setdefault(same, {}).setdefault(name, rank)
    return pool


def pooled(candidate: Candidate, pool: Pool, chunks: Sequence[Chunk]) -> Candidate:
    """The candidate with its pool; `chunks` are the passages, in their order."""
    ranks = {span.id: dict(found) for span, found in pool.items()}
    return candidate.model_copy(update={"found": tuple(chunks), "metadata": {**candidate.metadata, POOL: ranks}})


async def grade_passages(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with its relevant passages as its chunks, best first; without any it is unanswerable.

    All grades go to `metadata["judged"]`. A candidate without a relevant passage is refused if one could not be graded.
    """
    found = candidate.found
    groups = await gather_all(
        *(_grade(candidate.query, found[at : at + AT_ONCE], case) for at in range(0, len(found), AT_ONCE))
    )
    graded = [(chunk, one) for group in groups for chunk, one in group if isinstance(one, PassageGrade)]
    unread = [(chunk, one) for group in groups for chunk, one in group if isinstance(one, Unfit)]
    ranks = candidate.metadata[POOL]
    judged = [
        Judged(passage=chunk.id, grade=one.grade, reason=one.reason, ranks=ranks[chunk.id]) for chunk, one in graded
    ]
    metadata: dict[str, Any] = {name: value for name, value in candidate.metadata.items() if name != POOL}
    metadata[JUDGED] = [one.model_dump(mode="json") for one in judged]
    best = sorted(graded, key=lambda pair: -pair[1].grade)
    relevant = tuple(chunk for chunk, one in best if one.grade >= RELEVANT)
    changes: dict[str, Any] = {"chunks": relevant, "found": (), "metadata": metadata}
    if not relevant:
        if unread:
            chunk, why = unread[0]
            told = f"{len(unread)} of {len(found)} passages could not be graded, {chunk.id} first: {why.detail}"
            raise case.refused(candidate, why.reason, told)
        near = next((chunk for chunk, one in best if one.grade), None)
        why_not = best[0][1].reason if best else "no passage was found"
        metadata[UNANSWERABLE] = {"missing": why_not, "near": near.id if near else None}
        changes |= {"chunks": (near,) if near else (), "ranked": None}
    return candidate.grown(case.step(GRADE), **changes)


async def answer_from_relevant(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with an answer, and whole sentences of its passages as evidence; what is not needed stays `found`.

    An exact passage is tried alone; else, or if it does not answer, all relevant passages together.
    """
    if candidate.unanswerable:
        return candidate
    relevant = candidate.chunks
    exact = {one["passage"] for one in candidate.metadata[JUDGED] if one["grade"] >= EXACT}
    tries = [relevant[:1], relevant[:MOST]] if relevant[0].id in exact else [relevant[:MOST]]
    faults: list[Reject] = []
    for chunks in dict.fromkeys(tries):
        try:
            made = await answered(candidate.model_copy(update={"chunks": chunks}), case)
        except RefusedError as refused:
            faults.append(refused.reject)
            continue
        sentences = merge_neighbours(whole_sentences(made.evidence, made.chunks), made.chunks)
        metadata = {name: value for name, value in made.metadata.items() if name != "left_out"}
        # Of overlapping chunks another may hold the same sentence, which is no second place that answers.
        others = tuple(chunk for chunk in relevant if not any(map(chunk.overlap, sentences)))
        return made.model_copy(update={"evidence": sentences, "metadata": metadata, "spare": (), "found": others})
    why = "; ".join(fault.detail for fault in faults)
    raise case.refused(
        candidate, faults[-1].reason, f"{len(relevant)} relevant passages, and no answer from them: {why}"
    )


async def _grade(query: str, chunks: Sequence[Chunk], case: Case) -> list[tuple[Chunk, PassageGrade | Unfit]]:
    def check(reply: PassageGrades) -> Complaint | None:
        if [one.passage for one in reply.grades] == list(range(1, len(chunks) + 1)):
            return None
        return Complaint(reason="wrong_passages", message=f"Grade each passage once, in order, 1 to {len(chunks)}.")

    inputs = {"query": query, "chunks": [c.text for c in chunks], "titles": [c.section for c in chunks]}
    reply = await case.try_ask(GRADE, inputs, check)
    grades = [reply] * len(chunks) if isinstance(reply, Unfit) else reply.grades
    return list(zip(chunks, grades, strict=True))
