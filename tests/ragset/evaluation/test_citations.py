"""Which passages an answer cites."""

import pytest

from ragset.errors import ProviderError
from ragset.evaluation.citations import cited_in
from ragset.evaluation.scoring import score_answer
from ragset.evaluation.systems.replies import read_reply
from tests.small_dataset import golden_of


@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("It closed in 1921 [2]. The gate was cast there [1][3].", (1, 2, 3)),
        ("In 1921[2, 4].", (2, 4)),
        ("In 1921 [1-3; 5].", (1, 2, 3, 5)),
        ("In 1921 [^2], 【4】 and [doc1, doc3].", (1, 2, 3, 4)),
        ("In [1921], as items[0] and [a1] say [sic].", ()),
        ("In 1921.", ()),
    ],
)
def test_numbers_in_brackets_are_citations(answer: str, cited: tuple[int, ...]) -> None:
    assert cited_in(answer) == cited


def test_a_list_in_the_reply_goes_before_the_answer_and_an_answer_without_marks_says_nothing() -> None:
    passages = ["one", "two"]
    assert read_reply({"answer": "In 1921 [2].", "passages": passages}).cited == (2,)
    assert read_reply({"answer": "In 1921 [2].", "passages": passages, "citations": [1]}).cited == (1,)
    assert read_reply({"answer": "In 1921.", "passages": passages}).cited is None
    assert read_reply({"answer": None, "passages": passages}).cited is None


def test_a_number_that_no_passage_has_is_a_wrong_citation_in_an_answer_and_a_wrong_reply_in_a_list() -> None:
    assert read_reply({"answer": "In 1921 [7].", "passages": ["one"]}).cited == (7,)
    with pytest.raises(ProviderError, match="numbers of passages"):
        read_reply({"answer": "In 1921.", "passages": ["one"], "citations": [7]})


def test_numbers_in_brackets_are_no_words_of_an_answer() -> None:
    scores = score_answer(golden_of(answer="Two minutes."), "Two minutes [1][3].")
    assert (scores["token_f1"], scores["exact_match"]) == (1.0, 1.0)
