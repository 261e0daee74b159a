"""The corpus-wide pipeline and a benchmark of what it makes, as a user runs them."""

from pathlib import Path

import pytest

from ragset.dataset import problems, read_dataset
from ragset.evaluation.results.folder import read_results
from tests.fake_openai import Fake
from tests.integration.conftest import Command, asked, url

pytestmark = pytest.mark.slow


def test_corpus_wide_goldens_are_made_once_and_their_answers_graded_by_assertions(
    command: Command, fake: Fake, tmp_path: Path
) -> None:
    out, results = tmp_path / "out", tmp_path / "results"
    making = ["corpus-wide", "examples/corpus", "--chunk-size", "128", "--n", "4", "--model", "m", "--out", str(out)]
    ended = command.run(*making, **url(fake))
    assert ended.code == 0, ended.err
    dataset = read_dataset(out)
    assert problems(dataset) == []
    assert (dataset.manifest.kind, len(dataset.goldens), dataset.manifest.cut_rates) == ("corpus-wide", 4, ())
    for golden in dataset.goldens:
        # The critic of the fake server finds the first assertion not called for, so one fewer is kept than were drafted.
        assert [one["reason"] for one in golden.metadata["dropped_assertions"]] == [
            "not_called_for: Its quotes say so."
        ]
        assert len({document for one in golden.assertions for document in one.documents}) >= 3
        assert all(len(one.documents) == 2 for one in golden.assertions)
        assert all(dataset.corpus.text(span).strip() for one in golden.assertions for span in one.evidence)
        assert golden.evidence == ()
    first = asked(fake)
    assert len(first) == len(set(first))
    again = command.run(*making, **url(fake))
    assert (again.code, asked(fake)) == (0, first)

    measuring = ["benchmark", str(out), "--out", str(results), "--critic", "judge"]
    refused = command.run(*measuring, **url(fake))
    assert refused.code == 2, refused.out
    ended = command.run(*measuring, "--reader", "reader", **url(fake))
    assert ended.code == 0, ended.err
    found = read_results(results)
    assert {row.metric for row in found.benchmark.standings if row.mean is not None} >= {"assertions_met"}
    met = found.scores[found.scores["metric"] == "assertions_met"]["value"]
    assert len(met) == 4 * len(found.benchmark.systems)
    assert met.between(0, 1).all()
    assert not any(row.metric.startswith(("recall", "hit_rate", "ndcg")) for row in found.benchmark.standings)
