"""Evolutions that a rule can do: fewer words, or another fact of the chunk. Any other leaves a query as it was."""

import re

from ragset.dataset.duplicates.alike import Compared, Query, same_words
from ragset.generation.offline.answer import find
from ragset.generation.offline.facts import facts
from ragset.generation.offline.queries import fault
from ragset.generation.offline.text import content
from ragset.llm.replies import EvolutionVerdict, EvolvedQuery, SameQuery
from ragset.text.languages import guess_language
from ragset.text.rules.content_words import names_in


def compress(query: str) -> EvolvedQuery:
    """Without articles, forms of "be" and the question mark."""
    bare = re.sub(r"^(What|Who) (?:is|are|was|were) (?:the |an? )?", r"\1 is ", query.rstrip(" ?"))
    short = re.sub(r"(?<=\w) (?:the|an?|was|were)(?= )", "", bare)
    short = short[0].lower() + short[1:] if short else short
    if len(short.split()) < 2 or len(short.split()) >= len(query.split()):
        return EvolvedQuery(reason="By rule: nothing can go without losing what is asked.", query=None)
    return EvolvedQuery(reason="By rule: articles and forms of be can go.", query=short)


def broaden(chunk: str, query: str) -> EvolvedQuery:
    """The question of another sentence, about something else."""
    asked = set(content(query))
    for fact in facts(chunk):
        if not asked & set(content(fact.about)):
            return EvolvedQuery(reason="By rule: the passage states this of another thing.", query=fact.query)
    return EvolvedQuery(reason="By rule: the passage states no plain fact of another thing.", query=None)


def leave() -> EvolvedQuery:
    """Null: this takes a language model."""
    return EvolvedQuery(reason="By rule: this rewriting takes a language model.", query=None)


def same_query(query: str, evolved: str) -> SameQuery:
    """The same where no word of substance, name or number differs, and both ask for the same kind of thing."""
    language = guess_language(f"{query} {evolved}") or "en"
    names = names_in((query, evolved))
    one, other = (Compared.of(Query(text), language, names) for text in (query, evolved))
    if one.wording.words == other.wording.words or same_words(one, other):
        reason = "By rule: no word of substance differs."
        return SameQuery(reason=reason, same_constraints=1, same_depth=1, same=1)
    differing = ", ".join(sorted(one.core ^ other.core)[:5]) or "the order of words"
    depth = 1 if one.wording.kind == other.wording.kind else 0
    return SameQuery(reason=f"By rule: they differ by {differing}.", same_constraints=0, same_depth=depth, same=0)


def judge_evolution(chunks: tuple[str, ...], query: str) -> EvolutionVerdict:
    """Answerable where the rules have an answer to the whole query."""
    wrong = fault(query)
    found = find(chunks, query)
    return EvolutionVerdict(
        reason=f"By rule: {wrong or 'it names its subject'}; {found.why}.",
        standalone=0 if wrong else 1,
        answerable=1 if found.whole else 0,
    )
