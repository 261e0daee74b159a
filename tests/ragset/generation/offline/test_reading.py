import pytest

from ragset.generation.offline.answer import answer_closed_book, read_passages, rerank_passages
from ragset.generation.offline.critique import judge_answer, judge_faithfulness

CLOCK = "The pendulum clock was invented by Christiaan Huygens in 1656. It is accurate."
INCENSE = "An incense clock tells time by the even burning of powder or sticks."
BELL = "Nobody asked for more bells in town."


def test_the_passage_that_shares_most_with_the_query_is_read() -> None:
    reply = read_passages((BELL, CLOCK, INCENSE), "Who invented the pendulum clock?")
    assert reply.verdict == "answered"
    assert reply.answer
    assert "Huygens" in reply.answer
    assert reply.chunks == (2,)
    # pendulum, clock and invented all stand there
    assert reply.reason == "By rule: 100 % of the query's words stand in what passage 2 says."


def test_of_passages_that_say_the_same_the_first_is_read() -> None:
    assert read_passages((INCENSE, CLOCK, CLOCK), "Who invented the pendulum clock?").chunks == (2,)


@pytest.mark.parametrize("chunks", [(BELL, INCENSE), ()])
def test_what_no_passage_answers_is_not_answered(chunks: tuple[str, ...]) -> None:
    reply = read_passages(chunks, "Who painted the ceiling of the chapel in Siena?")
    assert (reply.verdict, reply.answer, reply.chunks) == ("abstained", None, ())
    assert reply.reason == "By rule: no passage answers it."


def test_passages_are_in_the_order_of_the_words_they_share_with_the_query() -> None:
    reply = rerank_passages((BELL, INCENSE, CLOCK), "Who invented the pendulum clock?")
    assert reply.order == (3, 2, 1)


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    # of four passages three have "clock": ln(1 + 4/3) = 0.85; one has "powder": ln(1 + 4/1) = 1.61
    chunks = ("A clock.", "A clock and a clock.", "The clock of Bern.", "Powder burns.")
    assert rerank_passages(chunks, "clock powder").order == (4, 1, 2, 3)


def test_passages_that_share_nothing_stay_as_they_were() -> None:
    assert rerank_passages((BELL, INCENSE, CLOCK), "Siena").order == (1, 2, 3)


@pytest.mark.parametrize(
    ("answer", "correctness", "completeness", "conciseness"),
    [
        ("Christiaan Huygens in 1656", 5, 1, 1),
        # The query's own words are no padding.
        ("The pendulum clock was invented by Christiaan Huygens in 1656.", 5, 1, 1),
        # Two of three words and not the number: 2 at most.
        ("Christiaan Huygens", 2, 0.5, 1),
        ("Christiaan Huygens in 1657", 2, 0.5, 1),
        # All three of eight words: 3/8.
        ("Christiaan Huygens, son of poet Constantijn, friend of Descartes, in 1656", 5, 1, 0.5),
        ("Galileo", 1, 0, 0),
        ("", 1, 0, 0),
    ],
)
def test_an_answer_is_graded_by_the_words_of_the_reference(
    answer: str, correctness: int, completeness: float, conciseness: float
) -> None:
    reply = judge_answer("Who invented the pendulum clock, and when?", "Christiaan Huygens in 1656.", answer)
    assert (reply.correctness, reply.completeness, reply.conciseness) == (correctness, completeness, conciseness)
    assert reply.feedback.startswith("By rule: ")


def test_a_reference_of_small_words_is_compared_by_them() -> None:
    assert judge_answer("Did it rain?", "No.", "No.").correctness == 5
    assert judge_answer("Did it rain?", "No.", "Yes.").correctness == 1


def test_a_number_that_is_missing_is_named() -> None:
    feedback = judge_answer("Who and when?", "Christiaan Huygens in 1656.", "Christiaan Huygens").feedback
    assert feedback == (
        "By rule: the answer has 67 % of the reference's words, and not 1656; "
        "100 % of what it adds to the query stands in the reference."
    )


def test_each_sentence_is_a_claim_that_one_passage_supports_or_none() -> None:
    answer = "Christiaan Huygens invented the pendulum clock. He had it made in 1658. Bells and powder."
    reply = judge_faithfulness((BELL, CLOCK, INCENSE), answer)
    assert [(claim.claim, claim.supported) for claim in reply.claims] == [
        ("Christiaan Huygens invented the pendulum clock.", 1),
        ("He had it made in 1658.", 0),
        # Each word stands somewhere, but not both in one passage.
        ("Bells and powder.", 0),
    ]
    assert reply.claims[2].reason == "By rule: 50 % of its words stand in one passage that has its numbers."


def test_nothing_is_supported_without_passages_and_nothing_is_claimed_with_nothing() -> None:
    assert [claim.supported for claim in judge_faithfulness((), "It rained.").claims] == [0]
    assert judge_faithfulness((CLOCK,), "").claims == ()


def test_rules_know_nothing_by_heart() -> None:
    reply = answer_closed_book()
    assert (reply.verdict, reply.answer) == ("abstained", None)
