"""The benchmark: RAG configurations compared on goldens."""

from pathlib import Path

from prefect import flow
from prefect.runtime import flow_run

from flows.parameters.checks import check_benchmark
from flows.parameters.models import BenchmarkParameters, fields
from flows.parameters.permissions import run_parameters
from flows.parameters.primary import primary_of
from flows.steps.approval import approve_calls, cancelled
from flows.steps.measure import BenchmarkRunner, calls_of, embeddings_of, models_of
from ragset.dataset.claim import claimed
from ragset.evaluation.grid import Grid
from ragset.settings import ApprovalSettings, Budget, ModelSettings
from tasks.results import Measured, ResultsSummary, write_benchmark
from tasks.run.artifacts import show_leaderboard, show_report
from tasks.run.caching import unsearched
from tasks.run.events import tell_of_falls
from tasks.run.lifecycle import attended
from tasks.run.models import connected

_COUNTED = (
    "Counted, not tried: a call for each golden and reader, one for each that a model reranks, and two for each answer "
    "that a model judges. Tokens, and so the cost, are not foreseen."
)


def _run_name() -> str:
    return "benchmark on " + ", ".join(Path(dataset).name for dataset in flow_run.parameters["datasets"])


@flow(
    name="benchmark",
    flow_run_name=_run_name,
    description="Compare RAG configurations on one or more test sets.",
    validate_parameters=False,
)
async def benchmark(
    datasets: fields.Datasets,
    documents: fields.Passages = None,
    splits: fields.Splits = (),
    grid: fields.Alternatives = Grid(),
    systems: fields.Systems = (),
    critic: fields.Judge = ModelSettings(),
    language: fields.Language = "en",
    cutoffs: fields.Cutoffs = (1, 3, 5, 10),
    token_budgets: fields.TokenBudgets = (256, 512, 1024, 2048),
    primary: fields.Metric = "",
    baseline: fields.Baseline = "",
    budget: fields.Limits = Budget(),
    approval: fields.Approval = ApprovalSettings(),
    seed: fields.Seed = 0,
    out: fields.Folder = "out/benchmark",
) -> ResultsSummary:
    """Score every configuration of `grid`, and every other system, on all goldens, and write what follows to `out`.

    Prefect's form shows what stands under Args.

    Args:
        datasets: Folders that ragset wrote; BEIR folders, SQuAD's JSON, Chroma's questions.csv, tables.
        documents: Where the contexts of tables are looked for; empty: each context is a document.
        splits: Only goldens of these, such as test; empty: all goldens.
        grid: The configurations to compare: every combination of what stands in its lists.
        systems: Somebody else's: an address, a Python function, or a file of runs.
        critic: Judges answers; offline: they are compared with the reference word by word alone.
        language: Two letters: of the prompts for readers and the critic.
        cutoffs: Numbers of chunks at which a ranking is scored, as in recall@5.
        token_budgets: Numbers of retrieved tokens at which recall is measured.
        primary: That ranks, such as recall@5; empty: the one that says most of what is measured.
        baseline: Name of the configuration that the others are compared with, beside the best.
        budget: Where the run stops; what was answered is kept.
        approval: Above which number of calls the run pauses until a person lets it go on; empty: it never asks.
        seed: Of the intervals.
        out: Folder of the results. One that is there already is replaced when the new one is complete.

    Raises:
        InputError: datasets or parameters that cannot be used.
        ProviderError: a model or a system that cannot be asked; what was answered until then is kept.
    """
    async with attended() as shown:
        parameters = run_parameters(BenchmarkParameters)
        check_benchmark(parameters)
        with claimed(Path(parameters.out)):
            async with connected(models_of(parameters), parameters.budget, embeddings_of(parameters)):
                bench = await BenchmarkRunner.begin(parameters)
                ranking = primary_of(parameters, bench.goldens.goldens, whole=bench.goldens.whole)
                goldens = len(bench.goldens.goldens)
                calls = calls_of(parameters, goldens)
                what = f"a comparison of systems ({len(parameters.configurations) + len(parameters.systems)}) on goldens ({goldens:,})"
                if declined := await approve_calls(parameters.approval, calls, what, _COUNTED, parameters.out):
                    return cancelled(declined)
                total = len(parameters.configurations) + len(parameters.systems)
                measured: list[Measured] = []
                for configuration in parameters.configurations:
                    shown.begin("benchmark", total, done=len(measured))
                    measured.append(await bench.measure(configuration))
                for system in parameters.systems:
                    shown.begin("benchmark", total, done=len(measured))
                    measured.append(await bench.measure_external(system))
            shown.begin("dataset")
            summary = await write_benchmark(
                parameters.out,
                unsearched(measured),
                unsearched(bench.goldens),
                parameters.portable,
                ranking.name,
                parameters.baseline,
                ranking.basis,
            )
            name = bench.goldens.corpus.name
            tell_of_falls(name, summary)
            await show_leaderboard(name, summary.standings)
            await show_report(name, summary.report)
    return summary
