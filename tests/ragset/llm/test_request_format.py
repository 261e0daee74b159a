import json
from typing import Any

from pydantic import Field

from ragset.llm import replies
from ragset.llm.replies import Critique, KeyphraseDraft, Reply
from ragset.llm.request_format import schema_text, strict_schema

ALL = [
    kind for kind in vars(replies).values() if isinstance(kind, type) and issubclass(kind, Reply) and kind is not Reply
]


def nodes(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [node for item in schema for node in nodes(item)]
    if isinstance(schema, dict):
        return [schema, *(node for value in schema.values() for node in nodes(value))]
    return []


def test_every_object_is_closed_and_has_all_fields_required() -> None:
    for kind in ALL:
        objects = [node for node in nodes(strict_schema(kind)) if node.get("type") == "object"]
        assert objects
        for node in objects:
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])


def test_words_that_strict_servers_refuse_are_left_out() -> None:
    assert "maxItems" in json.dumps(KeyphraseDraft.model_json_schema())
    assert "maxItems" not in schema_text(KeyphraseDraft)
    assert '"title"' not in schema_text(Critique)


def test_fields_keep_their_order_with_the_reason_first() -> None:
    assert list(strict_schema(KeyphraseDraft)["properties"]) == ["reason", "keyphrases", "query", "answer", "quotes"]


def test_fields_named_like_a_word_of_the_schema_stay() -> None:
    class Book(Reply):
        title: str = Field(default="untitled")
        properties: str

    schema = strict_schema(Book)
    assert list(schema["properties"]) == schema["required"] == ["title", "properties"]


def test_text_is_the_same_in_every_process() -> None:
    text = schema_text(replies.QueryDraft)
    assert text == json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False)
