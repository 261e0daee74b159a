"""The command that labels queries of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.cli.app import Config, Json, takes
from flows.cli.exits import DONE, SHORT

if TYPE_CHECKING:
    from flows.parameters.models import LabelParameters


def _foreseen(asked: "LabelParameters") -> str:
    """About how many calls the queries cost."""
    from ragset.generation.labelling.queries import read_queries
    from ragset.generation.labelling.stages import expected_calls

    found = len(read_queries(Path(asked.queries), asked.field).queries)
    queries = found if asked.n == "all" else min(found, asked.n)
    calls = round(sum(calls for _, _, calls in expected_calls(asked.pool, queries)))
    return f"{queries:,} queries: about {calls:,} calls of models. Set --max-calls or --n for fewer."


@takes("LabelParameters", arguments=("documents.sources",))
def label(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> int:
    """Make a test set of queries that people asked, labelled with passages of your documents."""
    from flows.cli.commands.making import key_without_model
    from flows.cli.running import run_flow
    from flows.cli.terminal import notice, print_result
    from flows.parameters.models import LabelParameters
    from flows.parameters.reading import read_parameters
    from ragset.settings import OFFLINE

    asked = read_parameters(LabelParameters, config, given)
    notice(key_without_model(asked.generator.model))
    if any(settings.model != OFFLINE for settings in asked.models):
        notice(_foreseen(asked))
    run = run_flow("label", asked, json=json)
    from flows.cli.results.datasets import print_labels, with_spent
    from flows.cli.what_next import after_making
    from ragset.dataset import read_dataset
    from ragset.dataset.completeness import completeness_of
    from ragset.storage import local_copy

    labels = completeness_of(read_dataset(local_copy(run.result.folder)).goldens)
    plain = {**with_spent(run), "completeness": labels and labels.plain}
    print_result(plain, lambda: print_labels(run, labels), json=json, then=after_making(run.result))
    return SHORT if run.result.ended == "budget spent" else DONE
