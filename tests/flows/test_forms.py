"""The forms that Prefect makes of the flows' parameters."""

from typing import Any

import pytest

from flows.index import index
from flows.multi_chunk import multi_chunk
from flows.parameters import IndexParameters, MultiChunkParameters, SingleChunkParameters
from flows.single_chunk import single_chunk


def fields(flow: Any) -> list[tuple[str, dict[str, Any]]]:
    """Every field of the form, those of its groups included, by dotted name."""
    schema = flow.parameters.model_dump()
    groups = schema["definitions"]
    found: list[tuple[str, dict[str, Any]]] = []
    for name, field in schema["properties"].items():
        references = [
            part["$ref"] for part in (field, *field.get("allOf", []), *field.get("anyOf", [])) if "$ref" in part
        ]
        if references:
            inner = groups[references[0].rpartition("/")[2]]
            found += [(f"{name}.{inner_name}", inner_field) for inner_name, inner_field in inner["properties"].items()]
        else:
            found.append((name, field))
    return found


@pytest.mark.parametrize("flow", [single_chunk, multi_chunk, index])
def test_every_field_of_the_form_has_a_title_and_says_what_it_is_for(flow: Any) -> None:
    unexplained = [name for name, field in fields(flow) if not (field.get("title") and field.get("description"))]
    assert unexplained == []


def test_choices_are_choices_and_numbers_have_limits() -> None:
    by_name = dict(fields(single_chunk))
    assert "semantic" in by_name["chunking.strategy"]["enum"]
    assert by_name["chunking.size"]["minimum"] == 8
    assert by_name["writing.threshold"]["maximum"] == 5
    assert by_name["seed"]["minimum"] == 0


@pytest.mark.parametrize(
    ("flow", "model"),
    [(single_chunk, SingleChunkParameters), (multi_chunk, MultiChunkParameters), (index, IndexParameters)],
)
def test_a_flow_takes_what_a_configuration_file_can_hold(flow: Any, model: Any) -> None:
    taken = flow.parameters.model_dump()["properties"]
    assert set(taken) == set(model.model_fields)
    for name, field in model.model_fields.items():
        if not field.is_required() and "default" in taken[name]:
            default = field.default.model_dump(mode="json") if hasattr(field.default, "model_dump") else field.default
            assert taken[name]["default"] == default
