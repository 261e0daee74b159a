"""How many calls of models a benchmark makes at most, before any is made."""

from flows.parameters.models import BenchmarkParameters
from ragset.evaluation.grid import ranking_model
from ragset.models import Usage

COUNTED = (
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
