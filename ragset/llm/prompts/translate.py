"""A prompt in another language, by a model: its wording is translated, its form is put back and checked, and it is written as a file."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import yaml
from pydantic import ValidationError

from ragset.errors import PromptError, problems_of
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts.files import builtin_folder, load_prompt, prompt_names, read_prompt
from ragset.llm.prompts.pins import read_pins
from ragset.llm.prompts.template import Prompt
from ragset.llm.prompts.translatable import TextPath, faults, options, with_texts, wording
from ragset.llm.protocol import LLM
from ragset.llm.replies import Translation
from ragset.settings.languages import language_name

PROMPT = "translate_prompt"
_NAMED = 8  # faults that a model is told of at once


async def translate_prompt(prompt: Prompt, language: str, translator: Prompt, llm: LLM) -> Prompt | Unfit:
    """The prompt in `language`, of version 1, or why no translation of it kept its form.

    The model writes the wording alone. A translation that loses a placeholder, tag or name, or quotes what its example
    does not hold, is asked for again with what is wrong, at most twice.
    """
    places = wording(prompt)
    numbers = {text: number for number, text in enumerate(dict.fromkeys(places.values()), start=1)}

    def placed(reply: Translation) -> dict[TextPath, str]:
        said = {one.number: one.text.strip() for one in reply.texts}
        return {path: said[numbers[text]] for path, text in places.items()}

    def check(reply: Translation) -> Complaint | None:
        said = [text.number for text in reply.texts]
        if sorted(said) != sorted(numbers.values()):
            wrong = sorted(set(numbers.values()) ^ set(said)) or sorted({one for one in said if said.count(one) > 1})
            see_to = ", ".join(map(str, wrong[:_NAMED]))
            message = f"Give each of the {len(numbers)} texts once; see to number {see_to}."
            return Complaint(reason="texts_missing", message=message)
        wrong = (f"Text {numbers[places[path]]} {said}." for path, said in faults(prompt, placed(reply), language))
        if found := list(dict.fromkeys(wrong)):
            return Complaint(reason="form_changed", message=" ".join(found[:_NAMED]))
        try:
            _variant(prompt, placed(reply), language, llm.model)
        except ValidationError as error:
            return Complaint(reason="unusable_prompt", message=f"The prompt cannot be used: {problems_of(error)}.")
        return None

    inputs = {"language": language_name(language), "fixed": options(prompt), "texts": list(numbers)}
    reply = await ask(llm, translator, Translation, inputs, stage="translate", check=check, complaints=2)
    return reply if isinstance(reply, Unfit) else _variant(prompt, placed(reply), language, llm.model)


def _variant(prompt: Prompt, texts: Mapping[TextPath, str], language: str, model: str) -> Prompt:
    head = {"version": 1, "language": language, "translated_by": model, "translated_from": prompt.id}
    return Prompt.model_validate({**with_texts(prompt, texts), **head})


def variant_folder(out: Path | None, users: Path | None) -> Path:
    """The folder for variants: `out`, the user's, or that of a checkout; raises PromptError if none of them is there."""
    place = out or users or builtin_folder()
    if place == builtin_folder() and place.parent == Path(__file__).parents[2]:
        raise PromptError("name a folder for the prompts with --out, or let RAGSET_PROMPTS name one")
    return place


def untranslated(language: str, folder: Path, users: Path | None, *, again: bool = False) -> list[Prompt]:
    """The prompts in English that have no file in `language`; with `again` all."""
    places = {folder, builtin_folder(), *([users] if users else [])}
    return [
        load_prompt(name, folder=users)
        for name in prompt_names(users)
        if again or not any((place / f"{name}.{language}.md").is_file() for place in places)
    ]


def write_variant(prompt: Prompt, folder: Path, *, force: bool = False) -> Path:
    """Write the variant as `NAME.de.md` in the first version that is not pinned with another text; its file.

    Raises PromptError if there is such a file already, or if it would not be read back as it is.
    """
    path = folder / f"{prompt.name}.{prompt.language}.md"
    if path.exists() and not force:
        raise PromptError(f"{path}: is there already; --force writes it again, and what was corrected in it is lost")
    pins, version = read_pins(folder), 1
    while pins.get(f"{prompt.name}.{prompt.language}@{version}", prompt.digest) != prompt.digest:
        version += 1
    prompt = prompt.model_copy(update={"version": version})
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
    head = yaml.dump(there, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100_000)
    return f"---\n{head}---\n## system\n{prompt.system}\n\n## user\n{prompt.user}\n"


class _Dumper(yaml.SafeDumper):
    def represent_text(self, text: str) -> yaml.ScalarNode:
        """A name bare, a text in quotation marks or, if it has lines, as a block."""
        plain = text.replace("_", "").isalnum() and text.isascii() and not text.isdigit()
        style = None if plain else "|" if "\n" in text else '"'
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)
