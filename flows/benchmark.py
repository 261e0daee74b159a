"""The benchmark: RAG configurations compared on goldens."""

from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run

from flows.measuring import Bench, models_of
from flows.parameters import BenchmarkParameters, Folder, Seed
from ragset.grid import ExternalSystem, Grid
from ragset.results import check_results
from ragset.settings import Budget, DocumentSettings, ModelSettings
from tasks.artifacts import show_leaderboard, show_report
from tasks.asking import connected
from tasks.caching import unsearched
from tasks.progress import progress
from tasks.results import Measured, ResultsSummary, write_benchmark


def _run_name() -> str:
    return "benchmark on " + ", ".join(Path(dataset).name for dataset in flow_run.parameters["datasets"])


@flow(name="benchmark", flow_run_name=_run_name, description="Compare RAG configurations on one or more test sets.")
async def benchmark(
    datasets: tuple[str, ...],
    documents: DocumentSettings | None = None,
    grid: Grid | None = Grid(),
    systems: tuple[ExternalSystem, ...] = (),
    critic: ModelSettings = ModelSettings(),
    language: str = "en",
    cutoffs: tuple[int, ...] = (1, 3, 5, 10),
    token_budgets: tuple[int, ...] = (256, 512, 1024, 2048),
    primary: str = "",
    baseline: str = "",
    budget: Budget = Budget(),
    seed: Seed = 0,
    out: Folder = "out/benchmark",
) -> ResultsSummary:
    """Score every configuration of `grid`, and every other system, on all goldens, and write what follows to `out`.

    Prefect's form shows what stands under Args.

    Args:
        datasets: Dataset folders of ours; BEIR folders, SQuAD's JSON, Chroma's questions.csv, tables.
        documents: Where the contexts of tables are looked for; empty: each context is a document.
        grid: Alternatives for each part of a RAG system; all combinations are compared.
        systems: Somebody else's: an address, a Python function, or a file of runs.
        critic: Judges answers; offline: they are compared with the reference word by word alone.
        language: Two letters: of the prompts for readers and the critic.
        cutoffs: Numbers of chunks at which a ranking is scored.
        token_budgets: Numbers of retrieved tokens at which recall is measured.
        primary: Metric that ranks; empty: the one that says most of what is measured.
        baseline: Name of the configuration that the others are compared with, beside the best.
        budget: Where the run stops; what was answered is kept.
        seed: Of the intervals.
        out: Folder of the results. One that is there already is replaced when the new one is complete.

    Raises:
        InputError: datasets or parameters that cannot be used.
        ProviderError: a model or a system that cannot be asked; what was answered until then is kept.
    """
    parameters = BenchmarkParameters(
        datasets=datasets,
        documents=documents,
        grid=grid,
        systems=systems,
        critic=critic,
        language=language,
        cutoffs=cutoffs,
        token_budgets=token_budgets,
        primary=primary,
        baseline=baseline,
        budget=budget,
        seed=seed,
        out=out,
    )
    check_results(Path(out))
    async with connected(models_of(parameters), budget):
        bench = await Bench.begin(parameters)
        shown = progress()
        shown.begin("benchmark", len(parameters.configurations) + len(systems))
        measured: list[Measured] = []
        for configuration in parameters.configurations:
            measured.append(await bench.measure(configuration))
            shown.done += 1
        for system in systems:
            measured.append(await bench.measure_external(system))
            shown.done += 1
    summary = await write_benchmark(
        out, unsearched(measured), unsearched(bench.goldens), parameters.portable, parameters.primary_metric, baseline
    )
    await show_leaderboard(bench.goldens.corpus.name, summary.standings)
    await show_report(bench.goldens.corpus.name, summary.report)
    return summary
