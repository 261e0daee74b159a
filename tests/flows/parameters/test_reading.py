from typing import Any

import pytest

from flows.parameters.models import BenchmarkParameters, SingleChunkParameters
from flows.parameters.reading import valid
from ragset.errors import InputError
from ragset.settings import Settings


def told(model: type[Settings], **values: Any) -> list[str]:
    with pytest.raises(InputError) as raised:
        valid(model, values)
    return str(raised.value).splitlines()


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ({"grid": {"retrieved": 0}}, ["grid.retrieved: Input should be greater than or equal to 1"]),
        ({"grid": {"reader": [{"modell": "x"}]}}, ["grid.reader.0.modell: there is no such parameter"]),
        ({"grid": {"reader": [3]}}, ["grid.reader.0: must be names with values, such as {name: value}"]),
        ({"grid": {"final": 9, "retrieved": 5}}, ["grid: final (9) must not be above retrieved (5)"]),
        ({"grid": "all"}, ["grid: must be names with values, such as {name: value}"]),
        ({"documents": {"path": "x", "sources": ["d"]}}, ["documents.path: there is no such parameter"]),
    ],
)
def test_a_parameter_that_may_be_empty_is_told_without_the_names_of_its_branches(
    values: dict[str, Any], lines: list[str]
) -> None:
    assert told(BenchmarkParameters, datasets=["set"], **values) == lines


def test_what_is_called_none_is_not_taken_for_a_branch() -> None:
    given = {"documents": {"sources": ["docs"]}, "writing": {"evolutions": {"none": "much"}}}
    (line,) = told(SingleChunkParameters, **given)
    assert line.startswith("writing.evolutions.none")


@pytest.mark.parametrize("name", ["n", "hardness", "chunking", "dataset"])
def test_a_parameter_of_another_flow_is_none_here(name: str) -> None:
    assert told(BenchmarkParameters, datasets=["set"], **{name: 40}) == [f"{name}: there is no such parameter"]


def test_a_count_that_is_none_is_told_as_before() -> None:
    given = {"documents": {"sources": ["docs"]}}
    for n in (0, "some", None, 2.5):
        assert told(SingleChunkParameters, **given, n=n) == ["n (--n): must be a whole number from 1, or all"]
