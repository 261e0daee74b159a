"""Prompts as each peer words them, cut short."""

import json
from typing import Any
from urllib.request import Request, urlopen

from benchmarks.peers.server import GARBLED, reply
from tests.fake_openai import fake_openai

TEXT = (
    "Huygens built the first pendulum clock in 1656 and lost money on it. The Shortt clock of Edinburgh kept time within a "
    "second a year for decades."
)
STRING = {"type": "string"}


def ragas(schema: dict[str, Any], given: dict[str, Any]) -> str:
    told = "Please return the output in a JSON format that complies with the following schema as specified in JSON Schema:\n"
    shown = 'Do not use single quotes.\n--------EXAMPLES-----------\nInput: {"text": "None"}\nOutput: {}\n'
    asked = f"Now perform the same with the following input\ninput: {json.dumps(given, indent=4)}\nOutput: "
    return f"Do it.\n{told}{json.dumps(schema)}{shown}-----------------------------\n\n{asked}"


def body(*texts: str, **more: Any) -> dict[str, Any]:
    return {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": text} for text in texts], **more}


def answered(*texts: str, **more: Any) -> Any:
    return json.loads(reply(body(*texts, **more))[1])


def fields(*names: str, **kinds: Any) -> dict[str, Any]:
    return {"title": "Reply", "type": "object", "properties": {**dict.fromkeys(names, STRING), **kinds}}


def test_ragas_gets_headlines_and_entities_that_are_in_its_text() -> None:
    words = {"type": "array", "items": STRING}
    found = answered(ragas(fields(headlines=words, entities=words), {"text": TEXT, "max_num": 5}))
    assert found["headlines"] == [TEXT[:30]]
    assert found["entities"] == ["Huygens", "Shortt", "Edinburgh"]


def test_ragas_gets_its_own_themes_for_each_of_its_personas() -> None:
    given = {"themes": ["time", "tides"], "personas": [{"name": "Ann", "role_description": "Rows."}]}
    assert answered(ragas(fields(mapping={"type": "object"}), given)) == {"mapping": {"Ann": ["time", "tides"]}}


def test_ragas_gets_concepts_of_two_lists_and_no_more_pairs_than_it_wants() -> None:
    given = {"lists_of_concepts": [["time"], ["tides", "ships"]], "max_combinations": 1}
    assert answered(ragas(fields(combinations={"type": "array"}), given)) == {"combinations": [["time", "tides"]]}


def test_a_malformed_reply_that_ragas_hands_over_is_answered_as_its_own_prompt_is() -> None:
    first = ragas(fields("query", "answer"), {"context": TEXT})
    mended = answered(ragas(fields("text"), {"output_string": "Of course! {", "prompt_value": first}))
    assert json.loads(mended["text"]) == answered(first)


def test_deepeval_gets_as_many_inputs_as_it_wants_by_the_schema_of_the_request() -> None:
    inputs = {"type": "array", "items": {"$ref": "#/$defs/Input"}}
    schema = {**fields(data=inputs), "$defs": {"Input": fields("input")}}
    asked = {"response_format": {"type": "json_schema", "json_schema": {"name": "Inputs", "schema": schema}}}
    data = answered(f"You MUST TRY to generate 3 data points.\nContext:\n{TEXT}\nJSON:", **asked)["data"]
    assert len({one["input"] for one in data}) == 3


def test_deepevals_evolved_input_is_a_question_in_plain_words() -> None:
    assert reply(body(f"Rewrite it.\nContext:\n{TEXT}\nInput:\nWho?\nRewritten Input:   "))[1].endswith("?")


def test_llamaindex_gets_as_many_numbered_questions_as_it_wants_and_an_answer_from_its_passage() -> None:
    told = f"Context information is below.\n---------------------\n{TEXT}\n---------------------\nGiven the context information"
    name, lines = reply(body(f"{told} generate only questions based on the query. Your task is to setup 2 questions."))
    assert name == "text"
    assert [line[:18] for line in lines.splitlines()] == ["1. What is known o", "2. What is known o"]
    assert reply(body(f"{told} answer the query.\nQuery: Who?\nAnswer: "))[1].rstrip() in TEXT


def test_giskard_gets_the_keys_that_its_instructions_name_once_or_in_a_list_of_two() -> None:
    told = "You must output {} with keys 'question' and 'answer'."
    assert set(answered(told.format("a single JSON object"), TEXT)) == {"question", "answer"}
    assert [set(one) for one in answered(told.format("a list of exactly two JSON objects"), TEXT)] == [
        {"question", "answer"},
        {"question", "answer"},
    ]
    assert set(answered("Your output should be a JSON object, with the key 'question'.", TEXT)) == {"question"}


def test_giskard_gets_the_keys_again_of_the_malformed_reply_that_it_hands_over() -> None:
    garbled = f'{GARBLED} {{"introduction": "I row.", "question": "Is it far?" and so on'
    told = "Fix the following text so it contains a single valid JSON object."
    assert set(answered(told, garbled)) == {"introduction", "question"}


def test_autorag_gets_a_question_and_then_an_answer_in_plain_words() -> None:
    assert reply(body("You're an AI.", f"Text:\n1. {TEXT}\n\nGenerated Question from the Text:\n"))[1].endswith("?")
    asked = f"Text:\n<|text_start|>\n{TEXT}\n<|text_end|>\n\nQuestion:\nWho?\n\nAnswer:"
    assert reply(body("Answer.", asked))[1] in TEXT


def test_other_prompts_get_other_questions() -> None:
    one, other = (answered("with keys 'question' and 'answer'.", text)["question"] for text in (TEXT, f"{TEXT} More."))
    assert one != other


def test_a_value_is_found_for_each_type_that_a_schema_may_name() -> None:
    kinds: dict[str, Any] = {
        "score": {"type": "integer"},
        "clarity": {"type": "number"},
        "fine": {"type": "boolean"},
        "choice": {"enum": ["Refusal", "No"]},
        "files": {"anyOf": [{"type": "array", "items": STRING}, {"type": "null"}]},
    }
    found = answered(ragas(fields(**kinds), {"text": TEXT}))
    assert {name: found[name] for name in ("score", "clarity", "fine", "choice")} == {
        "score": 5,
        "clarity": 1.0,
        "fine": True,
        "choice": "Refusal",
    }
    assert isinstance(found["files"], list)


def test_over_http_the_server_reads_messages_in_parts_garbles_and_knows_ragset() -> None:
    draft = {"type": "json_schema", "json_schema": {"name": "QueryDraft", "schema": fields("query", "reason")}}
    parts = [{"role": "user", "content": [{"type": "text", "text": TEXT}]}]

    def said(sent: dict[str, Any]) -> str:
        request = Request(f"{fake.url}/chat/completions", json.dumps(sent).encode())
        with urlopen(request, timeout=30) as response:
            return json.load(response)["choices"][0]["message"]["content"]

    with fake_openai(program="benchmarks.peers.server") as fake:
        assert said({"model": "gpt-4o", "messages": parts}) in TEXT
        assert fake.log()[-1]["prompt_tokens"] == len(TEXT) // 4
        own = {**body(f"<chunk>\n{TEXT}\n</chunk>", response_format=draft), "model": "fake"}
        assert json.loads(said(own))["reason"] == "It states facts."
        fake.set(malformed=1.0)
        assert said(body(TEXT)).startswith(GARBLED)
