"""The benchmark: RAG configurations compared on goldens."""

from pathlib import Path

from flows.parameters.models import BenchmarkParameters
from flows.parameters.primary import primary_of
from flows.steps.approval import approve_calls
from flows.steps.entry import flow_with
from flows.steps.measure import BenchmarkRunner
from ragset.dataset.swap import claimed
from ragset.evaluation.grid import ranking_model
from ragset.models import Usage
from tasks.goldens import read_test_set
from tasks.results import ResultsSummary, write_benchmark
from tasks.run.artifacts import notify_of_falls, show_leaderboard, show_report
from tasks.run.caching import unsearched
from tasks.run.models import connected
from tasks.run.progress import progress

_COUNTED = (
    "Counted, not tried: a call for each golden and reader, one for each that a model reranks, and two for each answer "
    "that a model judges; with diagnosis one for each reference, and up to two for each query of a configuration. Tokens, and "
    "so the cost, are not foreseen."
)


def calls_of(parameters: BenchmarkParameters, goldens: int) -> list[Usage]:
    """The calls of models that a benchmark of so many goldens makes at most; tokens and cost are not foreseen."""
    critic = parameters.critic.model
    calls: list[tuple[str, str, str, int]] = []
    for one in parameters.configurations:
        if model := ranking_model(one.reranker):
            calls.append(("rerank", one.name, model.model, 1))
        if one.reader is not None:
            calls += [("read", one.name, one.reader.model, 1), ("judge", one.name, critic, 2)]
    calls += [("judge", one.name, critic, 2) for one in parameters.systems]
    if parameters.diagnosis:
        calls.append(("diagnose", "references", critic, 1))
        calls += [("diagnose", one.name, critic, 1 if one.reader is None else 2) for one in parameters.configurations]
        calls += [("diagnose", one.name, critic, 2) for one in parameters.systems]
    return [Usage(stage=stage, prompt=name, model=model, calls=of * goldens) for stage, name, model, of in calls]


def _run_name(parameters: BenchmarkParameters) -> str:
    return "benchmark on " + ", ".join(Path(dataset).name for dataset in parameters.datasets)


@flow_with(BenchmarkParameters, name="benchmark", run_name=_run_name)
async def benchmark(parameters: BenchmarkParameters) -> ResultsSummary:
    """Compare RAG configurations on one or more test sets.

    Raises:
        InputError: datasets or parameters that cannot be used.
        ProviderError: a model or a system that cannot be asked; what was answered until then is kept.
    """
    embeddings = parameters.grid.embedding if parameters.grid else ()
    systems = (*parameters.configurations, *parameters.systems)
    with claimed(Path(parameters.out)):
        async with connected(parameters.models, parameters.budget, embeddings):
            test_set = await read_test_set(parameters.datasets, parameters.documents, parameters.splits)
            bench = BenchmarkRunner(parameters, test_set)
            ranking = primary_of(parameters, test_set.goldens, whole=test_set.whole)
            goldens = len(test_set.goldens)
            what = f"a comparison of systems ({len(systems)}) on goldens ({goldens:,})"
            await approve_calls(parameters.approval, calls_of(parameters, goldens), what, _COUNTED, parameters.out)
            measured = await bench.measure_all(systems)
        progress().begin("dataset")
        summary = await write_benchmark(
            parameters.out,
            unsearched(measured),
            unsearched(test_set),
            parameters.portable,
            ranking.name,
            parameters.baseline,
            ranking.basis,
        )
        name = test_set.corpus.name
        notify_of_falls(name, summary)
        await show_leaderboard(name, summary.standings)
        await show_report(name, summary.report)
    return summary
