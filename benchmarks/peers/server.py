"""The fake OpenAI server, with replies that fit what each peer asks for.

A peer says what it wants by a schema in `response_format`, by a JSON schema or the names of keys in its prompt, or in plain
words. Each field is filled by its name or else by its type, out of sentences and names of the prompt, and the same prompt gets
the same reply. ragset is the model `fake`, which the server of the tests answers.
"""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from aiohttp import web

from tests.fake_openai import Server, main
from tests.fake_replies import Luck, Options, chat, completion

GARBLED = "Of course!"
"""What a malformed reply begins with."""

_SENTENCE = re.compile(r"[A-Z][^.!?\n\"{}<>]{40,200}[.!?]")
_NAME = re.compile(r"\b[A-Z][a-z]{4,}\b")
_KEYS = re.compile(r"keys? ('\w+'(?:(?:,| and)+ '\w+')*)")
_MANY = re.compile(r"(?:generate|setup) (?:a list of )?(\d+)")

Json = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """What a request says."""

    told: str
    """All before the last message."""
    case: str
    """The last message."""

    @classmethod
    def read(cls, body: Json) -> "Asked":
        """The texts of a request's messages."""
        texts = [message["content"] for message in body["messages"]]
        return cls("\n".join(texts[:-1]), texts[-1])

    @cached_property
    def input(self) -> Json:
        """The JSON object that Ragas hands over behind its instructions; empty where there is none."""
        _, found, rest = self.case.rpartition("\ninput: ")
        return json.JSONDecoder().raw_decode(rest)[0] if found else {}

    @cached_property
    def source(self) -> str:
        """The text that is asked about, without the instructions where they can be told apart."""
        if texts := [str(self.input[name]) for name in ("text", "node_content", "context") if name in self.input]:
            return "\n".join(texts)
        if self.case.startswith("Context information is below."):
            return self.case.split("-" * 21)[1]
        behind = re.split(r"<documents>|Context:|Text:|text_start\|>|<context>", self.case)[-1]
        return behind if _SENTENCE.search(behind) else self.case

    @cached_property
    def sentences(self) -> list[str]:
        """At least one."""
        return _SENTENCE.findall(self.source) or [self.source.strip()[:200] or "Nothing is said."]

    @cached_property
    def names(self) -> list[str]:
        """Words with a capital letter, one to ten."""
        return list(dict.fromkeys(_NAME.findall(self.source)))[:10] or ["Nothing"]

    def question(self, number: int = 0) -> str:
        """One that no other prompt gets."""
        mark = hashlib.blake2b(f"{number} {self.told} {self.case}".encode(), digest_size=4).hexdigest()
        return f"What is known of {self.names[number % len(self.names)]} ({mark})?"

    def sentence(self) -> str:
        """One that the prompt determines."""
        place = int(hashlib.blake2b(self.case.encode(), digest_size=4).hexdigest(), 16)
        return self.sentences[place % len(self.sentences)]

    def many(self, usual: int) -> int:
        """How many questions are asked for."""
        return int(found[1]) if (found := _MANY.search(self.case)) else usual


def reply(body: Json) -> tuple[str, str]:
    """A name for what was asked, and the text that answers it."""
    asked = Asked.read(body)
    if "prompt_value" in asked.input:  # Ragas hands over a malformed reply and the prompt that it answers
        return "mended", json.dumps({"text": reply({"messages": [{"content": asked.input["prompt_value"]}]})[1]})
    schema = wanted_schema(body, asked)
    if schema is None:
        return "text", _plain(asked)
    return str(schema.get("title", "object")), json.dumps(fill(schema, asked, schema), ensure_ascii=False)


def wanted_schema(body: Json, asked: Asked) -> Json | None:
    """Of the reply; None where it is to be plain text."""
    if described := (body.get("response_format") or {}).get("json_schema"):
        return described["schema"]
    _, found, rest = asked.case.partition("JSON Schema:\n")
    if found:
        return json.JSONDecoder().raw_decode(rest)[0]
    if "situational description, nothing else" in asked.told:
        return None
    if found := _KEYS.search(asked.told):
        one = _strings("keys", re.findall(r"'(\w+)'", found[1]))
        two = "exactly two JSON objects" in asked.told
        return {"title": "two", "type": "array", "items": one, "minItems": 2} if two else one
    if "single valid JSON object" in asked.told:  # Giskard hands over a malformed reply
        return _strings("mended", re.findall(r'"(\w+)":', asked.case))
    return None


def _strings(title: str, names: list[str]) -> Json:
    return {"title": title, "properties": {name: {"type": "string"} for name in names}}


def _plain(asked: Asked) -> str:
    if "The topic is:" in asked.case:
        return f'"{asked.names[0]}"'
    if "generate only questions" in asked.case:
        return "\n".join(f"{number + 1}. {asked.question(number)}" for number in range(asked.many(3)))
    if asked.case.rstrip().endswith(("Rewritten Input:", "from the Text:")):
        return asked.question()
    return asked.sentence()


def _mapping(asked: Asked) -> dict[str, list[str]]:
    return {persona["name"]: asked.input["themes"] for persona in asked.input["personas"]}


def _combinations(asked: Asked) -> list[list[str]]:
    lists = [concepts for concepts in asked.input["lists_of_concepts"] if concepts]
    pairs = [[one, other] for one in lists[0] for others in lists[1:] for other in others] or [lists[0][:2]]
    return pairs[: asked.input["max_combinations"]]


_FIELDS: dict[str, Callable[[Asked], Any]] = {
    "query": Asked.question,
    "question": Asked.question,
    "input": Asked.question,
    "rewritten_input": Asked.question,
    "name": lambda asked: f"Reader of {asked.names[0]} {asked.question()[-10:-2]}",
    "headlines": lambda asked: [sentence[:30] for sentence in asked.sentences[::4]][:5],
    "entities": lambda asked: asked.names,
    "output": lambda asked: asked.names,  # the themes of a text
    "mapping": _mapping,
    "combinations": _combinations,
    "data": lambda asked: [{"input": asked.question(number)} for number in range(asked.many(2))],
}
"""What a field of that name gets, whatever its type."""


def fill(schema: Json, asked: Asked, whole: Json, name: str = "") -> Any:
    """A value that fits `schema`, a part of `whole`."""
    if name in _FIELDS:
        return _FIELDS[name](asked)
    if "$ref" in schema:
        return fill(whole["$defs"][schema["$ref"].rpartition("/")[2]], asked, whole)
    if "anyOf" in schema:
        return fill(schema["anyOf"][0], asked, whole)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type", "object"):
        case "object":
            return {field: fill(kind, asked, whole, field) for field, kind in schema.get("properties", {}).items()}
        case "array":
            return [fill(schema["items"], asked, whole) for _ in range(schema.get("minItems", 1))]
        case "integer":
            return 5
        case "number":
            return 1.0
        case "boolean":
            return True
        case "null":
            return None
        case _:
            return asked.sentence()


def answer(body: Json, options: Options, luck: Luck, entry: Json) -> Json:
    """A chat completion."""
    if body["model"] == "fake":
        return chat(body, options, luck, entry)
    body = {**body, "messages": [{**message, "content": _text(message["content"])} for message in body["messages"]]}
    return completion(body, *reply(body), options, luck, entry)


def _text(content: Any) -> str:
    """Of a message, which may come in parts."""
    return "".join(part.get("text", "") for part in content) if isinstance(content, list) else content or ""


class PeerServer(Server):
    """The server of the tests with these replies."""

    async def chat(self, request: web.Request) -> web.Response:  # noqa: D102
        return await self._answer(request, answer)


if __name__ == "__main__":
    main(PeerServer)
