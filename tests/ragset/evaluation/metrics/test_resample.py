from ragset.evaluation.metrics.resample import clusters_of
from tests.small_dataset import golden_of


def test_queries_of_one_document_are_one_cluster() -> None:
    one, other = golden_of("a?"), golden_of("b?")
    clusters = clusters_of([one, other])
    assert clusters[one.id] == clusters[other.id] == one.evidence[0].doc_id


def test_an_unanswerable_golden_is_of_the_document_that_nearly_answers_it() -> None:
    facts = {"unanswerable": {"missing": "The year.", "near": "d:0-9"}}
    nobody = golden_of().model_copy(update={"id": "g", "evidence": (), "kind": "unanswerable", "metadata": facts})
    foreign = nobody.model_copy(update={"id": "h", "metadata": {}})
    assert clusters_of([nobody, foreign]) == {"g": "d", "h": "h"}
