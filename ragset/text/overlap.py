"""How much of a query stands word for word in its evidence: a label, never a filter, as people do ask so."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from ragset.models import Model
from ragset.text.rules.content_words import content_words
from ragset.text.rules.tables import small_words
from ragset.text.words import tokenise

METADATA = "overlap"  # key of a golden's metadata under which `Overlap` stands, as JSON


class Overlap(Model):
    """What query and evidence share, in words without regard to case, punctuation and typography."""

    longest: int  # words of the longest run of the query that the evidence has too
    share: float  # `longest` of all words of the query, 0 to 1; 0 of a query without words
    jaccard: float  # stems of words of content in both, of those in either, 0 to 1
    covered: float  # stems of the query's words of content that the evidence has, 0 to 1, however long the evidence is

    @property
    def copied(self) -> bool:
        """Whether the query is worded as the text: nearly all its words of content, and 5 words and half of it in one run.

        One in seventeen of the questions that people wrote is, measured against the whole passage (docs/validity.md).
        """
        return self.covered >= 0.9 and self.share >= 0.5 and self.longest >= 5


def overlap_of(query: str, evidence: Sequence[str], language: str = "en") -> Overlap:
    """What `query` shares with the texts of its evidence; a run does not go from one text to the next.

    Words of content are those that `language` does not call empty, without what "how" asks for ("how long").
    """
    asked = tokenise(query)
    longest = max((longest_run(asked, tokenise(text)) for text in evidence), default=0)
    ours = frozenset(content_words(_measure(language).sub(r"\g<asking>", query), language))
    theirs = frozenset(word for text in evidence for word in content_words(text, language))
    both = len(ours & theirs)
    return Overlap(
        longest=longest,
        share=round(longest / len(asked), 4) if asked else 0.0,
        jaccard=round(both / len(ours | theirs), 4) if both else 0.0,
        covered=round(both / len(ours), 4) if both else 0.0,
    )


@lru_cache(maxsize=16)
def _measure(language: str) -> re.Pattern[str]:
    """Finds "long" in "how long": an answer gives a number, and seldom that word."""
    table = small_words(language)
    asking = "|".join(word for word, kind in table.asking.items() if kind in {"manner", "amount"})
    measures = "|".join([*table.amounts, *table.measures, "time", "tiempo", "temps", "zeit"])
    return re.compile(rf"\b(?P<asking>{asking or '(?!)'})(?: de)?(?: (?:{measures})\b)+", re.IGNORECASE)


def longest_run(left: Sequence[str], right: Sequence[str]) -> int:
    """The length, in words, of the longest run that both have."""
    return SequenceMatcher(None, left, right, autojunk=False).find_longest_match().size
