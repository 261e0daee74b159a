"""Everything that can be wrong with a folder of prompts, found before a model is asked."""

from pathlib import Path

from ragset.errors import PromptError
from ragset.llm.prompts.files import builtin_folder, check_override, prompt_files, read_prompt
from ragset.llm.prompts.pins import PINS, unpinned
from ragset.llm.prompts.template import Prompt
from ragset.llm.prompts.variants import outdated


def check_prompts(folder: Path | None = None) -> list[str]:
    """What is wrong with the prompt files of `folder`, or with the built-in ones; [] when all is well.

    A line for each problem, naming the file and the field. Where the folder keeps a `pins.yaml`, a prompt
    that is not pinned or does not match its pin is a problem too; so is a language variant of an older text.
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
    problems += outdated(prompts, place, folder)
    if (place / PINS).is_file():
        try:
            problems += unpinned(prompts, place)
        except PromptError as error:
            problems.append(str(error))
    return problems
