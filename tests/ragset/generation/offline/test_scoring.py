import pytest

from ragset.generation.offline.scoring import score_chunk

EXPLAINS = (
    "A pendulum clock keeps time because the pendulum swings at a steady rate. When the rod grows warm it lengthens, so the"
    " clock runs slow. Makers therefore built the pendulum out of two metals."
)
LISTS_FACTS = "The Larkspur Library opens at ten. Brill sold 40 bells. Nobody painted a ceiling in Aldmoor."


def grades(chunk: str) -> tuple[int, int, int, int]:
    scores = score_chunk(chunk)
    return scores.clarity, scores.depth, scores.structure, scores.relevance


def test_prose_that_explains_one_thing_gets_the_highest_grades() -> None:
    assert grades(EXPLAINS) == (3, 3, 3, 3)


def test_facts_that_have_nothing_to_do_with_each_other_are_clear_and_no_more() -> None:
    # one of three sentences has a figure, which is at least 30 %; none goes on from another
    assert grades(LISTS_FACTS) == (3, 2, 1, 1)


def test_a_passage_that_leans_on_what_came_before_is_not_clear() -> None:
    assert grades(f"He had said so before. {EXPLAINS}")[0] == 1


def test_references_get_the_lowest_grades() -> None:
    references = "## References\n\n1. Ito, K. (2011). Leaf oxidation. *Tea Sci.* 8, 12-19.\n2. Moss, J. (2012). Bells. *Ring* 3, 1-4."
    assert grades(references) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    "chunk",
    [
        "El reloj de péndulo atrasa cuando la varilla se calienta, porque entonces se alarga. Por eso los relojeros usaban dos metales.",
        "Die Pendeluhr geht nach, wenn die Stange warm wird, weil sie dann länger ist. Daher bauten die Uhrmacher Pendel aus zwei Metallen.",
        "L'horloge à pendule retarde quand la tige chauffe, parce qu'elle est alors plus longue. Donc les horlogers utilisaient deux métaux.",
    ],
)
def test_causes_are_seen_in_other_languages_too(chunk: str) -> None:
    assert grades(chunk)[1:3] == (3, 3)


def test_a_language_without_rules_is_neither_praised_nor_thrown_away() -> None:
    assert grades("振り子時計は1656年に発明された。振り子は一定の速さで振れる。") == (2, 2, 2, 2)


def test_the_reason_says_what_was_counted() -> None:
    assert "of 3 sentences 3 explain and 0 hold figures" in score_chunk(EXPLAINS).reason
