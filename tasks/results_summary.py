"""The outcome of a benchmark in short, as a flow returns it and a terminal shows it."""

from pathlib import Path
from typing import Self

from pydantic import Field

from ragset.dataset.importers import Unaligned
from ragset.evaluation.efficiency import Efficiency
from ragset.evaluation.results.comparing import Change
from ragset.evaluation.results.facts import (
    DatasetAgreement,
    DatasetCutRate,
    DatasetDiscrimination,
    ExternalFacts,
    MappingFacts,
)
from ragset.evaluation.results.model import Comparison, Results, Standing
from ragset.models import Model


class ResultsSummary(Model):
    """The outcome of a benchmark, in short."""

    folder: str
    report: str
    goldens: int
    problems: int
    """Records of datasets that could not be used."""
    first_problems: tuple[Unaligned, ...] = ()
    unanswerable: int = 0
    corpus_wide: int = 0
    made_by_rules: int = 0
    primary: str
    primary_basis: str = ""
    leaders: tuple[str, ...]
    """The best configuration, and those that cannot be told from it."""
    standings: tuple[Standing, ...]
    comparisons: tuple[Comparison, ...]
    agreements: tuple[DatasetAgreement, ...]
    cut_rates: tuple[DatasetCutRate, ...] = ()
    discrimination: tuple[DatasetDiscrimination, ...] = ()
    external: dict[str, ExternalFacts] = Field(default_factory=dict)
    mappings: dict[str, MappingFacts] = Field(default_factory=dict)
    """Of existing chunks, by their name."""
    failures: dict[str, dict[str, int]] = Field(default_factory=dict)
    """By configuration, how many goldens are right, or fail at each step."""
    efficiencies: dict[str, Efficiency] = Field(default_factory=dict)
    """What a query takes, by configuration."""
    changes: tuple[Change, ...] = ()
    """Since the results that stood in the folder before, in their primary metric."""

    @property
    def fell(self) -> tuple[Change, ...]:
        """The changes for the worse by more than their noise."""
        return tuple(change for change in self.changes if change.fell)

    @classmethod
    def of(cls, folder: Path, results: Results) -> Self:
        """Of results that were written to `folder`."""
        means = [(one.mean, one) for one in results.standings if one.metric == results.primary and one.mean is not None]
        ranked = tuple(one for _, one in sorted(means, key=lambda pair: -pair[0]))
        return cls(
            folder=str(folder),
            report=str(folder / "report.html"),
            goldens=len(results.goldens),
            unanswerable=results.unanswerable,
            corpus_wide=results.corpus_wide,
            made_by_rules=results.made_by_rules,
            problems=len(results.problems),
            first_problems=results.problems[:10],
            primary=results.primary,
            primary_basis=results.primary_basis,
            leaders=tuple(one.configuration for one in [one for one in ranked if one.tied] or ranked[:1]),
            standings=ranked,
            comparisons=results.comparisons,
            agreements=results.agreements,
            cut_rates=results.cut_rates,
            discrimination=results.discrimination,
            external={one.name: one.external for one in results.systems if one.external},
            failures=results.failure_counts,
            efficiencies={one.name: one.efficiency for one in results.systems if one.efficiency},
            mappings={one.chunking: one.mapping for one in results.systems if one.mapping},
        )
