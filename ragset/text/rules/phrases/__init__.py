"""Wordings with which a query leans on a text that its reader does not see, by language.

Each pattern is searched in the query as it is, without regard to case except where `(?-i:…)` says so. They
are written for precision: a phrase that goes on to say which text is meant ("the text of the treaty", "the
report by the coroner") does not lean.
"""

from ragset.text.rules.phrases.english import ENGLISH, EXPLETIVE
from ragset.text.rules.phrases.french import FRENCH
from ragset.text.rules.phrases.german import GERMAN
from ragset.text.rules.phrases.spanish import SPANISH

__all__ = ["EXPLETIVE", "LEANING"]

LEANING = {"en": ENGLISH, "es": SPANISH, "de": GERMAN, "fr": FRENCH}
"""Patterns by language; the part called `shown` is the phrase, where it is not the whole match."""
