import pytest

from ragset.generation.offline.judge import judge_chunk

PROSE = (
    "The water clock of Karnak is the oldest that has come down to us. It was found in 1904 and is made of alabaster. "
    "Twelve columns of marks stand inside it, one for each month."
)


def test_prose_that_names_its_subject_passes() -> None:
    verdict = judge_chunk(PROSE)
    assert (verdict.self_containment, verdict.not_metadata) == (1, 1)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("He repeated the trial with a second clock of brass.", '"He"'),
        ("It was found in 1904 by the workers of the museum.", '"It"'),
        ("This method was used until the war came to an end.", '"This"'),
        ("However, the second clock stopped after two days.", '"However"'),
        ("Such clocks were never sold in the shops of London.", '"Such"'),
        ("Sin embargo, el reloj se paró al cabo de dos días.", '"Sin embargo"'),
    ],
)
def test_a_chunk_that_opens_with_a_word_for_something_said_before_is_not_self_contained(text: str, shown: str) -> None:
    verdict = judge_chunk(text)
    assert verdict.self_containment == 0
    assert shown in verdict.reason


def test_a_chunk_that_opens_in_the_middle_of_a_sentence_is_not_self_contained() -> None:
    assert judge_chunk("and then the weight reached the floor. The clock stopped at noon.").self_containment == 0


def test_there_is_at_the_start_points_at_nothing() -> None:
    assert judge_chunk("There are twelve columns of marks inside the bowl of Karnak.").self_containment == 1


def test_a_heading_does_not_hide_the_opening() -> None:
    assert judge_chunk("# The bowl\n\nIt was found in 1904 by the workers of the museum.").self_containment == 0


def test_a_chunk_that_points_at_a_figure_is_not_self_contained() -> None:
    assert (
        judge_chunk("The bowl narrows towards the bottom, as shown above. Its walls are steep.").self_containment == 0
    )


def test_a_chunk_without_a_sentence_is_not_self_contained() -> None:
    assert judge_chunk("Clocks\nBowls\nWater").self_containment == 0


def test_a_list_of_references_is_metadata() -> None:
    text = (
        "[1] Ito, K. (2011). Leaf oxidation. Tea Sci. 8, 12-19. doi:10.1000/182\n"
        "[2] Moen, I. (1907). On lamps. J. Lights 3, pp. 4-9. doi:10.1000/183"
    )
    assert judge_chunk(text).not_metadata == 0


@pytest.mark.parametrize(
    ("text", "contained"),
    [
        ("The second of atomic clocks was fixed in 1967 by a conference in Paris.", 1),
        ("The third of May is a holiday in Poland and a day of parades.", 1),
        ("The second pendulum drives the first one through a vacuum.", 0),
        ("The other of the two clocks stopped after two days.", 0),
    ],
)
def test_a_second_and_a_third_of_something_are_named(text: str, contained: int) -> None:
    assert judge_chunk(text).self_containment == contained
