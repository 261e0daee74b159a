"""pytest over the goldens of a test set: `pytest --ragset DATASET`, and tests that take the fixture `golden` (docs/pytest.md)."""

import random
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ragset.evaluation.evaluation import Evaluation
    from ragset.evaluation.golden_case import GoldenCase, GoldenSet

_SETS = pytest.StashKey[dict[str, Any]]()
_ROWS = pytest.StashKey[dict[str, dict[str, Any]]]()
_MARKER = (
    "ragset(dataset=None, at_least={}): the test set of this test, and means that its scores must reach, such as "
    "at_least={'hit_rate@5': 0.8}; the run fails if a mean is below by more than noise."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the command line and of the configuration file."""
    group = parser.getgroup("ragset", "test sets of RAG systems")
    group.addoption("--ragset", metavar="DATASET", help="Test set whose goldens the fixture `golden` takes.")
    group.addoption(
        "--ragset-sample", metavar="N", type=int, help="Only so many goldens, drawn at random, always the same."
    )
    group.addoption(
        "--ragset-split", metavar="NAME", action="append", help="Only goldens of this split; repeat for more."
    )
    group.addoption("--ragset-critic", metavar="MODEL", default="offline", help="Model that judges answers.")
    parser.addini("ragset", "Test set whose goldens the fixture `golden` takes.", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and where no other process does it, the summary."""
    config.addinivalue_line("markers", _MARKER)
    config.stash[_SETS] = {}
    if not hasattr(config, "workerinput"):
        from ragset.evaluation.pytest_summary import Summary

        config.pluginmanager.register(Summary(config), "ragset-summary")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Read the test set that the command line names, so that a wrong name is told before anything else."""
    if session.config.getoption("--ragset"):
        _golden_set(session.config, _dataset(session.config, session))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `golden` runs once for each golden."""
    if "golden" not in metafunc.fixturenames or not (path := _dataset(metafunc.config, metafunc.definition)):
        return
    from ragset.evaluation.golden_case import case_ids

    goldens = _golden_set(metafunc.config, path).of.goldens
    metafunc.parametrize("golden", goldens, ids=case_ids(goldens), indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Send the scores of a test with its report, from the process of a worker too."""
    report = yield
    if report.when == "call" and (rows := item.stash.get(_ROWS, None)):
        marker = item.get_closest_marker("ragset")
        least = dict(marker.kwargs.get("at_least", {})) if marker else {}
        vars(report)["ragset"] = {"test": item.nodeid.partition("[")[0], "at_least": least, "rows": rows}
    return report


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> "GoldenCase":
    """A golden: `query`, `answer`, `passages`; `score` and `assert_…` take what the system under test returned."""
    if not hasattr(request, "param"):
        pytest.skip("no test set: give --ragset DATASET")
    from ragset.evaluation.golden_case import GoldenCase

    found = _golden_set(request.config, _dataset(request.config, request.node))
    return GoldenCase(request.param, found, _recorder(request.node, found))


@pytest.fixture
def ragset_evaluate(request: pytest.FixtureRequest) -> "Callable[..., Evaluation]":
    """`ragset.evaluate` on the test set of the run, whose scores join the summary."""
    path = _dataset(request.config, request.node)
    if not path:
        pytest.skip("no test set: give --ragset DATASET")
    found = _golden_set(request.config, path)
    critic: Any = request.config.getoption("--ragset-critic")

    def evaluate(retrieve: Any = None, **options: Any) -> "Evaluation":
        from ragset.evaluation.evaluate import evaluate as run

        made = run(found.of, retrieve, **{"critic": critic, **options})
        record = _recorder(request.node, found, properties=False)
        names = [name for name, _, _ in made.shown()]
        for id_, scores in made.frame[names].to_dict("index").items():
            record(str(id_), {str(name): float(value) for name, value in scores.items() if value == value})
        request.node.user_properties.extend((name, f"{mean} ({between})") for name, mean, between in made.shown())
        return made

    return evaluate


def _dataset(config: pytest.Config, node: Any) -> str:
    marker = node.get_closest_marker("ragset")
    named = marker.kwargs.get("dataset") if marker else None
    if named or not (given := config.getoption("--ragset") or config.getini("ragset")):
        given = named or ""
    # In the configuration file and in a marker, from the folder of the configuration file.
    here = config.invocation_params.dir if given == config.getoption("--ragset") else config.rootpath
    return str(here / Path(given)) if given else ""


def _golden_set(config: pytest.Config, path: str) -> "GoldenSet":
    found = config.stash[_SETS]
    if path not in found:
        from ragset.errors import RagsetError
        from ragset.evaluation.golden_case import GoldenSet
        from ragset.evaluation.goldens import open_test_set
        from ragset.settings import ModelSettings

        try:
            of = open_test_set(path, config.getoption("--ragset-split") or ())
        except RagsetError as error:
            raise pytest.UsageError(f"ragset: {error}") from None
        most = config.getoption("--ragset-sample")
        if most is not None and most < len(of.goldens):
            places = sorted(random.Random(0).sample(range(len(of.goldens)), most))  # noqa: S311
            of = of._replace(goldens=tuple(of.goldens[place] for place in places))
        critic: Any = config.getoption("--ragset-critic")
        found[path] = GoldenSet(of, ModelSettings(model=critic))
    return found[path]


def _recorder(item: Any, of: "GoldenSet", *, properties: bool = True) -> Callable[[str, dict[str, float]], None]:
    rows = item.stash.setdefault(_ROWS, {})
    queries = {golden.id: golden.query for golden in of.of.goldens}

    def record(golden: str, scores: dict[str, float]) -> None:
        kept = {"query": queries[golden], "document": of.documents[golden], "content": of.contents[golden]}
        known = rows.get(golden, {}).get("scores", {})
        rows[golden] = {
            **kept,
            "scores": {**known, **{name: value for name, value in scores.items() if value == value}},
        }
        if properties:
            others = [one for one in item.user_properties if one[0] not in {"golden", *scores}]
            item.user_properties[:] = [*others, ("golden", golden), *((k, f"{v:.6g}") for k, v in scores.items())]

    return record
