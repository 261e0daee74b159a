"""Splits queries that are really two into one for each question."""

import re
import unicodedata

from ragset.generation.stages.draft import complain_of_query
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import QuerySplit
from ragset.models import Candidate, Reject, Step
from ragset.text.rules.boilerplate import FUNCTION_WORDS
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.pronouns import unnamed

STAGE = "split"
PROMPT = "split_query"

_WORD = re.compile(r"[^\W_]+")
_STEM = 5
"""Letters by which a word is known again in another form."""
_MOST_LOST = 0.34
"""Share of the whole's words that its parts may do without: those that only joined them."""


async def split_query(
    candidate: Candidate, prompt: Prompt, llm: LLM, *, language: str = "en"
) -> tuple[Candidate, ...] | Reject:
    """A candidate for each question that the query holds, with the chunks that it needs; the others are spare.

    A query that a free rule takes for one question stays as it is. A Reject if the split fails `complain_of_split` twice.
    """
    if len(candidate.chunks) == 1 or conjoined(candidate.query, language or "en") is None:
        return (candidate,)
    split = await ask(
        llm,
        prompt,
        QuerySplit,
        {"chunks": candidate.texts, "query": candidate.query},
        stage=STAGE,
        check=lambda reply: complain_of_split(reply, candidate.query, len(candidate.chunks), language),
    )
    if isinstance(split, Unfit):
        return candidate.rejected(STAGE, split.reason, split.detail)
    if len(split.parts) == 1:
        step = Step(stage=STAGE, kind="one query", prompt=prompt.id, model=llm.model)
        return (candidate.grown(step),)
    parts: list[Candidate] = []
    for number, part in enumerate(split.parts, start=1):
        query = part.query.strip()
        needed = [candidate.chunks[place - 1] for place in sorted(set(part.chunks))]
        narrowed = candidate.narrowed(needed, STAGE, f"part {number} of the query does not need it")
        metadata = {**narrowed.metadata, "split_from": candidate.query}
        step = Step(stage=STAGE, kind=f"part {number}", prompt=prompt.id, model=llm.model, query=query)
        parts.append(narrowed.grown(step, query=query, metadata=metadata))
    return tuple(parts)


def complain_of_split(split: QuerySplit, whole: str, chunks: int, language: str) -> Complaint | None:
    """What to mend about a split of the query `whole`, which is over so many chunks."""
    queries = [part.query.strip() for part in split.parts]
    if len(queries) == 1 and _folded(queries[0]) == _folded(whole):
        return None
    for part, query in zip(split.parts, queries, strict=True):
        if not query:
            return Complaint(reason="empty_part", message="A part has no query. Give each part one.")
        if not part.chunks or not all(1 <= number <= chunks for number in part.chunks):
            return Complaint(
                reason="wrong_chunks",
                message=f'"{query}" must name the chunks that it needs, by numbers from 1 to {chunks}.',
            )
        complaint = complain_of_query(query, language)
        if complaint:
            return complaint
        pronoun = unnamed(query, language or "en")
        if pronoun:
            return Complaint(
                reason="part_not_self_contained",
                message=f'In "{query}" nobody can tell what "{pronoun}" stands for. Name it.',
            )
    if len({_folded(query) for query in queries}) < len(queries):
        return Complaint(reason="same_parts", message="Two parts ask the same. Each must ask something of its own.")
    lost = _lost(whole, " ".join(queries), language or "en")
    if lost:
        return Complaint(
            reason="lost_in_split",
            message=f"The parts no longer ask for {', '.join(lost[:5])}. Together they must ask for all that the query asks.",
        )
    return None


def _lost(whole: str, parts: str, language: str) -> list[str]:
    """Words of the whole that no part holds, if they are a name or a number, or too many of all."""
    here = {_stem(word) for word in _WORD.findall(parts)}
    words = [word for word in _WORD.findall(whole) if word.casefold() not in FUNCTION_WORDS]
    lost = [word for word in words if _stem(word) not in here]
    # In German every noun has a capital.
    named = [
        word
        for word in lost
        if word[0].isdigit() or (word[0].isupper() and language != "de" and not whole.startswith(word))
    ]
    if named or (words and len(lost) > _MOST_LOST * len(words)):
        return list(dict.fromkeys(named or lost))
    return []


def _stem(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()[:_STEM]


def _folded(query: str) -> str:
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", query).casefold()))
