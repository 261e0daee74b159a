"""What several chunks answer together: which of them are needed, whether they suffice, and the answer with its quotes."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ragset.generation.offline.answer import answer_query, content, known, names
from ragset.generation.offline.contexts import joined
from ragset.generation.offline.joined import Part, is_joined
from ragset.generation.offline.prose import spoken
from ragset.generation.offline.sides import sides
from ragset.generation.offline.text import Sentence, numbers, sentences
from ragset.llm.replies import ContextAnswer, NeededChunks, Quote, Sufficiency

_FULL, _PARTLY = 0.9, 0.4
"""Shares of the query's words of substance that the sentences found must hold."""


def spell(numbers: Sequence[int]) -> str:
    """`passages 1 and 3`."""
    *others, last = (str(number) for number in numbers)
    return f"passages {', '.join(others)} and {last}" if others else f"passage {last}"


class Found(NamedTuple):
    """What the chunks say to a query."""

    parts: tuple[Part, ...]
    """One for each chunk that is drawn from, in the order of the chunks; empty where none says anything."""
    answer: str
    whole: bool
    """They answer all of it."""
    why: str


_NOTHING = Found((), "", whole=False, why="none of the passages speaks of what is asked")


def answer_multi(chunks: tuple[str, ...], query: str) -> ContextAnswer:
    """The sentences that a pattern asks for with this very query, or those that share most with it."""
    found = find(chunks, query)
    if not found.parts or not found.whole:
        why = found.why if not found.parts else "the passages state a part of what is asked at most"
        return ContextAnswer(reason=f"By rule: {why}.", verdict="not_in_passages", answer=None, quotes=())
    quotes = [Quote(chunk=part.chunk + 1, quote=one.text) for part in found.parts for one in part.sentences]
    return ContextAnswer(
        reason=f"By rule: {found.why}.", verdict="answered", answer=found.answer, quotes=tuple(quotes[:16])
    )


def relevant_chunks(chunks: tuple[str, ...], query: str) -> NeededChunks:
    """Those that the answer is made from."""
    found = find(chunks, query)
    needed = tuple(part.chunk + 1 for part in found.parts)
    # The reason is told of those left out as well, and must be true of them.
    made = f"the answer is made from {spell(needed)} alone: " if needed else ""
    return NeededChunks(reason=f"By rule: {made}{found.why}.", chunks=needed)


def judge_sufficiency(chunks: tuple[str, ...], query: str) -> Sufficiency:
    """In full where the rules have an answer to the whole query."""
    found = find(chunks, query)
    verdict = "in_full" if found.parts and found.whole else "in_part" if found.parts else "not_at_all"
    return Sufficiency(reason=f"By rule: {found.why}.", verdict=verdict)


@lru_cache(maxsize=256)
def find(chunks: tuple[str, ...], query: str) -> Found:
    """By the pattern that made the query, then by one chunk alone, then by the words they share."""
    paired = [one for one in joined(chunks) if one.query == query]
    if paired:
        best = min(paired, key=lambda one: (len(one.needs), one.needs))
        return Found(_merged(best.parts), best.answer, whole=True, why=best.why)
    for place, chunk in enumerate(chunks):
        candidate = known(chunk, query)
        if candidate:
            answer = candidate.question.answer or candidate.answer
            return Found((Part(place, candidate.evidence),), answer, whole=True, why="one sentence states it")
    if is_joined(query):
        # It asks for two facts. Without both, what shares words with it is not an answer.
        return _by_sides(chunks, query) or _by_words(chunks, query)._replace(whole=False)
    return _by_one(chunks, query) or _by_words(chunks, query)


def _by_sides(chunks: tuple[str, ...], query: str) -> Found | None:
    """Where these chunks state both sides of the query in words of their own, not those that it was made from."""
    found: list[tuple[int, Sentence]] = []
    for side in sides(query):
        place = next(
            (
                (place, sentence)
                for place, chunk in enumerate(chunks)
                for sentence in sentences(chunk)
                if side.is_stated(sentence.text, chunk)
            ),
            None,
        )
        if place is None:
            return None
        found.append(place)
    if not found:
        return None
    parts = _merged(tuple(Part(place, (sentence,)) for place, sentence in found))
    answer = " ".join(dict.fromkeys(spoken(sentence.text) for _, sentence in found))
    return Found(parts, answer, whole=True, why="these sentences state what is asked of either side")


def _merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """One part for each chunk, each sentence once and in its order."""
    by_chunk: dict[int, set[Sentence]] = {}
    for part in parts:
        by_chunk.setdefault(part.chunk, set()).update(part.sentences)
    return tuple(Part(place, tuple(sorted(by_chunk[place]))) for place in sorted(by_chunk))


def _by_one(chunks: tuple[str, ...], query: str) -> Found | None:
    """The chunk whose best sentences share most with the query, where one says enough."""
    asked = set(content(query))
    best: tuple[int, Part, str] | None = None
    for place, chunk in enumerate(chunks):
        reply = answer_query(chunk, query)
        if reply.verdict == "answered" and reply.answer:
            shared = len(asked & set(content(" ".join(reply.quotes))))
            quoted = tuple(one for one in sentences(chunk) if one.text in reply.quotes)
            if best is None or shared > best[0]:
                best = shared, Part(place, quoted), reply.answer
    if best is None:
        return None
    return Found((best[1],), best[2], whole=True, why="one passage holds the sentence that shares most with the query")


def _by_words(chunks: tuple[str, ...], query: str) -> Found:
    """A sentence of each chunk that adds words of the query to those found before."""
    asked = set(content(query))
    if not asked:
        return _NOTHING
    parts: list[Part] = []
    covered: set[str] = set()
    open_places = list(range(len(chunks)))
    while open_places:
        added, place, sentence = max(
            (_most_new(chunks[place], asked - covered, place) for place in open_places), key=lambda one: one[0]
        )
        if sentence is None or added[0] == 0:
            break
        parts.append(Part(place, (sentence,)))
        covered |= asked & set(content(sentence.text))
        open_places.remove(place)
    share = len(covered) / len(asked)
    if share < _PARTLY:
        return _NOTHING
    parts.sort()
    text = " ".join(chunks[part.chunk] for part in parts)
    missing = [number for number in numbers(query) if number not in text] or (names(query) - covered)
    return Found(
        tuple(parts),
        " ".join(spoken(part.sentences[0].text) for part in parts),
        whole=share >= _FULL and not missing,
        why="these sentences together share most words with the query",
    )


def _most_new(chunk: str, wanted: set[str], place: int) -> tuple[tuple[int, int, int], int, Sentence | None]:
    """The sentence with the most of the wanted words; of equals the shortest, then the first."""
    best: tuple[tuple[int, int, int], int, Sentence | None] = ((0, 0, 0), place, None)
    for sentence in sentences(chunk):
        shared = len(wanted & set(content(sentence.text)))
        rank = (shared, -len(sentence.text), -place)
        if shared and (best[2] is None or rank > best[0]):
            best = rank, place, sentence
    return best
