"""`pins.yaml`: the digest of every version of every prompt, so that no text moves without a version."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ragset.errors import InputError, PromptError
from ragset.llm.prompts.files import builtin_folder, read_prompts
from ragset.llm.prompts.template import Prompt
from ragset.settings.yaml_text import read_yaml

PINS = "pins.yaml"

_HEADER = "# name@version of each prompt, with the digest of what a model sees.\n"


def read_pins(folder: Path | None = None) -> dict[str, str]:
    """Digests by `name@version` (`name.de@version` in another language); {} where nothing is pinned yet.

    Raises:
        PromptError: the file is not of this form.
    """
    path = (folder or builtin_folder()) / PINS
    if not path.is_file():
        return {}
    try:
        pins = read_yaml(path.read_text(encoding="utf-8"), path) or {}
    except UnicodeDecodeError:
        raise PromptError(f"{path}: is not UTF-8") from None
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


def write_pins(folder: Path | None = None) -> dict[str, str]:
    """Pin the prompts of `folder`, or the built-in ones, as they are now; the pins of earlier versions stay.

    Raises:
        PromptError: a prompt was changed under a version that is pinned already, or a file breaks a rule.
    """
    place = folder or builtin_folder()
    prompts = read_prompts(place)
    pins = read_pins(place)
    moved = [prompt for prompt in prompts if pins.get(prompt.key, prompt.digest) != prompt.digest]
    if moved:
        raise PromptError("; ".join(_raise_version(prompt, place) for prompt in moved))
    pins = dict(sorted({**pins, **{prompt.key: prompt.digest for prompt in prompts}}.items()))
    written = place / (PINS + ".new")
    # Quoted, because a digest of digits alone would be read back as a number.
    lines = "".join(f'{key}: "{digest}"\n' for key, digest in pins.items())
    written.write_text(_HEADER + lines, encoding="utf-8")
    os.replace(written, place / PINS)  # noqa: PTH105 (atomic, and named so)
    return pins


def unpinned(prompts: Sequence[Prompt], folder: Path) -> list[str]:
    """The prompts that do not match the pins of `folder`, each as a line that says what to do."""
    pins = read_pins(folder)
    missing = [prompt for prompt in prompts if prompt.key not in pins]
    moved = [prompt for prompt in prompts if pins.get(prompt.key, prompt.digest) != prompt.digest]
    return [
        *(f"{folder / PINS}: {prompt.key} is not pinned yet" for prompt in missing),
        *(_raise_version(prompt, folder) for prompt in moved),
    ]


def _raise_version(prompt: Prompt, folder: Path) -> str:
    return (
        f"{folder / PINS}: {prompt.key} has changed since it was pinned; raise `version` in its file "
        "(or take its line out of the pins, if nothing was made with it yet)"
    )
