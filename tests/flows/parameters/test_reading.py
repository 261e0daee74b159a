from pathlib import Path
from typing import Any

import pytest

from flows.parameters.models import BenchmarkParameters, SingleChunkParameters
from flows.parameters.reading import read_parameters, valid
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
        (
            {"grid": {"reader": [{"modell": "x"}]}},
            ["grid.reader.0.modell: there is no such parameter; did you mean grid.reader.model?"],
        ),
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


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("n", ""),
        ("hardness", ""),
        ("chunking", "; did you mean grid.chunking?"),
        ("dataset", "; did you mean datasets?"),
        ("drop-references", "; did you mean documents.drop_references?"),
        ("split", "; did you mean splits?"),
    ],
)
def test_an_unknown_parameter_gets_the_nearest_one_of_this_flow(name: str, meant: str) -> None:
    assert told(BenchmarkParameters, datasets=["set"], **{name: 40}) == [f"{name}: there is no such parameter{meant}"]


def test_a_fault_stands_with_the_line_of_its_innermost_key_and_that_of_an_option_without(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(
        "# of ours\ndocuments: docs\nchunking:\n  strategy: sentence\n  size: 4\ngenerator:\n  timeout: 0\n"
    )
    with pytest.raises(InputError) as raised:
        read_parameters(SingleChunkParameters, file, {"seed": -1, "documents.drop_references": True})
    assert str(raised.value).splitlines() == [
        f"{file}:5: chunking.size (--chunk-size): Input should be greater than or equal to 8",
        f"{file}:7: generator.timeout: Input should be greater than 0",
        "seed (--seed): Input should be greater than or equal to 0",
    ]


def test_an_option_goes_into_a_group_in_its_short_form(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text("documents: docs\nchunking: sentence\n")
    asked = read_parameters(SingleChunkParameters, file, {"chunking.size": 99, "documents.drop_references": True})
    assert (asked.documents.sources, asked.chunking.name) == (("docs",), "sentence-99-0-tokens")


def test_an_alias_that_holds_itself_is_an_error_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text("documents: docs\na: &a [*a]\n")
    with pytest.raises(InputError, match=r"run\.yaml:2: a: there is no such parameter"):
        read_parameters(SingleChunkParameters, file, {})


def test_short_forms_stand_for_groups_and_lists() -> None:
    asked = valid(
        SingleChunkParameters,
        {"documents": "docs", "chunking": "sentence", "generator": "gpt-x", "critic": "gpt-y", "export": "beir"},
    )
    assert asked.documents.sources == ("docs",)
    assert (asked.chunking.strategy, asked.generator.model, asked.critic and asked.critic.model) == (
        "sentence",
        "gpt-x",
        "gpt-y",
    )
    assert [one.to for one in asked.export] == ["beir"]
    assert valid(SingleChunkParameters, {"documents": ["a", "b"]}).documents.sources == ("a", "b")
    grid = {"chunking": ["sentence", {"strategy": "token", "size": 64}], "retrieval": "bm25", "embedding": "offline"}
    asked = valid(BenchmarkParameters, {"datasets": "set", "grid": grid, "cutoffs": 5})
    assert [one.name for one in asked.configurations] == ["sentence-256-0-tokens / bm25", "token-64-0-tokens / bm25"]
    assert (asked.datasets, asked.cutoffs) == (("set",), (5,))


@pytest.mark.parametrize("said", ["de", "DE", "German", "german", "Deutsch", "de-AT"])
def test_a_language_is_named_by_code_or_name(said: str) -> None:
    assert valid(SingleChunkParameters, {"documents": "docs", "writing": {"language": said}}).writing.language == "de"


def test_an_unknown_language_gets_the_nearest_one() -> None:
    (line,) = told(SingleChunkParameters, documents="docs", writing={"language": "Germna"})
    assert line == (
        "writing.language (--language): there is no language 'Germna'; write a name or two letters, such as German or de; "
        "did you mean German?"
    )


def test_a_count_that_is_none_is_told_as_before() -> None:
    given = {"documents": {"sources": ["docs"]}}
    for n in (0, "some", None, 2.5):
        assert told(SingleChunkParameters, **given, n=n) == ["n (--n): must be a whole number from 1, or all"]
