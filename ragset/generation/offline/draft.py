"""Queries drafted from the facts of a chunk: the best for a style, or two like facts of two chunks compared."""

import re
from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple
from zlib import crc32

from ragset.generation.offline.facts import Fact, facts
from ragset.generation.offline.text import content
from ragset.llm.replies import ContextDraft, ContextDrafts, KeyphraseDraft, NearMiss, QueryDraft
from ragset.settings.languages import language_name
from ragset.text.languages import guess_language
from ragset.text.rules import LANGUAGES

COMPARISON = re.compile(r"Which came first, .+ or .+\?|How (?:does|do) .+ differ from .+\?")
"""The forms of these queries: nothing less than both facts answers one."""
_LIKED = {
    "open": ("why", "definition", "who", "when"),
    "factoid": ("when", "who", "why", "definition"),
    "exam": ("why", "definition", "who", "when"),
    "keyphrase": ("definition", "who", "why", "when"),
}
"""Kinds of facts by style, best first; each style takes any kind rather than none."""
_STATES = {
    "definition": "says what its subject is",
    "when": "states a date",
    "who": "names who did it",
    "why": "states a cause",
}
_NAME = re.compile(r"(?<=[\w,] )[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*")
_WORD = re.compile(r"[^\W\d_]{5,}")
_MOST_PHRASES, _MOST_WORDS = 5, 7
_SMALL = frozenset("the a an is are was were did do does can could must should be been".split())  # noqa: SIM905


def draft(chunk: str, style: str) -> QueryDraft:
    """The question of the fact that suits the style best."""
    fact = best_fact(chunk, style)
    return QueryDraft(reason=_reason(fact, chunk), query=fact.query if fact else None)


def draft_keyphrase(chunk: str) -> KeyphraseDraft:
    """What the fact is about first, then names and the commonest long words of the chunk."""
    fact = best_fact(chunk, "keyphrase")
    if fact is None:
        return KeyphraseDraft(reason=_reason(fact, chunk), keyphrases=(), query=None)
    words = Counter(word.lower() for word in _WORD.findall(chunk) if content(word))
    about = re.sub(r"^(?:the|an?) ", "", fact.about)
    phrases: list[str] = []
    for phrase in (about, *_NAME.findall(chunk), *(word for word, _ in words.most_common(2 * _MOST_PHRASES))):
        if not any(phrase.lower() in other.lower() for other in phrases):
            phrases.append(phrase)
    if len(phrases) < 3:
        return KeyphraseDraft(reason="By rule: fewer than three key phrases.", keyphrases=(), query=None)
    reason, query = _reason(fact, chunk), typed(fact.query)
    return KeyphraseDraft(reason=reason, keyphrases=tuple(phrases[:_MOST_PHRASES]), query=query)


def typed(query: str) -> str:
    """A question as key words: at most seven, without articles, the verb that opens it and the question mark."""
    asked, *words = query.rstrip("?").split()
    if asked == "What":
        return " ".join(["what is", *(word for word in words if word.lower() not in _SMALL)][: _MOST_WORDS - 1])
    kept = [word for word in words if word.lower() not in _SMALL]
    return " ".join(
        [*kept, asked.lower()] if asked in {"When", "Who", "Why"} and len(kept) < _MOST_WORDS else kept[:_MOST_WORDS]
    )


def best_fact(chunk: str, style: str) -> Fact | None:
    """Of equals the first in the text."""
    return min(facts(chunk), key=lambda fact: _LIKED[style].index(fact.kind), default=None)


def draft_unanswerable() -> NearMiss:
    """None: a near miss takes a language model."""
    return NearMiss(reason="By rule: a near miss takes a language model.", query=None, missing="")


def draft_multi(chunks: tuple[str, ...]) -> ContextDrafts:
    """A comparison of two like facts of two chunks; which one depends on the chunks."""
    found = pairs(chunks)
    if not found:
        reason = "By rule: no two passages state facts of one kind about different things."
        return ContextDrafts(reason=reason, drafts=())
    # Contexts that share a pair should ask about others, too: about those of their first chunk.
    of_first = [pair for pair in found if any(place == 0 for place, _ in pair.sides)] or found
    pair = min(of_first, key=lambda pair: crc32("\n".join([pair.query, *chunks]).encode()))
    chosen = tuple(sorted(place + 1 for place, _ in pair.sides))
    reason = f"By rule: passages {' and '.join(map(str, chosen))} state facts of one kind."
    draft = ContextDraft(reason=reason, chunks=chosen, query=pair.query, shape="comparison")
    return ContextDrafts(reason=reason, drafts=(draft,))


def _reason(fact: Fact | None, chunk: str) -> str:
    if fact:
        return f'By rule: the sentence "{fact.answer[:60].rstrip()}…" {_STATES[fact.kind]}.'
    language = guess_language(chunk)
    if language is not None and language not in LANGUAGES:
        return f"By rule: there are no rules for {language_name(language)}."
    return "By rule: no sentence plainly states a definition, a date, a name or a cause of something that it names."


class Pair(NamedTuple):
    """A comparison, with the place of the chunk (from 0) and the fact of each side."""

    query: str
    sides: tuple[tuple[int, Fact], tuple[int, Fact]]
    answer: str


@lru_cache(maxsize=256)
def pairs(chunks: tuple[str, ...]) -> tuple[Pair, ...]:
    """Every comparison that two of the chunks answer together and none answers alone."""
    found: dict[str, Pair] = {}
    alone: set[str] = set()
    # Ordered by query, so that a pair reads the same whatever the order of its chunks.
    placed = [(place, fact) for place, chunk in enumerate(chunks) for fact in facts(chunk)]
    placed.sort(key=lambda one: (one[1].query, one[0]))
    for (place, fact), (other_place, other) in combinations(placed, 2):
        query, verdict = _compared(fact, other)
        if query and place == other_place:
            alone.add(query)
        elif query:
            pair = Pair(query, ((place, fact), (other_place, other)), f"{verdict}{fact.answer} {other.answer}")
            found.setdefault(query, pair)
    return tuple(pair for pair in found.values() if pair.query not in alone)


def _compared(fact: Fact, other: Fact) -> tuple[str, str]:
    """The query and the first words of its answer; empty where the two are not alike."""
    if set(content(fact.about)) & set(content(other.about)) == set(content(fact.about)):
        return "", ""
    if fact.event and other.event and fact.when and other.when:
        first = fact if fact.when.last < other.when.first else other if other.when.last < fact.when.first else None
        if first:
            said = first.event[0].upper() + first.event[1:]
            return f"Which came first, {fact.event} or {other.event}?", f"{said} came first. "
    if fact.genus and fact.genus == other.genus:
        do = "do" if fact.query.startswith("What are") else "does"
        return f"How {do} {fact.about} differ from {other.about}?", ""
    return "", ""
