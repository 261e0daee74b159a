"""Which texts of a prompt are translated; all the rest of it stays as it is."""

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from pydantic import ValidationError

from ragset.llm.prompts.template import Prompt
from ragset.text.languages import guess_language

Path = tuple[str | int, ...]
"""Keys and places that lead to a text: `("examples", 0, "reply", "query")`."""

_OPTION = re.compile(r"[a-z][a-z0-9_]*")
_QUOTED = ("quote", "quotes")
_LETTER = re.compile(r"[^\W\d_]")
_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<[^<>]*>", re.DOTALL)
"""Placeholders and tags."""


def wording(prompt: Prompt) -> dict[Path, str]:
    """The texts of a prompt that are to be translated, by where they stand.

    Not among them: keys, and values that the reply model or the instructions know by name (`answered`, `comparison`).
    Of an example in another language than the prompt's, which shows that queries follow their passage, the reasons
    alone are.
    """
    fields = prompt.model_dump(mode="json")
    found: dict[Path, str] = {("purpose",): prompt.purpose}
    for number, example in enumerate(fields["examples"]):
        place = ("examples", number)
        inputs = dict(_texts(example["inputs"], (*place, "inputs")))
        spoken = guess_language(" ".join(inputs.values())) or prompt.language
        texts = {path: text for path, text in inputs.items() if not _is_option(text, prompt)}
        texts |= _free(prompt, example["reply"], {}, (*place, "reply"))
        for count, avoid in enumerate(example["avoid"]):
            texts |= _free(prompt, avoid, example["reply"], (*place, "avoid", count))
        found |= {path: text for path, text in texts.items() if spoken == prompt.language or path[-1] == "reason"}
    found[("system",)] = prompt.system
    if _LETTER.search(_TEMPLATE.sub("", prompt.user)):
        found[("user",)] = prompt.user
    return {path: text for path, text in found.items() if _LETTER.search(text)}


def options(prompt: Prompt) -> tuple[str, ...]:
    """Words that stay as they are wherever they stand: names of fields, and of values that are chosen from; sorted."""
    fields = prompt.model_dump(mode="json")
    schema = prompt.reply_type.model_json_schema()
    given = {text for example in fields["examples"] for _, text in _texts(example["inputs"], ())}
    return tuple(sorted(_known(schema) | {text for text in given if _is_option(text, prompt)}))


def with_texts(prompt: Prompt, texts: Mapping[Path, str]) -> dict[str, Any]:
    """The fields of the prompt with those texts in their places."""
    fields = prompt.model_dump(mode="json")
    for path, text in texts.items():
        _put(fields, path, text)
    return fields


def quotes(prompt: Prompt, texts: Mapping[Path, str]) -> Iterator[tuple[Path, bool]]:
    """Where quotes stand, each with whether the passages of its example hold it to the letter."""
    fields = with_texts(prompt, texts)
    for path, text in texts.items():
        if any(key in _QUOTED for key in path) and path[0] == "examples":
            inputs = _texts(fields["examples"][path[1]]["inputs"], ())
            yield path, any(text in passage for _, passage in inputs)


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _texts(inner, (*path, place))


def _put(fields: Any, path: Path, text: str) -> None:
    for key in path[:-1]:
        fields = fields[key]
    fields[path[-1]] = text


def _free(prompt: Prompt, fields: dict[str, Any], rest: Mapping[str, Any], path: Path) -> dict[Path, str]:
    """The texts of a reply that its model takes as they come; `rest` is what a bad reply shares with the good one."""
    found: dict[Path, str] = {}
    for place, text in _texts(fields, ()):
        changed = deepcopy({**rest, **fields})
        _put(changed, place, "any other text")
        # A bad reply gives a reason, also where replies have none.
        if rest and "reason" not in prompt.reply_type.model_fields:
            changed.pop("reason", None)
        try:
            prompt.reply_type.model_validate(changed)
        except ValidationError:
            continue
        found[(*path, *place)] = text
    return found


def _is_option(text: str, prompt: Prompt) -> bool:
    """Whether an input is a name that the instructions explain, rather than a text."""
    return bool(_OPTION.fullmatch(text)) and bool(re.search(rf"\b{text}\b", prompt.system + prompt.user))


def _known(schema: Any) -> set[str]:
    """Names of fields with more than one word, and all values that are chosen from."""
    if isinstance(schema, list):
        return set().union(*(_known(value) for value in schema))
    if not isinstance(schema, dict):
        return set()
    names = set(schema.get("properties", {})) | {value for value in schema.get("enum", ()) if isinstance(value, str)}
    names |= {schema["const"]} if isinstance(schema.get("const"), str) else set[str]()
    return names.union(*(_known(value) for value in schema.values()))
