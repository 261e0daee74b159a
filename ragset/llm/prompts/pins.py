"""`pins.yaml`, which holds the digest of every version of every prompt, and the check of a folder of prompts."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ragset.errors import InputError, PromptError
from ragset.llm.prompts.files import (
    builtin_folder,
    check_override,
    load_prompt,
    prompt_files,
    read_prompt,
    read_prompts,
)
from ragset.llm.prompts.template import Prompt
from ragset.settings.whole_file import replace_text
from ragset.settings.yaml_text import read_yaml_file

PINS = "pins.yaml"


def read_pins(folder: Path | None = None) -> dict[str, str]:
    """Digests by `name@version` (`name.de@version`); {} where nothing is pinned yet. Raises PromptError for a bad file."""
    path = (folder or builtin_folder()) / PINS
    try:
        pins = (read_yaml_file(path) or {}) if path.is_file() else {}
    except InputError as error:
        raise PromptError(str(error)) from None
    if not isinstance(pins, dict):
        raise PromptError(f"{path}: must map name@version to a digest")
    for key, digest in pins.items():
        if not re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z]{2})?@[1-9]\d*", str(key)):
            raise PromptError(f"{path}: {key} is no name@version")
        if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{12}", digest):
            raise PromptError(f"{path}: {key}: must be 12 hexadecimal digits in quotation marks")
    return pins


def write_pins(folder: Path | None = None, digests: Mapping[str, str] | None = None) -> dict[str, str]:
    """Pin the prompts of `folder`, or the built-in ones, as they are, or other texts by their digests; earlier pins stay.

    Raises PromptError if a text has changed under a version that is pinned already, or a file breaks a rule.
    """
    place = folder or builtin_folder()
    digests = _digests(read_prompts(place)) if digests is None else digests
    pins = read_pins(place)
    if moved := check_pins(digests, pins, place / PINS):
        raise PromptError("; ".join(moved))
    pins = dict(sorted({**pins, **digests}.items()))
    # Quoted, because a digest of digits alone would be read back as a number.
    lines = "".join(f'{key}: "{digest}"\n' for key, digest in pins.items())
    header = "# name@version of each prompt, with the digest of what a model sees.\n"
    replace_text(place / PINS, header + lines)
    return pins


def check_prompts(folder: Path | None = None) -> list[str]:
    """A line for each problem with the prompt files of `folder`, or with the built-in ones; [] when all is well.

    Variants of an older text are problems, and so are prompts that a `pins.yaml` in the folder does not match.
    """
    place = folder or builtin_folder()
    if not place.is_dir():
        return [f"{place}: no such folder"]
    problems: list[str] = []
    prompts: list[Prompt] = []
    for path, named in prompt_files(place):
        if named is None:
            problems.append(f"{path}: a prompt file is named NAME.md, or NAME.de.md in another language")
            continue
        try:
            prompt = read_prompt(path)
            check_override(prompt, path)
            prompts.append(prompt)
        except PromptError as error:
            problems.append(str(error))
    problems += _outdated(prompts, place, folder)
    if (place / PINS).is_file():
        try:
            pins = read_pins(place)
        except PromptError as error:
            return [*problems, str(error)]
        problems += [f"{place / PINS}: {one.key} is not pinned yet" for one in prompts if one.key not in pins]
        problems += check_pins(_digests(prompts), pins, place / PINS)
    return problems


def overrides(folder: Path | None) -> list[str]:
    """A line for each prompt file of a user's folder; [] without a folder of one's own."""
    if folder is None or not folder.is_dir() or folder.resolve() == builtin_folder().resolve():
        return []
    pins, lines = read_pins(folder), list[str]()
    for prompt, path in ((read_prompt(path), path) for path, named in prompt_files(folder) if named):
        place = (
            "replaces the built-in prompt" if (builtin_folder() / path.name).is_file() else "is a prompt of your own"
        )
        pinned = "as it is pinned" if pins.get(prompt.key) == prompt.digest else "not pinned"
        lines.append(f"{path} {place}: {prompt.key}, {pinned}")
    return lines


def check_pins(digests: Mapping[str, str], pins: Mapping[str, str], path: Path) -> list[str]:
    """A line for each text that is not as it was pinned, by `name@version`; `path` is the file to name."""
    return [
        f"{path}: {key} has changed since it was pinned; raise `version` in its file "
        "(or take its line out of the pins, if nothing was made with it yet)"
        for key, digest in digests.items()
        if pins.get(key, digest) != digest
    ]


def _digests(prompts: Sequence[Prompt]) -> dict[str, str]:
    return {prompt.key: prompt.digest for prompt in prompts}


def _outdated(prompts: Sequence[Prompt], folder: Path, users: Path | None) -> list[str]:
    found: list[str] = []
    for prompt in prompts:
        if prompt.translated_from is None:
            continue
        try:
            original = load_prompt(prompt.name, folder=users)
        except PromptError:
            continue
        if original.id != prompt.translated_from:
            found.append(
                f"{folder / f'{prompt.name}.{prompt.language}.md'}: translated_from: is {prompt.translated_from}, and the "
                f"original is now {original.id}; translate it again with --force, or correct it and set the field"
            )
    return found
