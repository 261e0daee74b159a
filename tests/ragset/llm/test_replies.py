from typing import Any

import pytest
from pydantic import ValidationError

from ragset.llm.replies import (
    ChunkScores,
    ChunkVerdict,
    ContextAnswer,
    Criticism,
    GroundedAnswer,
    KeyphraseDraft,
    NearMiss,
    QuerySplit,
    Support,
    Supports,
)


def verdict(value: Any) -> str:
    return GroundedAnswer(reason="x", verdict=value, answer="a", quotes=()).verdict


@pytest.mark.parametrize("said", [1, "1", 1.0, "1.0", "+1", True, "true", "yes", "YES", "Yes.", "answered", "Answered"])
def test_a_verdict_that_says_yes_is_read_in_whatever_type_or_case_it_comes(said: Any) -> None:
    assert verdict(said) == "answered"


@pytest.mark.parametrize(
    "said", [-1, "-1", -1.0, "-1.0", "0.0", 0, "0", False, "False", "no", "NO", "not in passage", "Not-In-Passage"]
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


@pytest.mark.parametrize("said", [4, "4", 4.0, "4.0", " 4. ", "+4", "**4**"])
def test_a_score_is_read_in_whatever_type_it_comes(said: Any) -> None:
    assert Criticism(reason="x", score=said).score == 4
    grades = dict.fromkeys(("clarity", "depth", "structure", "relevance"), "3")
    assert ChunkScores.model_validate({"reason": "x", **grades}).depth == 3


@pytest.mark.parametrize("said", [True, False, "true", None, 0, 6, "6", "-4", 4.5, "4.5", "4 of 10", "four", "", "⁴"])
def test_what_is_no_score_is_an_error(said: Any) -> None:
    with pytest.raises(ValidationError):
        Criticism(reason="x", score=said)


@pytest.mark.parametrize(
    ("said", "read"),
    [("Full", "full"), ("PART.", "part"), ('"differs"', "differs"), ("None", "none"), ("`full`", "full")],
)
def test_a_word_is_read_in_whatever_case_it_comes(said: Any, read: str) -> None:
    assert Support(passage=1, reason="x", verdict=said, quotes=()).verdict == read


@pytest.mark.parametrize("said", [None, 1, True, "fully", "", "full or part"])
def test_a_word_that_is_none_of_them_is_an_error_and_null_is_not_none(said: Any) -> None:
    with pytest.raises(ValidationError):
        Support(passage=1, reason="x", verdict=said, quotes=())


def test_the_plural_of_a_verdict_is_the_verdict() -> None:
    assert verdict("not_in_passages") == "not_in_passage"
    assert verdict("Not in passages.") == "not_in_passage"
    assert (
        ContextAnswer.model_validate({"reason": "x", "verdict": "not_in_passage", "answer": None, "quotes": []}).verdict
        == "not_in_passages"
    )


def test_null_is_an_empty_list_and_nothing_else_is() -> None:
    nothing = {"reason": "x", "verdict": "not_in_passage", "answer": None, "quotes": None}
    assert GroundedAnswer.model_validate(nothing).quotes == ()
    assert KeyphraseDraft.model_validate({"reason": "x", "query": None, "keyphrases": None}).keyphrases == ()
    assert Supports.model_validate_json('{"reason": "x", "passages": null}').passages == ()
    assert NearMiss.model_validate({"reason": "x", "query": None, "missing": None}).missing == ""
    with pytest.raises(ValidationError):
        QuerySplit.model_validate({"reason": "x", "parts": None})
    with pytest.raises(ValidationError):
        GroundedAnswer.model_validate({**nothing, "reason": None})


def test_what_is_read_forgivingly_is_asked_for_strictly() -> None:
    scored, graded = Criticism.model_json_schema(), ChunkScores.model_json_schema()
    assert scored["properties"]["score"] == {"enum": [1, 2, 3, 4, 5], "title": "Score", "type": "integer"}
    assert graded["properties"]["depth"]["enum"] == [1, 2, 3]
    support = Support.model_json_schema()["properties"]
    assert support["verdict"]["enum"] == ["full", "part", "differs", "none"]
    assert support["quotes"]["type"] == "array"
    assert NearMiss.model_json_schema()["properties"]["missing"]["type"] == "string"
