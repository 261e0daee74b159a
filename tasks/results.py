"""What a benchmark measured, concluded from and written, and its outcome in short, as a flow returns it and a terminal shows it."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from pydantic import Field

from ragset.dataset import versions
from ragset.dataset.cut_rates import cut_rates
from ragset.dataset.importers import Unaligned
from ragset.dataset.relevance.qrels import Gold, gold_of
from ragset.dataset.review.file import REVIEWS
from ragset.errors import InputError
from ragset.evaluation.efficiency import Efficiency, effort_scores
from ragset.evaluation.failures import evidence_held, find_failures
from ragset.evaluation.metrics.claims import Diagnosis
from ragset.evaluation.metrics.resample import clusters_of
from ragset.evaluation.metrics.scores import score_frame
from ragset.evaluation.results.comparing import Change, compare
from ragset.evaluation.results.facts import (
    DatasetAgreement,
    DatasetCutRate,
    DatasetDiscrimination,
    ExternalFacts,
    MappingFacts,
)
from ragset.evaluation.results.folder import StoredResults, read_results
from ragset.evaluation.results.model import Comparison, OwnChunk, Results, RetrievalResult, Standing, System
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.standings import agreements, conclude, discriminations
from ragset.evaluation.results.writing import write_results
from ragset.evaluation.review.estimates import correct_results
from ragset.evaluation.systems.existing import ChunkMap
from ragset.llm.usage import load_prices
from ragset.models import Golden, Model, Span
from ragset.settings import Environment
from tasks.goldens import DATASET, TestSet
from tasks.index import IndexFile
from tasks.run.threads import in_thread
from tasks.systems import ScoreResult

_OF_RESULTS = (
    *("unanswerable", "corpus_wide", "made_by_rules", "primary", "primary_basis"),
    *("comparisons", "agreements", "cut_rates", "discrimination"),
)
"""What a summary has as the results have it."""


class SystemResult(Model):
    """What one system retrieved and answered, with its scores."""

    system: System
    ranked: RetrievalResult
    scored: tuple[ScoreResult, ...]
    index: IndexFile | None = None
    """What was searched; None for another system."""
    final: int | None = None
    """How many of the passages the reader is given; None: all."""
    diagnoses: dict[str, Diagnosis] = Field(default_factory=dict)
    """By golden id; empty where nobody was asked to diagnose."""
    mapped: ChunkMap | None = None
    """The existing chunks that were searched; None where a strategy cut the documents."""

    def chunks(self) -> Iterable[Span]:
        """The parts of the documents that could be found."""
        if self.mapped is not None:
            return self.mapped.spans
        return self.index.all_chunks() if self.index else ()

    answers: dict[str, str | None] = Field(default_factory=dict)
    """By golden id; empty where nobody was asked to answer."""


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
            problems=len(results.problems),
            first_problems=results.problems[:10],
            leaders=tuple(one.configuration for one in [one for one in ranked if one.tied] or ranked[:1]),
            standings=ranked,
            **{name: getattr(results, name) for name in _OF_RESULTS},
            external={one.name: one.external for one in results.systems if one.external},
            failures=results.failure_counts,
            efficiencies={one.name: one.efficiency for one in results.systems if one.efficiency},
            mappings={one.chunking: one.mapping for one in results.systems if one.mapping},
        )


@task(task_run_name="write {out}", cache_policy=NO_CACHE)
async def write_benchmark(
    out: str,
    measured: Sequence[SystemResult],
    goldens: TestSet,
    parameters: dict[str, Any],
    primary: str,
    baseline: str,
    basis: str = "",
) -> ResultsSummary:
    """`ragset.evaluation.results.write_results` with what follows from the scores, and the report.

    `basis` says why `primary` ranks, where it is not the usual metric. Where results stood in the folder before, they are
    compared with the new ones.
    """
    folder = Path(out)
    log = get_run_logger()
    earlier: StoredResults | None = None
    with suppress(InputError):
        earlier = await in_thread(read_results, folder)

    def write() -> ResultsSummary:
        results = _results(measured, goldens, parameters, primary, baseline, basis)
        write_results(folder, results, render_results(results))
        if (folder / REVIEWS).is_file():  # people judged earlier results here: what is still the same counts
            try:
                correct_results(folder)
            except InputError as error:
                log.warning("nothing is corrected by what people said: %s", error)
        return ResultsSummary.of(folder, results)

    summary = await in_thread(write)
    log.info("%d systems on %d goldens written to %s", len(measured), summary.goldens, out)
    if earlier is None:
        return summary
    try:
        # Nobody is there to ask: after a refresh documents and goldens are others, and what stayed the same is compared.
        found = await in_thread(lambda: compare(earlier, read_results(folder), across_corpora=True))
    except InputError:
        log.info("the results that stood in %s have nothing in common with the new ones", out)
        return summary
    if found.ground.differs:
        log.info("compared with the results that stood in %s over the same goldens; %s", out, found.ground.told)
    return summary.model_copy(update={"changes": found.changes})


def _results(
    measured: Sequence[SystemResult], of: TestSet, parameters: dict[str, Any], primary: str, baseline: str, basis: str
) -> Results:
    prices = load_prices(Environment().ragset_prices)
    efforts = {one.system.name: effort_scores(one.ranked.efforts, prices) for one in measured}
    scores = score_frame(
        (one.system.name, golden, metric, value, bounds)
        for one in measured
        for rows in (*(scored.rows for scored in one.scored), efforts[one.system.name])
        for golden, metric, value, bounds in rows
    )
    corpus = of.corpus.open()
    gold = gold_of(of.goldens, corpus)
    seed, clusters = int(parameters["seed"]), clusters_of(of.goldens)
    found = conclude(scores, clusters, primary=primary, baseline=baseline, seed=seed)
    datasets = {golden.id: str(golden.metadata[DATASET]) for golden in of.goldens}
    return Results(
        name=of.corpus.name,
        datasets=of.datasets,
        corpus=corpus,
        goldens=of.goldens,
        systems=tuple(
            one.system.model_copy(update={"efficiency": Efficiency.of(efforts[one.system.name])}) for one in measured
        ),
        runs={one.system.name: one.ranked.hits for one in measured},
        answers={one.system.name: one.answers for one in measured if one.answers},
        scores=scores,
        **found._asdict(),
        primary=primary,
        baseline=baseline,
        primary_basis=basis,
        problems=of.problems,
        agreements=agreements(scores, datasets, clusters, primary, seed),
        cut_rates=_cut_rates(measured, of, datasets),
        discrimination=discriminations(scores, datasets, clusters, primary, seed),
        failures={one.system.name: found for one in measured if (found := _failures(one, of.goldens, gold))},
        diagnoses={one.system.name: one.diagnoses for one in measured if one.diagnoses},
        seed=seed,
        own_chunks={
            one.system.name: {chunk.place: OwnChunk(chunk.id, chunk.text) for chunk in one.mapped.chunks.values()}
            for one in measured
            if one.mapped
        },
        parameters=parameters,
        versions=dict(versions()),
    )


def _failures(measured: SystemResult, goldens: Sequence[Golden], gold: Gold) -> dict[str, str]:
    rows = (row for scored in measured.scored for row in scored.rows)
    scores = {(golden, metric): value for golden, metric, value, _ in rows if value is not None}
    held = evidence_held(measured.ranked.hits, gold, measured.final)
    return find_failures(goldens, held, scores, measured.diagnoses, answers=bool(measured.answers))


def _cut_rates(
    measured: Sequence[SystemResult], of: TestSet, datasets: Mapping[str, str]
) -> tuple[DatasetCutRate, ...]:
    """Of each chunking under test in each dataset; of semantic chunks, those by the first embedding."""
    searched: dict[str, SystemResult] = {}
    for one in measured:
        if one.index is not None:
            searched.setdefault(one.system.chunking, one)
    corpus = of.corpus.open()
    return tuple(
        DatasetCutRate(**rate.model_dump(), dataset=name, home=of.homes.get(name) == rate.chunking)
        for name in of.datasets
        for rate in cut_rates(
            (golden for golden in of.goldens if datasets[golden.id] == name),
            corpus,
            {chunking: one.chunks() for chunking, one in searched.items()},
            chunkings=(),
        )
        if rate.goldens
    )
