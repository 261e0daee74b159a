"""Was a query evolved, and does it still stand? By its words of substance, and by whether the rules find an answer."""

from ragset.dataset.duplicates.alike import Compared, Query, same_words
from ragset.generation.offline.context_answer import find
from ragset.generation.offline.language import guess_language
from ragset.generation.offline.screening import stands_alone
from ragset.llm.replies import EvolutionVerdict, SameQuery
from ragset.text.rules.content_words import names_in


def same_query(query: str, evolved: str) -> SameQuery:
    """The same where no word of substance, name or number differs, and both ask for the same kind of thing."""
    language = guess_language(f"{query} {evolved}") or "en"
    names = names_in((query, evolved))
    one, other = (Compared.of(Query(text), language, names) for text in (query, evolved))
    if one.wording.words == other.wording.words or same_words(one, other):
        reason = "By rule: no word of substance differs."
        return SameQuery(reason=reason, same_constraints=1, same_depth=1, same=1)
    differing = sorted(one.core ^ other.core)
    said = f"they differ by {', '.join(differing[:5])}" if differing else "the order of its words turns it round"
    if one.wording.kind != other.wording.kind:
        said += f", and one asks for {one.wording.kind}, the other for {other.wording.kind}"
        depth, constraints = 0, 0 if differing else 1
    else:
        depth, constraints = 1, 0
    return SameQuery(
        reason=f"By rule: {said}.",
        same_constraints=1 if constraints else 0,
        same_depth=1 if depth else 0,
        same=0,
    )


def judge_evolution(chunks: tuple[str, ...], query: str) -> EvolutionVerdict:
    """Answerable where the rules have an answer to the whole query."""
    lacking = stands_alone(query)
    found = find(chunks, query)
    answerable = bool(found.parts) and found.whole
    said = [
        lacking or "it names its subject;",
        found.why if answerable or not found.parts else "a part of it is not answered",
    ]
    return EvolutionVerdict(
        reason=f"By rule: {' '.join(said)}.", standalone=0 if lacking else 1, answerable=1 if answerable else 0
    )
