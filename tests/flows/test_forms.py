"""The forms that Prefect makes of the flows' parameters."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from prefect.exceptions import ParameterTypeError
from prefect.utilities.schema_tools.validation import validate

from flows.benchmark import benchmark
from flows.corpus_wide import corpus_wide
from flows.index import index
from flows.label import label
from flows.multi_chunk import multi_chunk
from flows.parameters.models import (
    BenchmarkParameters,
    CorpusWideParameters,
    IndexParameters,
    LabelParameters,
    MultiChunkParameters,
    RefreshParameters,
    ReviewParameters,
    SingleChunkParameters,
    TrainAdapterParameters,
    TrainDataParameters,
    TrainRerankerParameters,
)
from flows.refresh import refresh
from flows.review import review
from flows.single_chunk import single_chunk
from flows.train_adapter import train_adapter
from flows.train_data import train_data
from flows.train_reranker import train_reranker
from ragset.generation.evolutions import EVOLUTIONS, MULTI_CONTEXT, NONE
from ragset.generation.styles import STYLES

FLOWS: dict[Any, Any] = {
    single_chunk: SingleChunkParameters,
    multi_chunk: MultiChunkParameters,
    corpus_wide: CorpusWideParameters,
    index: IndexParameters,
    benchmark: BenchmarkParameters,
    refresh: RefreshParameters,
    label: LabelParameters,
    review: ReviewParameters,
    train_data: TrainDataParameters,
    train_adapter: TrainAdapterParameters,
    train_reranker: TrainRerankerParameters,
}
REQUIRED: dict[str, Any] = {
    "documents": {"sources": ["docs"]},
    "datasets": ["out"],
    "dataset": "out",
    "queries": "queries.txt",
}
every_flow = pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)


def form(flow: Any) -> dict[str, Any]:
    return flow.parameters.model_dump(exclude_unset=True)


def parts_of(schema: dict[str, Any], field: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What stands inside a field: itself, its alternatives, what its list is made of, and the groups they refer to."""
    yield field
    for part in (*field.get("anyOf", []), *([field["items"]] if "items" in field else [])):
        yield from parts_of(schema, part)
    if "$ref" in field:
        yield schema["definitions"][field["$ref"].rpartition("/")[2]]


def fields(flow: Any) -> list[tuple[str, dict[str, Any]]]:
    """Every field of the form, groups and what is in them included, by dotted name."""
    schema = form(flow)
    found: list[tuple[str, dict[str, Any]]] = []

    def gather(prefix: str, properties: dict[str, Any]) -> None:
        for name, field in properties.items():
            group = schema["definitions"][field["$ref"].rpartition("/")[2]] if "$ref" in field else {}
            found.append((f"{prefix}{name}", {**group, **field}))
            for part in parts_of(schema, field):
                gather(f"{prefix}{name}.", part.get("properties", {}))

    gather("", schema["properties"])
    return found


def faults(flow: Any, **parameters: Any) -> list[str]:
    """What Prefect's server says of parameters from the form, by path."""
    schema = form(flow)
    given = {"documents": {"sources": ["docs"]}, **parameters}
    return [error.json_path for error in validate(given, schema)]


@every_flow
def test_every_field_of_the_form_has_a_title_and_says_what_it_is_for(flow: Any) -> None:
    weights = ("styles.", "evolutions.")
    unexplained = [
        name
        for name, field in fields(flow)
        if not field.get("title") or not (field.get("description") or any(group in name for group in weights))
    ]
    assert unexplained == []


@every_flow
def test_no_field_is_called_by_its_name_in_code(flow: Any) -> None:
    assert [name for name, field in fields(flow) if field["title"] == name.rpartition(".")[2]] == []


@every_flow
def test_texts_have_no_marks_which_the_form_would_print(flow: Any) -> None:
    marked = [name for name, field in fields(flow) if set("`*\n") & set(field.get("description", ""))]
    assert marked == []


@every_flow
def test_alternatives_are_called_by_what_they_mean(flow: Any) -> None:
    schema = form(flow)
    names = {
        name: [next((part["title"] for part in parts_of(schema, one) if "title" in part), "") for one in field["anyOf"]]
        for name, field in fields(flow)
        if "anyOf" in field
    }
    assert [name for name, titles in names.items() if not all(titles) or len(set(titles)) < len(titles)] == []


@every_flow
def test_no_alternative_is_called_as_a_class_is(flow: Any) -> None:
    schema = form(flow)
    titles = [
        part["title"]
        for _, field in fields(flow)
        for one in field.get("anyOf", ())
        for part in parts_of(schema, one)
        if "title" in part
    ]
    assert [title for title in titles if re.search("[a-z][A-Z]", title)] == []


@pytest.mark.parametrize(
    ("flow", "field", "kinds"),
    [
        (single_chunk, "writing.styles", STYLES),
        (single_chunk, "writing.evolutions", (*EVOLUTIONS, NONE)),
        (multi_chunk, "writing.evolutions", (*EVOLUTIONS, MULTI_CONTEXT, NONE)),
    ],
)
def test_every_kind_has_a_weight_of_its_own(flow: Any, field: str, kinds: Any) -> None:
    assert sorted(dict(fields(flow))[field]["properties"]) == sorted(kinds)


def test_choices_are_choices_and_numbers_have_limits() -> None:
    by_name = dict(fields(single_chunk))
    assert "semantic" in by_name["chunking.strategy"]["anyOf"][0]["enum"]
    assert by_name["chunking.size"]["minimum"] == 8
    assert by_name["writing.thresholds.clarity"]["maximum"] == 5
    assert by_name["seed"]["minimum"] == 0


@pytest.mark.parametrize(
    ("parameters", "path"),
    [
        ({"chunking": {"size": 5}}, "$.chunking.size"),
        ({"chunking": {"strategy": "fixed"}}, "$.chunking.strategy"),
        ({"chunking": {"sise": 96}}, "$.chunking"),
        ({"n": 0}, "$.n"),
        ({"n": "some"}, "$.n"),
        ({"documents": {"sources": []}}, "$.documents.sources"),
        ({"documents": {"sources": ["docs", "https://user:pw@example.org/"]}}, "$.documents.sources[1]"),
        ({"documents": {"sources": ["https://example.org/?a=1&Access_Token=x"]}}, "$.documents.sources[0]"),
        ({"writing": {"styles": {"opne": 1}}}, "$.writing.styles"),
        ({"writing": {"styles": {"open": -1}}}, "$.writing.styles.open"),
        ({"generator": {"temperature": 3}}, "$.generator.temperature"),
        ({"seed": -1}, "$.seed"),
        ({"out": ""}, "$.out"),
    ],
)
def test_the_server_refuses_bad_values_with_the_name_of_the_field(parameters: dict[str, Any], path: str) -> None:
    assert faults(single_chunk, **parameters) == [path]


@pytest.mark.parametrize(
    ("parameters", "path"),
    [
        ({"datasets": []}, "$.datasets"),
        ({"language": "d"}, "$.language"),
        ({"cutoffs": [5, 0]}, "$.cutoffs[1]"),
        ({"systems": [{"name": "ours", "http": "http://user:pw@localhost:9000/"}]}, "$.systems[0].http"),
        ({"grid": {"retrieval": [{"mode": "sparse"}]}}, "$.grid"),
    ],
)
def test_so_it_does_of_a_benchmark(parameters: dict[str, Any], path: str) -> None:
    given = {"datasets": ["out/single-chunk"], **parameters}
    assert faults(benchmark, **given) == [path]


def test_what_a_form_cannot_compare_fails_before_anything_is_read() -> None:
    given = {"documents": {"sources": ["docs"]}, "chunking": {"size": 96, "overlap": 100}}
    with pytest.raises(ParameterTypeError, match=r"chunking: .*overlap \(100\) must be smaller than size \(96\)"):
        single_chunk.validate_parameters(given)


@every_flow
def test_the_form_as_it_opens_is_accepted(flow: Any) -> None:
    schema = form(flow)
    filled = {name: field["default"] for name, field in schema["properties"].items() if "default" in field}
    given = {name: REQUIRED[name] for name in schema["required"]}
    assert validate({**filled, **given}, schema) == []


@every_flow
def test_a_flow_takes_what_a_configuration_file_can_hold(flow: Any) -> None:
    taken, model = form(flow)["properties"], FLOWS[flow]
    assert set(taken) == set(model.model_fields)
    values = model.model_validate({name: REQUIRED[name] for name in form(flow)["required"]})
    defaults = values.model_dump(mode="json")
    for name, field in taken.items():
        if "default" in field:
            assert field["default"] == defaults[name]
