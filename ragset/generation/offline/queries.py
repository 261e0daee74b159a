"""Judgements on queries: do they name what they are about, and ask one thing? And the one evolution that a rule can do."""

import re

from ragset.dataset.duplicates.alike import Compared, Query, same_words
from ragset.generation.offline.answer import find
from ragset.generation.offline.text import content
from ragset.llm.replies import Criticism, EvolutionVerdict, EvolvedQuery, QueryPart, QuerySplit, QueryVerdict, SameQuery
from ragset.text.languages import guess_language
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans, prose, unnamed


def fault(query: str) -> str | None:
    """What to name in a query that leans on something unseen."""
    language = guess_language(query) or "en"
    if leaning := leans(query, language):
        return f'name what is meant: "{leaning}" leans on something that nobody sees'
    if pronoun := unnamed(query, language):
        return f'say who or what "{pronoun}" is'
    return None if content(query) else "name its subject: none of its words says what it is about"


def judge_query(query: str) -> QueryVerdict:
    """Refused for a wording that leans, a pronoun that stands for nothing named, no subject, or two questions."""
    wrong = fault(query)
    joint = conjoined(query, guess_language(query) or "en")
    told = [part for part in (wrong, f'ask one thing; the second begins at "{joint}"' if joint else "") if part]
    return QueryVerdict(
        feedback=f"By rule: {'; '.join(told) or 'it names its subject and asks one thing'}.",
        independent=0 if wrong else 1,
        clear=0 if joint else 1,
        verdict=0 if told else 1,
    )


def clarity(query: str) -> Criticism:
    """1 where the query leans on something unseen, 5 where it names its subject, in a question or in key words."""
    query = prose(query)
    wrong = fault(query)
    reason, score = "one question that names its subject", 5
    if wrong:
        reason, score = wrong, 1 if leans(query, guess_language(query) or "en") else 2
    elif not 2 <= len(query.split()) <= 40:
        reason, score = "one word does not say what is asked, and too many hide it", 3
    return Criticism(reason=f"By rule: {reason}.", score=score)


def split_query(chunks: tuple[str, ...], query: str) -> QuerySplit:
    """The whole query: taking one apart needs a language model."""
    whole = QueryPart(query=query, chunks=tuple(range(1, len(chunks) + 1))[:16])
    return QuerySplit(reason="By rule: it cannot be told apart.", parts=(whole,))


def compress(query: str) -> EvolvedQuery:
    """Without articles, forms of "be" and the question mark."""
    bare = re.sub(r"^(What|Who) (?:is|are|was|were) (?:the |an? )?", r"\1 is ", query.rstrip(" ?"))
    short = re.sub(r"(?<=\w) (?:the|an?|was|were)(?= )", "", bare)
    short = short[0].lower() + short[1:] if short else short
    if len(short.split()) < 2 or len(short.split()) >= len(query.split()):
        return EvolvedQuery(reason="By rule: nothing can go without losing what is asked.", query=None)
    return EvolvedQuery(reason="By rule: articles and forms of be can go.", query=short)


def leave() -> EvolvedQuery:
    """Null: this rewriting takes a language model."""
    return EvolvedQuery(reason="By rule: this rewriting takes a language model.", query=None)


def same_query(query: str, evolved: str) -> SameQuery:
    """The same where no word of substance, name or number differs."""
    language = guess_language(f"{query} {evolved}") or "en"
    one, other = Compared.each([Query(query), Query(evolved)], language)
    if one.wording.words == other.wording.words or same_words(one, other):
        reason = "By rule: no word of substance differs."
        return SameQuery(reason=reason, same=1)
    differing = ", ".join(sorted(one.core ^ other.core)[:5]) or "the order of words"
    return SameQuery(reason=f"By rule: they differ by {differing}.", same=0)


def judge_evolution(chunks: tuple[str, ...], query: str) -> EvolutionVerdict:
    """Answerable where the rules have an answer to the whole query."""
    wrong = fault(query)
    found = find(chunks, query)
    return EvolutionVerdict(
        reason=f"By rule: {wrong or 'it names its subject'}; {found.why}.",
        standalone=0 if wrong else 1,
        answerable=1 if found.parts else 0,
    )
