"""Themes: of many documents, few passages of each, and none twice."""

import numpy as np

from ragset.generation.links import InMemory
from ragset.generation.themes import find_themes
from ragset.models import Chunk
from ragset.settings import ThemeWritingSettings

SETTINGS = ThemeWritingSettings(passages=6, min_documents=3)


def pool(*placed: tuple[str, float]) -> InMemory:
    """Chunks of documents, each at an angle in degrees; two of one document do not overlap."""
    chunks = [Chunk(doc_id=name, start=10 * n, end=10 * n + 5, text="texts") for n, (name, _) in enumerate(placed)]
    angles = np.radians([angle for _, angle in placed])
    return InMemory(chunks, np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32))


def themes(table: InMemory, seeds: list[int], **more: object) -> list[tuple[int, ...]]:
    return find_themes(table, table.search, seeds, SETTINGS, **{"min_chars": 0, **more})  # type: ignore[arg-type]


def test_a_theme_has_one_passage_of_a_document_where_six_are_shown_of_three_documents_at_least() -> None:
    # 6 / (2 * 3) = 1 passage of each; cosines of 20 degrees are below those of near-duplicates
    table = pool(("a", 0), ("a", 20), ("b", 40), ("c", 60), ("c", 80))
    assert themes(table, [0]) == [(0, 2, 3)]


def test_too_few_documents_make_no_theme() -> None:
    assert themes(pool(("a", 0), ("a", 20), ("b", 40)), [0, 1, 2]) == []


def test_a_theme_is_not_found_again_from_a_passage_that_it_holds() -> None:
    table = pool(("a", 0), ("b", 20), ("c", 40))
    assert themes(table, [0, 1, 2]) == [(0, 1, 2)]
    assert themes(table, [1], before=[(0, 1, 2)]) == []


def test_short_passages_are_left_out() -> None:
    assert themes(pool(("a", 0), ("b", 20), ("c", 40)), [0], min_chars=6) == []
