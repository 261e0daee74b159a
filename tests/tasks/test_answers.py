"""What rerankers and readers are asked for a golden of several turns, and what the critic judges by."""

from tasks.answers import Case
from tests.small_dataset import golden_of, in_conversation


def test_a_case_is_asked_in_the_form_of_the_benchmark_and_keeps_the_query_for_the_critic() -> None:
    said = in_conversation(golden_of())
    asked = {form: Case(golden=said, passages=(), form=form).query for form in ("rewritten", "history", "question")}
    assert asked == {
        "rewritten": said.query,
        "history": "User: How long is green tea steeped?\nAssistant: Two minutes.\nUser: And how hot?",
        "question": "And how hot?",
    }
    assert Case(golden=said, passages=(), form="history").golden.query == said.query
