"""How far the scores of another system can be trusted: what it did not answer, what was not found in the documents."""

from pydantic import Field

from ragset.models import Model


class UnansweredQuery(Model):
    """A query that the system failed on."""

    golden: str
    query: str
    reason: str


class UnalignedPassage(Model):
    """A passage that the documents do not hold, as far as could be seen."""

    golden: str
    text: str
    score: float = 0.0
    """The share of its letters that the documents have, in order."""
    reason: str = ""


class ExternalFacts(Model):
    """How far the scores of another system can be trusted."""

    queries: int
    answered: int
    failed: tuple[UnansweredQuery, ...] = ()
    """Queries that the system failed on: each counts 0."""
    passages: int = 0
    unaligned: int = 0
    """Of these, how many could not be found in the documents: irrelevant at worst, evidence at best."""
    unaligned_queries: int = 0
    examples: tuple[UnalignedPassage, ...] = ()
    alignment: float | None = None
    """Mean share of a passage's letters that the documents have, in order; None where no passage is known by its text."""
    unknown: tuple[str, ...] = Field(default=())
    """Ids or queries of the file that no golden has, the first ten."""
    unknown_count: int = 0

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of the scores must know, a sentence each."""
        said: list[str] = []
        left_out = self.queries - self.answered - len(self.failed)
        if left_out:
            said.append(
                f"covers {self.answered} of {self.queries} goldens: the other {left_out} count 0 at worst and 1 at best"
            )
        if self.failed:
            first = self.failed[0]
            said.append(
                f"failed on {len(self.failed)} of {self.queries} queries, which count 0 at worst and 1 at best; first on "
                f"{first.query!r}: {first.reason}"
            )
        if self.unknown_count:
            more = ", …" if self.unknown_count > len(self.unknown) else ""
            said.append(f"{self.unknown_count} of its queries are of no golden: {', '.join(self.unknown)}{more}")
        if self.unaligned:
            share = f"{self.unaligned:,} of its {self.passages:,} passages, in {self.unaligned_queries} of {self.queries} queries"
            said.append(f"{share}, could not be found in the documents: irrelevant at worst, evidence at best")
        return tuple(said)
