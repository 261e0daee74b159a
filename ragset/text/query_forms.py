"""The form of a query: how long it is, whether it ends in a question mark, and whether it is factoid, open or key words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import quantiles
from typing import Literal, NamedTuple

from ragset.text.rules.content_words import wording_of
from ragset.text.rules.tables import small_words
from ragset.text.words import tokenise, writes_without_spaces

Opening = Literal["factoid", "open", "keyphrase"]
"""`factoid` asks who, when, where, which, how many or whether; `open` asks how or why; `keyphrase` has no question word at its
beginning and no question mark. They are also the names of styles."""
OPENINGS: tuple[Opening, ...] = ("factoid", "open", "keyphrase")
_MARKS = ("?", "？", "؟")
_FIRST_WORDS = 3  # among which a question word opens the query: "in which year"


class QueryForm(NamedTuple):
    """How a query is typed, whatever it is about."""

    opening: Opening
    words: int
    question_mark: bool

    def __str__(self) -> str:
        return f"about {self.words} word{'s' * (self.words > 1)}, {'with' if self.question_mark else 'without'} a question mark"

    def fits(self, other: "QueryForm") -> bool:
        """Whether both have a question mark or none, and neither is twice as long as the other, give or take two words."""
        low, high = sorted((self.words, other.words))
        return self.question_mark == other.question_mark and high <= 2 * low + 2


class FormMix(NamedTuple):
    """The forms of many queries."""

    queries: int
    shares: dict[str, float]  # by opening
    words: tuple[float, float, float]  # first quartile, median, third quartile
    question_marks: float  # share

    def __str__(self) -> str:
        shares = ", ".join(f"{self.shares[opening]:.0%} {opening}" for opening in OPENINGS)
        low, median, high = self.words
        return f"{shares}; {median:g} words ({low:g} to {high:g}); {self.question_marks:.0%} with a question mark"


def form_of(query: str, language: str = "en") -> QueryForm:
    """The form of a query; in a language without a table of question words the question mark alone decides."""
    wording, table = wording_of(query, language, frozenset()), small_words(language)
    first = wording.folded.split()[:_FIRST_WORDS]
    marked = query.rstrip(" \"'”’»)").endswith(_MARKS)
    asks = any(word in table.asking for word in first) or any(word in table.polar for word in first[:1])
    opening: Opening = "open" if wording.kind in {"reason", "manner"} else "factoid"
    if not (marked or asks):
        opening = "keyphrase"
    words = tokenise(query) if writes_without_spaces(query) else query.split()
    return QueryForm(opening, len(words), marked)


def mix_of(forms: Iterable[QueryForm]) -> FormMix:
    """Shares, quartiles and question marks of some forms; at least one."""
    forms = tuple(forms)
    openings = Counter(form.opening for form in forms)
    shares: dict[str, float] = {opening: openings[opening] / len(forms) for opening in OPENINGS}
    marked = sum(form.question_mark for form in forms) / len(forms)
    return FormMix(len(forms), shares, quartiles([form.words for form in forms]), marked)


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """First quartile, median and third quartile, interpolated; of one value, that value thrice."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, median, high = quantiles(values, n=4, method="inclusive")
    return low, median, high
