import pytest

from ragset.generation.offline.evolved import judge_evolution, same_query

ALDMOOR = "The Aldmoor tramway opened in 1902. It carried coal because the roads were too steep for carts."
BRILL = "The electric tramway of Brill opened in 1899."


@pytest.mark.parametrize(
    ("query", "evolved"),
    [
        ("Who built the Antikythera mechanism?", "By whom was the Antikythera mechanism built?"),
        ("How does a heat pump work?", "Please explain exactly how a heat pump works."),
        ("When was the Forth Bridge opened?", "In what year was the Forth Bridge opened?"),
        ("When was the Forth Bridge opened?", "forth bridge opened when"),
        ("¿Cuándo se inauguró el faro de Skarv?", "¿En qué año se inauguró el faro de Skarv?"),
    ],
)
def test_other_small_words_make_no_other_query(query: str, evolved: str) -> None:
    said = same_query(query, evolved)
    assert (said.same_constraints, said.same_depth, said.same) == (1, 1, 1)


@pytest.mark.parametrize(
    ("query", "evolved", "constraints", "depth"),
    [
        ("How long is tea steeped?", "How long is tea steeped at 60 °C?", 0, 1),
        ("Who built the bridge of Brill?", "Who built the bridge of Aldmoor?", 0, 1),
        ("How many clocks were built in 1902?", "How many clocks were built in 1903?", 0, 1),
        ("When was the Forth Bridge opened?", "Why was the Forth Bridge opened?", 1, 0),
        ("Who defeated Napoleon?", "Who was defeated by Napoleon?", 0, 1),
        ("When did the tramway of Aldmoor open?", "What delayed the tramway of Aldmoor by five years?", 0, 0),
    ],
)
def test_conditions_names_numbers_and_what_is_asked_for_make_another(
    query: str, evolved: str, constraints: int, depth: int
) -> None:
    said = same_query(query, evolved)
    assert (said.same_constraints, said.same_depth, said.same) == (constraints, depth, 0)


def verdict(chunks: tuple[str, ...], query: str) -> tuple[int, int]:
    said = judge_evolution(chunks, query)
    return said.standalone, said.answerable


def test_a_query_that_is_named_and_answered_stands() -> None:
    assert verdict((ALDMOOR,), "When did the Aldmoor tramway open?") == (1, 1)
    assert verdict((BRILL, ALDMOOR), "When did the Aldmoor tramway open?") == (1, 1)


def test_a_query_that_lost_its_subject_does_not_stand_alone() -> None:
    assert verdict((ALDMOOR,), "When did it open?")[0] == 0


@pytest.mark.parametrize("query", ["When did the Skarv tramway open?", "What did the Aldmoor tramway cost in 1950?"])
def test_what_no_passage_states_is_not_answerable(query: str) -> None:
    assert verdict((ALDMOOR, BRILL), query) == (1, 0)
