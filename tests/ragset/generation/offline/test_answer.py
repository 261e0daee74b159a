from ragset.generation.offline.answer import answer_multi, answer_query, compare_answers

PASSAGE = (
    "The Karnak bowl is kept in Cairo. It was found in\n1904 by French workers. Twelve columns of marks stand inside. "
    "The bowl narrows towards the bottom because water leaves a full vessel faster."
)
FORTH, ELY = "Nobody knew. The Forth Bridge was opened in 1890.", "Ely Cathedral was built in 1083."
FIRST = "Which came first, the construction of Ely Cathedral or the opening of the Forth Bridge?"


def test_the_sentence_of_a_fact_answers_its_question() -> None:
    reply = answer_query(FORTH, "When was the Forth Bridge opened?")
    assert (reply.answer, reply.quotes) == (
        "The Forth Bridge was opened in 1890.",
        ("The Forth Bridge was opened in 1890.",),
    )


def test_a_query_of_other_making_gets_the_sentence_that_shares_most_with_it() -> None:
    reply = answer_query(PASSAGE, "Why is the bottom of the bowl narrow?")
    assert reply.quotes == ("The bowl narrows towards the bottom because water leaves a full vessel faster.",)


def test_a_sentence_that_leans_brings_the_one_before() -> None:
    assert answer_query(PASSAGE, "When was the Karnak bowl found by French workers?").quotes == (
        "The Karnak bowl is kept in Cairo.",
        "It was found in\n1904 by French workers.",
    )


def test_what_does_not_occur_is_not_in_the_passage() -> None:
    for query in (
        "When was the Salisbury clock built?",
        "Who found the Karnak bowl in 1850?",
        "",
        "When was Cairo built?",
    ):
        reply = answer_query(PASSAGE, query)
        assert (reply.verdict, reply.answer, reply.quotes) == ("not_in_passage", None, ())


def test_a_comparison_needs_both_of_its_chunks() -> None:
    reply = answer_multi((FORTH, PASSAGE, ELY), FIRST)
    assert reply.answer == (
        "The construction of Ely Cathedral came first. Ely Cathedral was built in 1083. The Forth Bridge was opened in 1890."
    )
    assert [quote.chunk for quote in reply.quotes] == [1, 3]
    assert answer_multi((FORTH, PASSAGE), FIRST).verdict == "not_in_passages"


def test_an_answer_that_lacks_a_word_of_substance_is_lesser() -> None:
    whole = "The Forth Bridge was opened in 1890, and Ely Cathedral was built in 1083."
    assert compare_answers(whole, "It was the Forth Bridge that was opened in 1890.").verdict == "lesser"
    assert compare_answers("The Forth Bridge was opened in 1890.", whole).verdict == "same"
