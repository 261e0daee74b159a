"""Configurations that have other names afterwards."""

from pathlib import Path
from typing import Any

import pytest

from ragset.errors import InputError
from ragset.evaluation.results.comparing import compare
from ragset.evaluation.results.folder import StoredResults
from ragset.evaluation.results.renaming import renamed, suggested
from tests.ragset.evaluation.results.test_comparing import write


def results(folder: Path, **scores: float) -> StoredResults:
    """Each configuration has its score for every golden."""
    values: dict[str, Any] = {name: [score] * 30 for name, score in scores.items()}
    return write(folder, **values)


SMALL, LARGE = "recursive-128-0-tokens", "recursive-256-0-tokens"


def test_a_part_of_a_name_is_mapped_in_every_configuration_that_has_it(tmp_path: Path) -> None:
    before = results(tmp_path / "before", **{f"{SMALL} / bm25": 1.0, f"{SMALL} / offline / dense": 1.0})
    after = results(tmp_path / "after", **{f"{LARGE} / bm25": 0.0, f"{LARGE} / offline / dense": 1.0})
    found = compare(renamed(before, {SMALL: LARGE}), after)
    assert [(change.configuration, change.before, change.after) for change in found.changes] == [
        (f"{LARGE} / bm25", 1.0, 0.0),
        (f"{LARGE} / offline / dense", 1.0, 1.0),
    ]
    assert found.only_before == found.only_after == ()


def test_nothing_in_common_says_how_to_map_what_differs(tmp_path: Path) -> None:
    before = results(tmp_path / "before", **{f"{SMALL} / bm25": 1.0})
    after = results(tmp_path / "after", **{f"{LARGE} / bm25": 0.0})
    with pytest.raises(InputError, match=f"--map {SMALL}={LARGE}"):
        compare(before, after)


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (["a / bm25", "a / dense"], ["b / bm25", "b / dense"], {"a": "b"}),
        # which of the two it has become cannot be told
        (["a / bm25"], ["b / bm25", "c / bm25"], {}),
        (["a / bm25", "c / bm25"], ["b / bm25"], {}),
        (["a / x / bm25"], ["a / bm25"], {}),
        (["prod"], ["Prod"], {"prod": "Prod"}),
    ],
)
def test_parts_are_suggested_where_one_alone_differs(
    before: list[str], after: list[str], names: dict[str, str]
) -> None:
    assert suggested(before, after) == names


def test_a_name_that_is_not_there_or_that_two_would_have_is_refused(tmp_path: Path) -> None:
    before = results(tmp_path / "before", a=1.0, b=1.0)
    with pytest.raises(InputError, match=r"--map: .* has no configuration or part of one named c; there are a; b"):
        renamed(before, {"c": "d"})
    with pytest.raises(InputError, match="--map: a and b would both be b"):
        renamed(before, {"a": "b"})
