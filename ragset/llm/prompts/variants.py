"""Language variants on disk: which are missing, which are out of date, and how one is written."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from ragset.errors import PromptError
from ragset.llm.prompts.files import builtin_folder, load_prompt, prompt_names, read_prompt
from ragset.llm.prompts.pins import PINS, read_pins
from ragset.llm.prompts.template import Prompt

_FLOW = ("inputs", "optional")
"""Fields of the head that stand on one line."""


def variant_folder(out: Path | None, users: Path | None) -> Path:
    """Where variants go: the folder named, else the user's, else the project's own where it is a checkout.

    Raises:
        PromptError: only an installed library is left, whose files are nobody's to change.
    """
    place = out or users or builtin_folder()
    if place == builtin_folder() and place.parent == Path(__file__).parents[2]:
        raise PromptError("name a folder for the prompts with --out, or let RAGSET_PROMPTS name one")
    return place


def untranslated(language: str, folder: Path, users: Path | None, *, again: bool = False) -> list[Prompt]:
    """The prompts in English that have no file in `language`, in `folder` or anywhere they are looked for.

    With `again` all of them: those that have one are to be written anew.
    """
    places = {folder, builtin_folder(), *([users] if users else [])}
    names = [
        name
        for name in prompt_names(users)
        if again or not any((place / f"{name}.{language}.md").is_file() for place in places)
    ]
    return [load_prompt(name, folder=users) for name in names]


def write_variant(prompt: Prompt, folder: Path, *, force: bool = False) -> Path:
    """Write the variant as `NAME.de.md`, and read it back before it is there; its file.

    Its version is one that is not pinned with another text.

    Raises:
        PromptError: there is such a file already, or what was written is not what is read.
    """
    path = folder / f"{prompt.name}.{prompt.language}.md"
    if path.exists() and not force:
        raise PromptError(f"{path}: is there already; --force writes it again, and what was corrected in it is lost")
    prompt = prompt.model_copy(update={"version": _version(prompt, folder)})
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".variant-") as beside:
        written = Path(beside) / path.name
        written.write_text(prompt_text(prompt), encoding="utf-8")
        if read_prompt(written) != prompt:
            raise PromptError(f"{path}: cannot be written so that it is read back as it is")
        os.replace(written, path)  # noqa: PTH105 (atomic, and named so)
    return path


def prompt_text(prompt: Prompt) -> str:
    """A prompt as its file: a head to read and correct, then the two templates."""
    fields = prompt.model_dump(mode="json", exclude={"system", "user", "ordered"})
    for example in fields["examples"]:
        if not example["avoid"]:
            del example["avoid"]
    there = {name: value for name, value in fields.items() if value not in (None, [])}
    head = "".join(_yaml({name: value}, flow=name in _FLOW) for name, value in there.items())
    return f"---\n{head}---\n## system\n{prompt.system}\n\n## user\n{prompt.user}\n"


def outdated(prompts: Sequence[Prompt], folder: Path, users: Path | None = None) -> list[str]:
    """The variants whose original has changed since they were translated, each as a line that says what to do."""
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


class _Dumper(yaml.SafeDumper):
    """Texts in quotation marks, or as blocks where they have lines; names bare; lists set in under their field."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        """Lists set in."""
        super().increase_indent(flow, False)

    def represent_text(self, text: str) -> yaml.ScalarNode:
        """As a person would write it."""
        plain = text.replace("_", "").isalnum() and text.isascii() and not text.isdigit()
        style = None if plain else "|" if "\n" in text else '"'
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)


def _yaml(value: Any, *, flow: bool) -> str:
    return yaml.dump(
        value,
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        width=100_000,
        default_flow_style=None if flow else False,
    )


def _version(prompt: Prompt, folder: Path) -> int:
    """The first that is not pinned, or is with this very text."""
    pins = read_pins(folder) if (folder / PINS).is_file() else {}
    version = 1
    while pins.get(f"{prompt.name}.{prompt.language}@{version}", prompt.digest) != prompt.digest:
        version += 1
    return version
