"""The names foretold are those that scoring gives."""

from ragset.evaluation.experiment import score_retrieval
from ragset.evaluation.metrics.names import Holds, holds, metric_names
from ragset.models import Span
from ragset.retrieval.fusion import Hit
from tasks.answers import free_scores
from tests.small_dataset import golden_of

KNOWN = golden_of()
NOBODY = KNOWN.model_copy(update={"kind": "unanswerable", "answer": None, "evidence": ()})
SILENT = KNOWN.model_copy(update={"answer": ""})


def names(held: Holds, *, indexed: bool = True, answers: bool = False, judged: bool = False) -> set[str]:
    return set(metric_names(held, cutoffs=(2, 4), budgets=(30,), indexed=indexed, answers=answers, judged=judged))


def scored(*, indexed: bool) -> set[str]:
    run = {"g": [Hit("d:0-200", 1.0)]}
    gold = {"g": (((Span(doc_id="d", start=0, end=100),),),)}
    ids = ["d:0-200"] if indexed else None
    found = score_retrieval(run, gold, ids, cutoffs=(2, 4), budgets=(30,), tokens=lambda _: 20)
    return {score.metric for score in found} - {"gold_rank"}


def test_of_retrieval_they_are_those_that_scoring_gives() -> None:
    held = holds([KNOWN])
    assert names(held) == scored(indexed=True)
    assert names(held, indexed=False) == scored(indexed=False)


def test_of_answers_they_are_those_that_scoring_gives_for_the_goldens_there_are() -> None:
    for goldens in ([KNOWN], [NOBODY], [SILENT], [KNOWN, NOBODY], [SILENT, NOBODY]):
        free = {metric for golden in goldens for metric in free_scores(golden, "80 degrees")}
        held = holds(goldens)
        assert names(held, answers=True) - names(held) == free


def test_a_critic_adds_what_it_judges_and_nothing_without_answers() -> None:
    held = holds([KNOWN])
    judged = {"correctness", "completeness", "conciseness", "faithfulness"}
    assert names(held, answers=True, judged=True) - names(held, answers=True) == judged
    assert names(held, judged=True) == names(held)
    assert names(holds([SILENT]), answers=True, judged=True) - names(holds([SILENT]), answers=True) == {"faithfulness"}


def test_goldens_without_evidence_have_no_metric_of_retrieval() -> None:
    assert names(holds([NOBODY])) == set()
    assert names(holds([NOBODY]), answers=True) == {"abstention"}


def test_without_cutoffs_there_is_what_needs_none() -> None:
    found = metric_names(Holds(), cutoffs=(), budgets=(), indexed=True, answers=False, judged=False)
    assert found == ("mrr", "map")
