from ragset.generation.offline.answer import answer_query

PASSAGE = (
    "The Karnak bowl is kept in Cairo. It was found in\n1904 by French workers. Twelve columns of marks stand inside. "
    "The bowl narrows towards the bottom because water leaves a full vessel faster."
)


def test_a_date_is_answered_in_short_and_quoted_in_full() -> None:
    reply = answer_query(PASSAGE, "When was the Karnak bowl found?")
    assert reply.answer == "In 1904"
    assert reply.quotes == ("The Karnak bowl is kept in Cairo.", "It was found in\n1904 by French workers.")


def test_a_query_of_other_making_gets_the_sentence_that_shares_most_with_it() -> None:
    reply = answer_query(PASSAGE, "Why is the bottom of the bowl narrow?")
    assert reply.quotes == ("The bowl narrows towards the bottom because water leaves a full vessel faster.",)


def test_white_space_in_the_answer_is_tidied() -> None:
    reply = answer_query("The clock of\nWells strikes the\nquarters.", "clock of Wells quarters")
    assert reply.answer == "The clock of Wells strikes the quarters."
    assert reply.quotes == ("The clock of\nWells strikes the\nquarters.",)


def test_a_subject_that_does_not_occur_is_not_in_the_passage() -> None:
    reply = answer_query(PASSAGE, "When was the Salisbury clock built?")
    assert (reply.verdict, reply.answer, reply.quotes) == ("not_in_passage", None, ())


def test_a_year_that_does_not_occur_is_not_in_the_passage() -> None:
    assert answer_query(PASSAGE, "Who found the Karnak bowl in 1850?").verdict == "not_in_passage"


def test_when_is_not_answered_by_a_sentence_without_a_date() -> None:
    assert answer_query("The Karnak bowl was found by French workers.", "When was the Karnak bowl found?").verdict == (
        "not_in_passage"
    )


def test_a_sentence_that_leans_brings_the_one_before() -> None:
    reply = answer_query(
        "The bowl of Edfu is late. Its outer face carries rich reliefs of kings.", "reliefs of kings on the outer face"
    )
    assert len(reply.quotes) == 2
