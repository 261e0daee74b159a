"""Asks the critic which other passages answer the query, as equivalent evidence; an unanswerable one has none."""

from collections.abc import Sequence
from typing import NamedTuple

from ragset.generation.stage import Case, Outcome, Question
from ragset.generation.stages.round_trip import update_rank
from ragset.llm.ask import Complaint, Unfit
from ragset.llm.gather import gather_all
from ragset.llm.replies import Support, Supports
from ragset.models import Candidate, Chunk, Span
from ragset.text.quotes import locate, merge
from ragset.text.words import writes_without_spaces

SUPPORT = Question("judge_support", "critic", Supports)
HOLES = "holes"
CONTRADICTED, PARTIAL = "contradicted", "partial"
"""Keys of metadata: the passages that the critic said answer otherwise, and in part."""

SHORTEST = 15
"""Characters quoted at least, or as many as the shortest evidence has; a third in scripts without spaces."""
MOST_PASSAGES = 8
"""Shown in one call: a critic that judges more at once passes over some."""

_MEND = {
    "quote_not_found": "its quotes are not in it to the letter. Copy them from the passage without changing a word",
    "quote_too_short": "too little of it is quoted. Quote the whole sentence that answers",
}
_UNREAD = {"quote_not_found": "quotes that are not in it", "quote_too_short": "a quote that is too short"}


class _PassageVerdict(NamedTuple):
    chunk: Chunk
    verdict: str
    """`full`, `part`, `differs` or `none`; `unread` where no reply about it could be used."""
    reason: str
    span: Span | None = None
    """From the first to the last of the quotes."""


async def judge_support(candidate: Candidate, case: Case) -> Outcome:
    """The candidate with those of its `found` passages that answer as well as its evidence does, as its `equivalents`.

    `metadata["holes"]` counts passages judged, in full and unread; `metadata["contradicted"]` names those that answer
    differently, `metadata["partial"]` those that answer in part. An unanswerable candidate is refused if a passage answers it, or if one was not judged.
    """
    if not candidate.found:
        return update_rank(candidate, case.setup.checks, case.stage)
    found, size = candidate.found, MOST_PASSAGES
    groups = await gather_all(*(_judge(candidate, found[at : at + size], case) for at in range(0, len(found), size)))
    verdicts = [one for group in groups for one in group]
    unread = sum(one.verdict == "unread" for one in verdicts)
    full = sum(one.verdict == "full" for one in verdicts)
    counts = {"judged": len(verdicts) - unread, "full": full, "unread": unread}
    metadata = {**candidate.metadata, HOLES: counts}
    if candidate.unanswerable:
        _refuse_answered(candidate, verdicts, case)
        return candidate.grown(case.step(SUPPORT), found=(), metadata=metadata)
    for key, verdict in ((CONTRADICTED, "differs"), (PARTIAL, "part")):
        if named := [{"chunk": one.chunk.id, "reason": one.reason} for one in verdicts if one.verdict == verdict]:
            metadata[key] = named
    spans = [one.span for one in verdicts if one.verdict == "full" and one.span]
    equivalents = merge((*candidate.equivalents, *spans))
    judged = candidate.grown(case.step(SUPPORT), found=(), equivalents=equivalents, metadata=metadata)
    return update_rank(judged, case.setup.checks, case.stage)


async def _judge(candidate: Candidate, chunks: Sequence[Chunk], case: Case) -> list[_PassageVerdict]:
    # A word may be enough to show that a query has an answer after all.
    shortest = min(SHORTEST, *(span.end - span.start for span in candidate.evidence)) if candidate.evidence else 1
    complained = False

    def check(reply: Supports) -> Complaint | None:
        # Of a second reply what is usable is used.
        nonlocal complained
        complaint = None if complained else _complain(reply, chunks, shortest)
        complained = complained or complaint is not None
        return complaint

    shown = {"chunks": [chunk.text for chunk in chunks], "titles": [chunk.section for chunk in chunks]}
    inputs = {"query": candidate.query, "answer": candidate.answer, **shown}
    reply = await case.try_ask(SUPPORT, inputs, check)
    if isinstance(reply, Unfit):
        return [_PassageVerdict(chunk, "unread", f"{reply.reason}: {reply.detail}") for chunk in chunks]
    return [_verdict(number, chunk, reply, shortest) for number, chunk in enumerate(chunks, start=1)]


def _complain(reply: Supports, chunks: Sequence[Chunk], shortest: int) -> Complaint | None:
    numbers = [one.passage for one in reply.passages]
    wrong = [n for n in (*range(1, len(chunks) + 1), *numbers) if numbers.count(n) != 1 or not 1 <= n <= len(chunks)]
    if wrong:
        told = f"Give one verdict for each passage, 1 to {len(chunks)}; passage {wrong[0]} is wrong."
        return Complaint(reason="wrong_passages", message=told)
    for one in reply.passages:
        if fault := _fault(one, chunks[one.passage - 1], shortest):
            told = f"Passage {one.passage} is said to answer in full, and {_MEND[fault]}, or change the verdict."
            return Complaint(reason=fault, message=told)
    return None


def _verdict(number: int, chunk: Chunk, reply: Supports, shortest: int) -> _PassageVerdict:
    said = [one for one in reply.passages if one.passage == number]
    if len(said) != 1:
        return _PassageVerdict(chunk, "unread", f"{len(said)} verdicts for it")
    (one,) = said
    if fault := _fault(one, chunk, shortest):
        return _PassageVerdict(chunk, "unread", f"said to answer in full, by {_UNREAD[fault]}")
    return _PassageVerdict(chunk, one.verdict, one.reason, _span(one, chunk))


def _fault(one: Support, chunk: Chunk, shortest: int) -> str:
    """Why a passage cannot be said to answer in full; empty where it can, or is not said to."""
    if one.verdict != "full":
        return ""
    span = _span(one, chunk)
    if span is None:
        return "quote_not_found"
    return "" if _suffices(span, chunk, shortest) else "quote_too_short"


def _span(said: Support, chunk: Chunk) -> Span | None:
    """From the first to the last of the quotes; None where one of them is not in the passage."""
    places = [locate(quote, chunk) for quote in said.quotes if quote.strip()]
    if not places or not all(places):
        return None
    spans = [span for found in places for span in found]
    return Span(doc_id=chunk.doc_id, start=min(span.start for span in spans), end=max(span.end for span in spans))


def _suffices(span: Span, chunk: Chunk, shortest: int) -> bool:
    start, end = span.start - chunk.start, span.end - chunk.start
    cut = (chunk.text[max(0, start - 1) : start + 1], chunk.text[end - 1 : end + 1])
    if any(len(around) == 2 and all(c.isalnum() and not writes_without_spaces(c) for c in around) for around in cut):
        return False
    spaced = not any(map(writes_without_spaces, chunk.text[start:end]))
    return end - start >= (shortest if spaced else min(shortest, SHORTEST // 3))


def _refuse_answered(candidate: Candidate, verdicts: Sequence[_PassageVerdict], case: Case) -> None:
    """Refuse a query that should have no answer; a passage that answers it is worse than one unread."""
    for one in verdicts:
        if one.verdict in {"full", "differs"}:
            start, end = (one.span.start, one.span.end) if one.span else (one.chunk.start, one.chunk.start)
            quote = one.chunk.text[start - one.chunk.start : end - one.chunk.start]
            raise case.refused(candidate, "answerable_after_all", f'{one.chunk.id}: "{quote}" {one.reason}')
    if unread := next((one for one in verdicts if one.verdict == "unread"), None):
        raise case.refused(candidate, "unread_passage", f"{unread.chunk.id}: {unread.reason}")
