"""What a translation has done to the form of a prompt, which it must leave alone."""

import re
from collections import Counter
from collections.abc import Mapping

from ragset.llm.prompts.template import Prompt
from ragset.llm.prompts.translatable import Path, options, quotes, wording
from ragset.text.languages import guess_language, language_name

_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>{}]*>")
_CODE = re.compile(r"`[^`]+`")
_ITEM = re.compile(r"^\s*(?:[-*]|\d+[.)])\s", re.MULTILINE)
_FIXED = re.compile(r"(?<![\w-])(?:null|JSON|true|false)(?![\w-])")
_SPACE = re.compile(r"\s+")


def faults(prompt: Prompt, texts: Mapping[Path, str], language: str) -> list[tuple[Path, str]]:
    """What is wrong with the texts of `wording(prompt)` in another language, and where; [] when all is well."""
    found: list[tuple[Path, str]] = []
    originals = wording(prompt)
    for path, original in originals.items():
        text = texts.get(path, "")
        if not text.strip():
            found.append((path, "is missing"))
            continue
        found += [(path, said) for said in _changed(original, text, prompt)]
        if path == ("system",) and language != prompt.language and guess_language(text) == prompt.language:
            found.append((path, f"is still in {language_name(prompt.language)}"))
    if found:
        return found
    before = dict(quotes(prompt, originals))
    for path, to_the_letter in quotes(prompt, texts):
        if before[path] and not to_the_letter:
            found.append((path, "is a quote: it must stand in the translated passage to the letter"))
        elif to_the_letter and not before[path]:
            found.append((path, "is a wrong quote on purpose: the translated passage must not hold it to the letter"))
    return found


def _changed(original: str, text: str, prompt: Prompt) -> list[str]:
    """What of one text stands otherwise in its translation."""
    found: list[str] = []
    if _blocks(original) != _blocks(text):
        found.append(f"must keep the placeholders {_listed(_blocks(original)) or '(it has none)'} in their order")
    for what, pattern in (("tags", _TAG), ("code", _CODE)):
        if _all(pattern, original) != _all(pattern, text):
            found.append(f"must keep the {what} {_listed(_all(pattern, original)) or '(it has none)'}")
    words = {
        word
        for word in options(prompt)
        if "_" in word or re.search(rf"[\"“]{word}[\"”]|^{word}:", original, re.MULTILINE)
    }
    kept = {word for word in words | set(_FIXED.findall(original)) if _has(word, original)}
    lost = sorted(word for word in kept if not _has(word, text))
    if lost:
        found.append(f"must keep {_listed(lost)} untranslated")
    if len(_ITEM.findall(original)) != len(_ITEM.findall(text)):
        found.append(f"must have {len(_ITEM.findall(original))} list items, each on a line of its own")
    return found


def _blocks(text: str) -> list[str]:
    """Statements and expressions of the template in their order, whatever their spaces.

    Expressions outside loops and conditions may change places, since word order is a language's own.
    """
    found = [_SPACE.sub("", block) for block in _PLACEHOLDER.findall(text)]
    return found if any(block.startswith("{%") for block in found) else sorted(found)


def _all(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(_SPACE.sub(" ", one) for one in pattern.findall(text))


def _has(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def _listed(names: Counter[str] | list[str]) -> str:
    return ", ".join(names.elements() if isinstance(names, Counter) else names)
