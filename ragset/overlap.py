"""How much of a query stands word for word in its evidence: what makes it easy for a lexical search, and a poor test.

A label, never a filter: people do ask with the words of the text.
"""

from collections.abc import Sequence

from ragset.bm25 import tokenise
from ragset.models import Model
from ragset.rules.wording import content_words

METADATA = "overlap"
"""Key of a golden's metadata under which `Overlap` stands, as JSON."""


class Overlap(Model):
    """What query and evidence share, in words without regard to case, punctuation and typography."""

    longest: int
    """Words of the longest run of the query that the evidence has too."""
    share: float
    """`longest` of all words of the query, 0 to 1; 0 of a query without words."""
    jaccard: float
    """Stems of words of content in both, of those in either, 0 to 1."""
    covered: float
    """Stems of the query's words of content that the evidence has, 0 to 1, however long the evidence is."""


def overlap_of(query: str, evidence: Sequence[str], language: str = "en") -> Overlap:
    """What `query` shares with the texts of its evidence; a run does not go from one text to the next.

    Words of content are those that `language` does not call empty; in a language without such a list all are. In
    scripts without spaces a word is a pair of characters.
    """
    asked = tokenise(query)
    longest = max((longest_run(asked, tokenise(text)) for text in evidence), default=0)
    ours = frozenset(content_words(query, language))
    theirs = frozenset(word for text in evidence for word in content_words(text, language))
    both = len(ours & theirs)
    return Overlap(
        longest=longest,
        share=round(longest / len(asked), 4) if asked else 0.0,
        jaccard=round(both / len(ours | theirs), 4) if both else 0.0,
        covered=round(both / len(ours), 4) if both else 0.0,
    )


def longest_run(left: Sequence[str], right: Sequence[str]) -> int:
    """Words of the longest run that both have."""
    best = 0
    ending: dict[int, int] = {}
    places: dict[str, list[int]] = {}
    for place, word in enumerate(right):
        places.setdefault(word, []).append(place)
    for word in left:
        # The runs that end with this word, by where they end on the right.
        ending = {place: ending.get(place - 1, 0) + 1 for place in places.get(word, ())}
        best = max(best, max(ending.values(), default=0))
    return best
