"""Commands that train on the goldens of a split test set."""

from typing import TYPE_CHECKING, Any

from flows.cli.app import Config, Json, takes

if TYPE_CHECKING:
    from flows.cli.running import Run


@takes("TrainDataParameters", arguments=("dataset",))
def train_data(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Write training examples with hard negatives, from the train side of a split test set."""
    from flows.cli.running import run_with

    run = run_with("train-data", config, given, json=json)
    from flows.cli.results.training import print_training_data
    from flows.cli.terminal import print_result
    from flows.cli.what_next import after_train_data

    print_result(run.result, lambda: print_training_data(run), json=json, then=after_train_data(run.asked.dataset))


@takes("TrainAdapterParameters", arguments=("dataset",), without=("embedding.adapter",))
def train_adapter(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Train a linear adapter of queries on a split test set, and measure it on the test side."""
    from flows.cli.running import run_with

    run = run_with("train-adapter", config, given, json=json)
    from ragset.training.adapter_folder import usage

    _print(run, usage(run.asked.embedding, run.result.out), json=json)


@takes("TrainRerankerParameters", arguments=("dataset",))
def train_reranker(*, config: Config = None, json: Json = False, given: dict[str, Any]) -> None:
    """Train a reranker of BM25, vectors and words on a split test set, and measure it on the test side."""
    from flows.cli.running import run_with

    run = run_with("train-reranker", config, given, json=json)

    _print(run, f"grid: {{reranker: [none, learned:{run.result.out}]}}", json=json)


def _print(run: "Run", use: str, *, json: bool) -> None:
    from flows.cli.results.training import print_trained
    from flows.cli.terminal import print_result
    from flows.cli.what_next import after_training

    print_result(
        run.result, lambda: print_trained(run, use), json=json, then=after_training(run.result, run.asked.dataset)
    )
