"""The language of a prompt: which texts are translated, what a translation must keep, and in what it is answered."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from ragset.llm.prompts.template import Prompt
from ragset.settings.languages import language_name
from ragset.text.languages import guess_language

TextPath = tuple[str | int, ...]  # keys and places that lead to a text: `("examples", 0, "reply", "query")`

_OPTION = re.compile(r"[a-z][a-z0-9_]*")
_LETTER = re.compile(r"[^\W\d_]")
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>{}]*>")
_CODE = re.compile(r"`[^`]+`")
_FIXED = re.compile(r"(?<![\w-])(?:null|JSON|true|false)(?![\w-])")


def wording(prompt: Prompt) -> dict[TextPath, str]:
    """The texts of a prompt that are to be translated, by their path, without values known by name (`answered`).

    Of an example in another language than the prompt's, which shows that queries follow their passage, only the reasons.
    """
    fixed = options(prompt)
    found: dict[TextPath, str] = {("purpose",): prompt.purpose}
    for number, example in enumerate(prompt.model_dump(mode="json")["examples"]):
        spoken = guess_language(" ".join(text for _, text in _texts(example["inputs"])))
        found |= {
            path: text
            for path, text in _texts(example, ("examples", number))
            if text not in fixed and (spoken in (None, prompt.language) or path[-1] == "reason")
        }
    found[("system",)] = prompt.system
    if _LETTER.search(_TAG.sub("", _PLACEHOLDER.sub("", prompt.user))):
        found[("user",)] = prompt.user
    return {path: text for path, text in found.items() if _LETTER.search(text)}


def options(prompt: Prompt) -> tuple[str, ...]:
    """Words that are never translated: names of fields, and of values that are chosen from; sorted."""
    given = {text for example in prompt.examples for _, text in _texts(example.model_dump(mode="json")["inputs"])}
    said = prompt.system + prompt.user
    explained = {text for text in given if _OPTION.fullmatch(text) and re.search(rf"\b{text}\b", said)}
    schema = prompt.reply_type.model_json_schema()
    return tuple(sorted(explained | field_names(schema) | _choices(schema)))


def with_texts(prompt: Prompt, texts: Mapping[TextPath, str]) -> dict[str, Any]:
    """The fields of the prompt with `texts` in their places."""
    fields = prompt.model_dump(mode="json")
    for path, text in texts.items():
        holder: Any = fields
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = text
    return fields


def faults(prompt: Prompt, texts: Mapping[TextPath, str], language: str) -> list[tuple[TextPath, str]]:
    """What is wrong with the texts of `wording(prompt)` in another language, and where; [] when all is well."""
    originals, fixed = wording(prompt), options(prompt)
    found: list[tuple[TextPath, str]] = []
    for path, original in originals.items():
        text = texts.get(path, "")
        if not text.strip():
            found.append((path, "is missing"))
            continue
        found += [(path, said) for said in _changed(original, text, fixed)]
        if path == ("system",) and language != prompt.language and guess_language(text) == prompt.language:
            found.append((path, f"is still in {language_name(prompt.language)}"))
    if found:
        return found
    before = _quotes(prompt, originals)
    for path, to_the_letter in _quotes(prompt, texts).items():
        if before[path] and not to_the_letter:
            found.append((path, "is a quote: it must stand in the translated passage to the letter"))
        elif to_the_letter and not before[path]:
            found.append((path, "is a wrong quote on purpose: the translated passage must not hold it to the letter"))
    return found


def written_in(prompt: Prompt, language: str) -> Prompt:
    """The prompt with an order to write queries and answers in that language, or as it is where it writes neither."""
    fields = field_names(prompt.reply_type.model_json_schema())
    written = [name for name in ("query", "answer") if name in fields]
    if not written:
        return prompt
    order = (
        "Whatever language the passages, the examples and these instructions are in, and whatever was said of it above: "
        f"write {' and '.join(f'`{field}`' for field in written)} in {language_name(language)}, "
        "in words that a native speaker would use; names stay as people who speak it know them."
    )
    if "quotes" in fields:
        order += " Quotes are not translated: they are copied from the passage in its own language."
    return prompt.model_copy(update={"system": f"{prompt.system}\n\n{order}", "ordered": language})


def _quotes(prompt: Prompt, texts: Mapping[TextPath, str]) -> dict[TextPath, bool]:
    """The quotes among the texts, each with whether the passages of its example hold it to the letter."""
    examples = with_texts(prompt, texts)["examples"]
    return {
        path: any(text in passage for _, passage in _texts(examples[path[1]]["inputs"]))
        for path, text in texts.items()
        if path[0] == "examples" and {"quote", "quotes"} & set(path)
    }


def _changed(original: str, text: str, fixed: Iterable[str]) -> list[str]:
    found: list[str] = []
    if _blocks(original) != _blocks(text):
        found.append(f"must keep the placeholders {', '.join(_blocks(original)) or '(it has none)'} in their order")
    for what, pattern in (("tags", _TAG), ("code", _CODE)):
        if (kept := _all(pattern, original)) != _all(pattern, text):
            found.append(f"must keep the {what} {', '.join(kept.elements()) or '(it has none)'}")
    named = {*_FIXED.findall(original)}
    named |= {w for w in fixed if "_" in w or re.search(rf"[\"“]{w}[\"”]|^{w}:", original, re.MULTILINE)}
    lost = [word for word in sorted(named) if _has(word, original) > _has(word, text)]
    if lost:
        found.append(f"must keep {', '.join(lost)} untranslated")
    return found


def _blocks(text: str) -> list[str]:
    """Statements and expressions of the template without spaces; sorted if there are expressions alone."""
    found = ["".join(block.split()) for block in _PLACEHOLDER.findall(text)]
    return found if any(block.startswith("{%") for block in found) else sorted(found)


def _all(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(" ".join(one.split()) for one in pattern.findall(text))


def _has(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def _texts(value: Any, path: TextPath = ()) -> Iterator[tuple[TextPath, str]]:
    if isinstance(value, str):
        yield path, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _texts(inner, (*path, key))


def field_names(schema: Any) -> set[str]:
    """Names of all fields in a JSON schema, of inner models too."""
    return {str(name) for path, _ in _texts(schema) for key, name in pairwise(path) if key == "properties"}


def _choices(schema: Any) -> set[str]:
    """The values in a JSON schema that are chosen from."""
    return {text for path, text in _texts(schema) if path[-1] == "const" or path[-2:-1] == ("enum",)}
