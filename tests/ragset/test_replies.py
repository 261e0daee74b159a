from typing import Any

import pytest
from pydantic import ValidationError

from ragset.replies import ChunkVerdict, GroundedAnswer


def verdict(value: Any) -> str:
    return GroundedAnswer(reason="x", verdict=value, answer="a", quotes=()).verdict


@pytest.mark.parametrize("said", [1, "1", 1.0, True, "true", "yes", "YES", "Yes.", "answered", "Answered"])
def test_a_verdict_that_says_yes_is_read_in_whatever_type_or_case_it_comes(said: Any) -> None:
    assert verdict(said) == "answered"


@pytest.mark.parametrize(
    "said", [-1, "-1", -1.0, 0, "0", False, "False", "no", "NO", "not in passage", "Not-In-Passage"]
)
def test_a_verdict_that_says_no_is_never_read_as_an_answer(said: Any) -> None:
    assert verdict(said) == "not_in_passage"


@pytest.mark.parametrize("said", [None, 2, "", "maybe", "none", [], "answered?"])
def test_a_verdict_that_says_neither_is_an_error_and_no_label(said: Any) -> None:
    with pytest.raises(ValidationError):
        verdict(said)


@pytest.mark.parametrize(("said", "bit"), [(1, 1), ("1", 1), (True, 1), ("yes", 1), (0, 0), ("-1", 0), (False, 0)])
def test_a_bit_is_read_alike(said: Any, bit: int) -> None:
    assert ChunkVerdict(reason="x", self_containment=said, not_metadata=1).self_containment == bit


def test_the_schema_still_names_the_values_that_are_wanted() -> None:
    fields = GroundedAnswer.model_json_schema()["properties"]
    assert fields["verdict"]["enum"] == ["answered", "not_in_passage"]
    assert ChunkVerdict.model_json_schema()["properties"]["self_containment"]["enum"] == [0, 1]
