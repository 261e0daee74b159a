from typing import Any

import pytest

from flows.parameters.models import BenchmarkParameters
from flows.parameters.primary import check_primary, primary_of
from ragset.errors import InputError
from ragset.models import Golden
from tests.small_dataset import golden_of

KNOWN = golden_of()
NOBODY = KNOWN.model_copy(update={"kind": "unanswerable", "answer": None, "evidence": ()})
SILENT = KNOWN.model_copy(update={"answer": ""})
READ: dict[str, Any] = {"grid": {"reader": ["small"]}}
JUDGED: dict[str, Any] = {**READ, "critic": {"model": "large"}}
THEIRS: dict[str, Any] = {"grid": None, "systems": [{"name": "theirs", "http": "http://127.0.0.1:1"}]}


def asked(**fields: Any) -> BenchmarkParameters:
    return BenchmarkParameters.model_validate({"datasets": ["set"], **fields})


def chosen(*goldens: Golden, whole: bool = False, **fields: Any) -> str:
    return primary_of(asked(**fields), goldens, whole=whole).name


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("recall@5", {}),
        ("ndcg@7", {"cutoffs": [7]}),
        ("recall@99tokens", {"token_budgets": [99]}),
        ("token_f1", READ),
        ("faithfulness", JUDGED),
        ("attempted", THEIRS),
        ("", {}),
    ],
)
def test_a_metric_that_will_be_had_may_rank(name: str, fields: dict[str, Any]) -> None:
    check_primary(asked(primary=name, **fields))


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("nosuch", JUDGED, r"nothing would be scored in 'nosuch'; choose one of hit_rate@1"),
        ("recall@7", {}, "choose one of .*recall@5"),
        ("recall@512", {}, "recall@512tokens"),
        ("correctness", {}, r"without a reader \(--reader\)"),
        ("completeness", READ, r"without a critic that is a model \(--critic\)"),
        ("gold_rank", {}, "choose one of"),
        ("span_precision_omega", THEIRS, "choose one of"),
        ("token_f1", {}, "without a reader"),
    ],
)
def test_one_that_will_not_is_refused_before_anything_runs(name: str, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_primary(asked(primary=name, **fields))


def test_what_these_goldens_do_not_have_is_refused_when_they_are_read() -> None:
    for name, golden in (("abstention", KNOWN), ("correctness", SILENT), ("token_f1", NOBODY), ("mrr", NOBODY)):
        with pytest.raises(InputError, match=f"nothing would be scored in '{name}'"):
            primary_of(asked(primary=name, **JUDGED), [golden], whole=False)


def test_the_usual_one_says_most_of_what_is_measured() -> None:
    assert chosen(KNOWN) == "recall@512tokens"
    assert chosen(KNOWN, token_budgets=[100, 600]) == "recall@600tokens"
    assert chosen(KNOWN, token_budgets=[]) == "ndcg@10"
    assert chosen(KNOWN, token_budgets=[], cutoffs=[]) == "mrr"
    assert chosen(KNOWN, **READ) == "token_f1"
    assert chosen(KNOWN, **JUDGED) == "correctness"
    assert chosen(KNOWN, **THEIRS) == "recall@512tokens"


def test_where_whole_documents_are_the_evidence_it_is_ndcg_and_that_is_said() -> None:
    found = primary_of(asked(), [KNOWN], whole=True)
    assert found.name == "ndcg@10"
    assert "whole documents are the evidence" in found.basis
    assert chosen(KNOWN, whole=True, cutoffs=[1, 5, 20]) == "ndcg@5"
    assert chosen(KNOWN, whole=True, cutoffs=[]) == "mrr"
    # what is named is named, and answers go before
    assert primary_of(asked(primary="mrr"), [KNOWN], whole=True) == ("mrr", "")
    assert primary_of(asked(**READ), [KNOWN], whole=True) == ("token_f1", "")


def test_readers_of_goldens_without_references_are_ranked_by_what_they_found_and_that_is_said() -> None:
    found = primary_of(asked(**JUDGED), [SILENT], whole=False)
    assert found.name == "recall@512tokens"
    assert found.basis == "No golden has a reference answer, so correctness cannot be had."
    assert primary_of(asked(**READ), [SILENT], whole=True).basis.count(".") >= 2
    assert chosen(NOBODY, **READ) == "abstention"


def test_goldens_with_nothing_to_measure_are_an_error() -> None:
    with pytest.raises(InputError, match="nothing to measure"):
        chosen(NOBODY)
