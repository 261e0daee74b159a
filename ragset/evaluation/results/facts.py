"""How far results can be trusted: what systems left unanswered or unfound, how alike datasets rank, which chunking they favour."""

from collections.abc import Iterable, Iterator

from ragset.dataset.manifest import CutRate
from ragset.models import Model


class UnansweredQuery(Model):
    """A query that another system failed on."""

    golden: str
    query: str
    reason: str


class UnalignedPassage(Model):
    """A passage that was not found in the documents; its score is the share of its letters that they have, in order."""

    golden: str
    text: str
    score: float = 0.0
    reason: str = ""


class ExternalFacts(Model):
    """How far the scores of another system can be trusted."""

    queries: int
    answered: int
    failed: tuple[UnansweredQuery, ...] = ()
    passages: int = 0
    unaligned: int = 0
    unaligned_queries: int = 0
    examples: tuple[UnalignedPassage, ...] = ()
    alignment: float | None = None
    """Mean share of a passage's letters that the documents have, in order; None where no passage is known by its text."""
    unknown: tuple[str, ...] = ()
    """The first ten ids or queries of the file that no golden has."""
    unknown_count: int = 0

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of the scores must know, a sentence each."""
        said: list[str] = []
        if left_out := self.queries - self.answered - len(self.failed):
            others = f"the other {left_out} count 0 at worst and 1 at best"
            said.append(f"covers {self.answered} of {self.queries} goldens: {others}")
        if self.failed:
            first = f"first on {self.failed[0].query!r}: {self.failed[0].reason}"
            share = f"{len(self.failed)} of {self.queries} queries"
            said.append(f"failed on {share}, which count 0 at worst and 1 at best; {first}")
        if self.unknown_count:
            more = ", …" if self.unknown_count > len(self.unknown) else ""
            said.append(f"{self.unknown_count} of its queries are of no golden: {', '.join(self.unknown)}{more}")
        if self.unaligned:
            share = f"{self.unaligned:,} of its {self.passages:,} passages, in {self.unaligned_queries} of {self.queries} queries"
            said.append(f"{share}, could not be found in the documents: irrelevant at worst, evidence at best")
        return tuple(said)


class MappingFacts(Model):
    """How existing chunks stand in the documents."""

    chunks: int
    """That are searched."""
    repeated: int = 0
    """Left out, since they are empty or have the text of another."""
    not_found: int = 0
    """In no document; they are searched, and are no evidence."""
    examples: tuple[str, ...] = ()

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of the scores must know, a sentence each."""
        said: list[str] = []
        if self.not_found:
            share = f"{self.not_found:,} of its {self.chunks:,} chunks"
            said.append(f"{share} could not be found in the documents, and count as irrelevant")
        if self.repeated:
            said.append(f"{self.repeated:,} chunks are left out: they are empty, or have the text of another")
        return tuple(said)


class DatasetAgreement(Model):
    """How alike two datasets rank the same configurations: rank correlations from -1 to 1, None where not defined."""

    one: str
    other: str
    metric: str
    tau_b: float | None
    tau_low: float | None
    tau_high: float | None
    spearman: float | None
    rho_low: float | None
    rho_high: float | None
    configurations: int
    ceiling: float | None = None
    """Tau-b between random goldens of `other` and the rest of it; None in older results too."""
    ceiling_low: float | None = None
    ceiling_high: float | None = None
    ceiling_goldens: int = 0
    """How many are drawn for it: as many as `one` has, at most half of `other`."""
    ratio: float | None = None
    """Of `tau_b` to `ceiling`."""


class DatasetCutRate(CutRate):
    """How often a chunking under test cuts the evidence of a dataset."""

    dataset: str
    home: bool = False
    """Whether the dataset's queries were drawn from chunks of this chunking."""


class DatasetDiscrimination(Model):
    """How many pairs of configurations a dataset tells apart, by the paired test with Holm's correction for all pairs."""

    dataset: str
    metric: str
    goldens: int
    told: int
    pairs: int


def favour_notices(rates: Iterable[DatasetCutRate]) -> Iterator[str]:
    """A sentence for each chunking under test that a dataset favours."""
    for rate in rates:
        if rate.home:
            drawn = f"{rate.dataset} favours {rate.chunking}: its queries were drawn from chunks of that chunking"
            yield f"{drawn}, which cuts {rate.told}."
        elif rate.favoured:
            yield f"{rate.dataset} favours {rate.chunking}, which cuts {rate.told}."
