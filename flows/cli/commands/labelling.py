"""The command that labels queries of one's own."""

from typing import Any

from flows.cli.app import Config, Json, takes
from flows.cli.exits import DONE, SHORT


@takes("LabelParameters", arguments=("documents.sources",))
def label(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> int:
    """Make a test set of queries that people asked, labelled with passages of your documents."""
    from flows.cli.commands.making import key_without_model
    from flows.cli.running import run_flow
    from flows.cli.terminal import notice, print_result
    from flows.parameters.models import LabelParameters
    from flows.parameters.reading import read_parameters

    asked = read_parameters(LabelParameters, config, given)
    notice(key_without_model(asked.generator.model))
    run = run_flow("label", asked, json=json)
    from flows.cli.results.datasets import with_spent
    from flows.cli.results.labels import print_labels

    print_result(with_spent(run), lambda: print_labels(run), json=json)
    return SHORT if run.result.ended == "budget spent" else DONE
