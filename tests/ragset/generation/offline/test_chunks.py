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
NO_SENTENCE = (
    "Clocks\nBowls\nWater",
    "Ada Finch <ada at mill.example>\nBo Lind <bo at mill.example>\nCy Marsh <cy at mill.example>",
    '{"pumps": [{"name": "north", "litres": 40}, {"name": "south", "litres": 25}]}',
    "| Wheel | Teeth |\n|---|---|\n| escape | 30 |\n| centre | 64 |",
    "def wind(clock):\n    clock.weight = clock.height\n    return clock",
)
ALONE = (
    PROSE,
    # a name, an option, a label or a quoted word in lower case begins a sentence
    "relayd is a daemon that forwards mail. It reads its rules at start.",
    "-q, --quiet\n       Print nothing but errors. The exit code is 1 where there was one.",
    "basin gates\n\nThe gates of a tide mill open inwards. The ebb shuts them.",
    '"for" loops expect an iterable, and stop at its end.',
    "- check that the weight hangs free, and wind the clock\n- oil the pivots once a year.",
    # where else something is said is no part of what is said
    "The bowl narrows towards the bottom, as shown above. Its walls are steep.",
    "- Held mail is now sent in order of age. (#6781)",
    "水時計は容器から水が流れ出る速さで時間を測る。",
)


@pytest.mark.parametrize("text", NO_SENTENCE)
def test_lists_tables_and_code_hold_no_full_sentence(text: str) -> None:
    verdict = judge_chunk(text)
    assert (verdict.self_containment, verdict.not_metadata) == (1, 0)
    assert verdict.reason == "By rule: holds no full sentence."


@pytest.mark.parametrize("text", ALONE)
def test_prose_passes(text: str) -> None:
    verdict = judge_chunk(text)
    assert (verdict.self_containment, verdict.not_metadata) == (1, 1)
    assert verdict.reason == "By rule: holds full sentences."


def test_references_are_metadata_and_get_the_lowest_grades() -> None:
    verdict = judge_chunk(REFERENCES)
    assert verdict.not_metadata == 0
    assert verdict.reason.startswith("By rule: references: ")
    scores = score_chunk(REFERENCES)
    assert (scores.clarity, scores.depth, scores.structure, scores.relevance) == (1, 1, 1, 1)


def test_what_passes_gets_the_highest_grades() -> None:
    scores = score_chunk(PROSE)
    assert (scores.clarity, scores.depth, scores.structure, scores.relevance) == (3, 3, 3, 3)
