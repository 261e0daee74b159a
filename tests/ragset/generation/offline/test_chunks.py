import pytest

from ragset.generation.offline.chunks import judge_chunk, score_chunk

PROSE = (
    "The water clock of Karnak is the oldest that has come down to us. It was found in 1904 and is made of alabaster. "
    "Twelve columns of marks stand inside it, one for each month."
)
REFERENCES = (
    "[1] Ito, K. (2011). Leaf oxidation. Tea Sci. 8, 12-19. doi:10.1000/182\n"
    "[2] Moen, I. (1907). On lamps. J. Lights 3, pp. 4-9. doi:10.1000/183"
)


def test_prose_that_names_its_subject_passes() -> None:
    verdict = judge_chunk(PROSE)
    assert (verdict.self_containment, verdict.not_metadata) == (1, 1)
    assert judge_chunk("There are twelve columns of marks inside the bowl of Karnak.").self_containment == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("He repeated the trial with a second clock of brass.", '"He"'),
        ("However, the second clock stopped after two days.", '"However"'),
        ("Sin embargo, el reloj se paró al cabo de dos días.", '"Sin embargo"'),
        ("# The bowl\n\nIt was found in 1904 by the workers of the museum.", '"It"'),
        ("until the weight reached the floor. The clock stopped at noon.", "middle of a sentence"),
        ("The bowl narrows towards the bottom, as shown above. Its walls are steep.", '"as shown above"'),
        ("Clocks\nBowls\nWater", "no full sentence"),
    ],
)
def test_a_chunk_that_needs_what_came_before_is_not_self_contained(text: str, shown: str) -> None:
    verdict = judge_chunk(text)
    assert verdict.self_containment == 0
    assert shown in verdict.reason


def test_references_are_metadata_and_get_the_lowest_grades() -> None:
    assert judge_chunk(REFERENCES).not_metadata == 0
    scores = score_chunk(REFERENCES)
    assert (scores.clarity, scores.depth, scores.structure, scores.relevance) == (1, 1, 1, 1)


def test_what_passes_gets_the_highest_grades() -> None:
    scores = score_chunk(PROSE)
    assert (scores.clarity, scores.depth, scores.structure, scores.relevance) == (3, 3, 3, 3)
