import json
from pathlib import Path

import pytest
from lxml import html

from ragset.evaluation.effect.measure import EvaluationSet, measure_effect
from ragset.evaluation.effect.model import Effect, LearningPoint, Validation
from ragset.evaluation.effect.report import effect_files, learning_plot, render_effect, validation_plot
from tests.effect_samples import documents_of, evaluation_set_of, golden_at, run_with
from tests.small_results import HOSTILE

CURVE = tuple(
    LearningPoint(goldens=goldens, draws=draws, mean=mean, lowest=mean - range_, highest=mean + range_)
    for goldens, draws, mean, range_ in ((0, 1, 0.5, 0.0), (25, 3, 0.6, 0.1), (100, 1, 0.9, 0.0))
)


@pytest.fixture
def evaluation_set(tmp_path: Path) -> EvaluationSet:
    documents = documents_of(12)
    goldens = [golden_at(one, hardness={"level": ("easy", "hard")[at % 2]}) for at, one in enumerate(documents)]
    return evaluation_set_of(
        tmp_path, [goldens[0].model_copy(update={"query": f"{HOSTILE}?"}), *goldens[1:]], documents
    )


def effect_of(evaluation_set: EvaluationSet, before: int, after: int, chosen: int = 2) -> Effect:
    return measure_effect(
        evaluation_set,
        run_with(evaluation_set, before),
        run_with(evaluation_set, after),
        changed="adapter",
        trained_with=100,
        curve=CURVE,
        validation=Validation(metric="ndcg@10", goldens=20, values=(0.5, 0.6, 0.7, 0.4), chosen=chosen),
    )


def test_the_page_leads_with_the_verdict_and_its_figures(evaluation_set: EvaluationSet) -> None:
    page = html.fromstring(render_effect(effect_of(evaluation_set, 2, 1), "teas", {}))
    [said] = page.find_class("said")
    assert said.text_content() == "The adapter helps."
    text = page.text_content()
    assert "0.631 before, 1.000 after" in text
    assert "after training with 100 other goldens" in text
    assert {section.get("id") for section in page.iter("section")} == {
        *("metrics", "training", "groups", "queries", "made", "next")
    }


@pytest.mark.parametrize(
    ("before", "after", "chosen", "said"),
    [
        (1, 2, 1, "The adapter harms."),
        (1, 1, 1, "No difference seen with 12 goldens."),
        (1, 1, 0, "The adapter is not used."),
    ],
)
def test_the_page_says_plainly_when_nothing_was_gained(
    evaluation_set: EvaluationSet, before: int, after: int, chosen: int, said: str
) -> None:
    page = html.fromstring(render_effect(effect_of(evaluation_set, before, after, chosen), "teas", {}))
    assert [one.text_content() for one in page.find_class("said")] == [said]


def test_text_of_documents_and_queries_is_shown_and_never_run(evaluation_set: EvaluationSet) -> None:
    page = render_effect(effect_of(evaluation_set, 2, 1), HOSTILE, {"out": HOSTILE})
    assert "<script" not in page
    assert "<img" not in page
    assert "default-src 'none'" in page
    assert "&lt;script&gt;alert(1)" in page


def test_queries_that_gained_are_listed_with_their_ranks_and_passages(evaluation_set: EvaluationSet) -> None:
    page = html.fromstring(render_effect(effect_of(evaluation_set, 3, 1), "teas", {}))
    gained, lost = page.find_class("moves")[0].iterchildren()
    assert gained.findtext("h3") == "Gained: 12, the first 10 shown"
    assert lost.findtext("h3") == "Lost: 0"
    assert len(gained.findall(".//li")) == 10
    assert "rank 3 → rank 1" in gained.text_content()
    assert "First after, relevant" in gained.text_content()


def test_the_files_are_the_figures_and_the_page(evaluation_set: EvaluationSet) -> None:
    effect = effect_of(evaluation_set, 2, 1)
    files = effect_files(effect, "teas", {"chunking": {"strategy": "recursive"}})
    assert set(files) == {"effect.json", "report.html"}
    assert Effect.model_validate(json.loads(files["effect.json"])) == effect
    assert "chunking.strategy" in files["report.html"]


def test_the_learning_curve_goes_from_no_golden_to_all_on_one_scale(evaluation_set: EvaluationSet) -> None:
    plot = learning_plot(effect_of(evaluation_set, 2, 1))
    assert plot is not None
    assert [(one.at, one.value, round(one.low, 2), round(one.high, 2)) for one in plot.points] == [
        (0, 0.5, 0.5, 0.5),
        (25, 0.6, 0.5, 0.7),
        (100, 0.9, 0.9, 0.9),
    ]
    assert plot.before == 0.5
    assert (
        learning_plot(measure_effect(evaluation_set, run_with(evaluation_set, 1), run_with(evaluation_set, 1))) is None
    )


def test_a_long_training_has_few_labels_and_marks_the_step_that_was_kept() -> None:
    values = tuple(number / 100 for number in range(81))
    plot = validation_plot(Validation(metric="ndcg@10", goldens=9, values=values, chosen=40))
    assert len(plot.labels) <= 8
    assert [one.text for one in plot.points if one.chosen] == ["40"]
    assert (plot.points[40].at, plot.points[80].at) == (50, 100)
