from pathlib import Path

import pytest

from flows.cli.results.datasets import print_shown
from ragset.dataset import read_dataset, write_dataset
from ragset.dataset.manifest import CutRate
from tests.small_dataset import corpus_of, golden_of, manifest_of


def test_show_says_how_often_chunkings_cut_the_evidence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = corpus_of(tmp_path)
    own = CutRate(chunking="recursive-96-0-tokens", goldens=40, cut=0.0, chance=0.3, noise=0.14)
    rates = (own, own.model_copy(update={"chunking": "token-256-0-tokens", "cut": 0.25}))
    manifest = manifest_of(corpus).model_copy(update={"cut_rates": rates})
    write_dataset(tmp_path / "teas", goldens=[golden_of()], rejects=[], corpus=corpus, manifest=manifest, report="")
    print_shown(read_dataset(tmp_path / "teas"), 0)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    drawn = ["drawn", "from", "it,", "favoured"]
    assert ["recursive-96-0-tokens", "0.0%", "30.0%", "±", "14.0%", *drawn] in lines
    assert ["token-256-0-tokens", "25.0%", "30.0%", "±", "14.0%"] in lines


def test_show_counts_the_goldens_by_the_scores_of_the_critic(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = corpus_of(tmp_path)
    scores = [{"groundedness": 5, "clarity": 5}, {"groundedness": 5, "clarity": 4}, {"groundedness": 4, "clarity": 4}]
    goldens = [golden_of().model_copy(update={"id": f"g-{n}", "scores": given}) for n, given in enumerate(scores)]
    manifest = manifest_of(corpus)
    write_dataset(tmp_path / "teas", goldens=goldens, rejects=[], corpus=corpus, manifest=manifest, report="")
    print_shown(read_dataset(tmp_path / "teas"), 0)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[-2:] for line in lines if line[:1] in (["groundedness"], ["clarity"])] == [["2", "1"], ["1", "2"]]
