"""Which evolutions a chunk draws for the style of its query."""

from ragset.generation.evolutions import EVOLUTIONS
from ragset.generation.query_samples import Samples
from ragset.generation.stage import Setup
from ragset.settings import ContextWritingSettings, WritingSettings

CASES = [str(number) for number in range(300)]


def test_without_weights_styles_are_drawn_in_their_usual_shares() -> None:
    drawn = [Setup(WritingSettings()).style(case) for case in CASES]
    # 70 % of 300 are 210; four standard deviations are 4 * sqrt(300 * 0.7 * 0.3) = 32
    assert abs(drawn.count("factoid") - 210) < 32
    assert set(drawn) == {"factoid", "open", "keyphrase"}


def test_an_evolution_that_needs_more_than_a_short_fact_makes_the_draft_an_open_question() -> None:
    setup = Setup(WritingSettings(evolutions={"reasoning": 1, "none": 1}))
    for case in CASES:
        assert setup.evolutions(case) == () or setup.style(case) == "open"
    assert any(setup.evolutions(case) for case in CASES)


def test_styles_asked_for_stay_and_what_does_not_suit_them_is_not_drawn() -> None:
    writing = WritingSettings(styles={"factoid": 1}, evolutions=dict.fromkeys(EVOLUTIONS, 1.0), depth=2)
    kinds = {kind for case in CASES for kind in Setup(writing).evolutions(case)}
    assert kinds == {"deepen", "complicate_input", "broaden", "compress"}


def test_a_query_over_several_chunks_can_be_evolved_in_any_way() -> None:
    setup = Setup(ContextWritingSettings(evolutions={"more_steps": 1}))
    assert {setup.evolutions(case) for case in CASES} == {("more_steps",)}


def test_styles_follow_the_proportions_of_samples() -> None:
    samples = Samples(queries=("who lit the lamp?", "lamp range", "lamp oil price", "why did it go out"))
    drawn = [Setup(WritingSettings(), samples=samples).style(case) for case in CASES]
    # a half of 300; four standard deviations are 4 * sqrt(300 * 0.5 * 0.5) = 35
    assert abs(drawn.count("keyphrase") - 150) < 35
    assert set(drawn) == {"factoid", "open", "keyphrase"}
