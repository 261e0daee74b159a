"""What a benchmark finds out about the datasets themselves: how alike they rank, and which chunking they favour."""

from collections.abc import Iterable, Iterator

from ragset.dataset.manifest import CutRate
from ragset.models import Model


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
