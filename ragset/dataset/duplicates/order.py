"""Whether the order of the words makes a difference between two queries of the same words.

It does in "PDF to DOCX". It does not between two things that are compared or joined by "and", or where "under the act" stands
before "who may appeal" or after it.
"""

from collections.abc import Sequence

from ragset.text.rules.content_words import Wording, mutual, stem
from ragset.text.rules.stopwords import small_words

_JOINING = {
    "en": frozenset({"and", "or", "nor"}),
    "es": frozenset({"y", "e", "o", "u", "ni"}),
    "de": frozenset({"und", "oder", "noch"}),
    "fr": frozenset({"et", "ou", "ni"}),
}
_PREPOSITIONS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "about after against as at before between by during for from in into of on over per since through to under"
        " until via with without",
        "es": "a al ante bajo con contra de del desde durante en entre hacia hasta para por según sin sobre tras",
        "de": "am an auf aus bei beim bis durch für gegen im in mit nach ohne seit um unter vom von vor während zu zum zur"
        " zwischen über",
        "fr": "après au aux avant avec chez contre dans de depuis des du en entre par pendant pour sans selon sous sur vers à",
    }.items()
}
_SOONER = {
    "en": frozenset({"before", "after", "earlier", "later"}),
    "es": frozenset({"antes", "después"}),
    "de": frozenset({"vor", "nach", "bevor", "nachdem", "früher", "später"}),
    "fr": frozenset({"avant", "après"}),
}
"""Words that order two events in a yes-or-no question."""


def interchangeable(one: Wording, other: Wording) -> bool:
    """Whether two queries of the same words ask the same; symmetric."""
    ours, theirs, language = one.words, other.words, one.language
    return (
        either_way(one, other)
        or changed_places(ours, theirs, language)
        or _rearranged(ours, theirs, language)
        or _fronted(ours, theirs, language)
        or _fronted(theirs, ours, language)
    )


def either_way(one: Wording, other: Wording) -> bool:
    """Whether both are about two things whose order makes no difference: "how A differs from B"."""
    return (mutual(one.content, one.language) and mutual(other.content, other.language)) or turned_round(one, other)


def turned_round(one: Wording, other: Wording) -> bool:
    """Whether one asks if A came before B and the other if B came before A, so that one answer gives the other."""
    if not one.kind == other.kind == "polar":
        return False
    (before, after), (first, second) = _halves(one), _halves(other)
    if before == second and after == first:
        return before != after
    # "Did the dam come before the mill?": the verb stays.
    return not after & second and bool(after) and before - first == second and first - before == after


def _halves(wording: Wording) -> tuple[set[str], set[str]]:
    """The stems on either side of "before" or its like; nothing where it is not there."""
    sooner = {stem(word, wording.language) for word in _SOONER.get(wording.language, frozenset[str]())}
    place = next((place for place, word in enumerate(wording.content) if word in sooner), 0)
    return (set(wording.content[:place]), set(wording.content[place + 1 :])) if place else (set(), set())


def changed_places(one: Sequence[str], other: Sequence[str], language: str) -> bool:
    """Whether two runs of words on either side of "and" or "or" have changed places, and nothing else has."""
    joining = _JOINING.get(language, frozenset[str]())
    if len(one) != len(other):
        return False
    differing = [place for place, word in enumerate(one) if word != other[place]]
    if not differing:
        return True
    # The two runs reach at least from the first word that differs to the last; what they have in common at either end may
    # belong to them as well ("the red and the blue").
    for start in range(differing[0], -1, -1):
        for end in range(differing[-1] + 1, len(one) + 1):
            for place in range(start + 1, end - 1):
                if one[place] in joining and [*one[place + 1 : end], one[place], *one[start:place]] == list(
                    other[start:end]
                ):
                    return True
    return False


def _rearranged(one: Sequence[str], other: Sequence[str], language: str) -> bool:
    """Whether two neighbours that each begin with a preposition have changed places: "to Bath from Ely"."""
    opens = _PREPOSITIONS.get(language, frozenset[str]())
    first = next((place for place, (left, right) in enumerate(zip(one, other, strict=True)) if left != right), 0)
    # With "to the king" and "to the queen" the first words are no difference.
    starts = [place for place in range(first, -1, -1) if one[place] in opens][:1]
    return any(
        [*one[:start], *one[place:end], *one[start:place], *one[end:]] == list(other)
        for start in starts
        for place in range(start + 1, len(one))
        if one[place] in opens
        for end in range(place + 2, len(one) + 1)
    )


def _fronted(one: Sequence[str], other: Sequence[str], language: str) -> bool:
    """Whether `other` begins with the question that `one` puts after what opens it."""
    table = small_words(language)
    opens = {*table.asking, *table.polar}
    return any(one[place] in opens and [*one[place:], *one[:place]] == list(other) for place in range(2, len(one) - 1))
