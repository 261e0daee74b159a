from pathlib import Path

import pytest

from flows.cli.results.training import print_effect
from ragset.evaluation.effect.measure import measure_effect
from ragset.evaluation.effect.model import LearningPoint
from tests.effect_samples import documents_of, evaluation_set_of, golden_at, run_with


def test_the_verdict_the_metrics_and_the_learning_curve_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = documents_of(7)
    evaluation_set = evaluation_set_of(tmp_path, [golden_at(one) for one in documents], documents)
    curve = [
        LearningPoint(goldens=goldens, draws=1, mean=mean, lowest=mean, highest=mean)
        for goldens, mean in ((0, 0.631), (20, 0.8), (40, 1.0))
    ]
    effect = measure_effect(
        evaluation_set, run_with(evaluation_set, 2), run_with(evaluation_set, 1), changed="adapter", curve=curve
    )
    print_effect(effect, "out/adapter/report.html")
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:4] == ["ndcg@10", "0.631", "1.000", "+0.369"] for line in lines)
    assert "Learning curve in ndcg@10: 0.631 before, 0.800 with 20, 1.000 with 40 goldens." in lines
    assert lines[-2].startswith("The adapter helps: ndcg@10 0.631 before, 1.000 after")
    assert lines[-1] == "Report: out/adapter/report.html"
