"""Prompt files on disk, `NAME.md` in English and `NAME.de.md` in German; a user's folder overrides the built-in one."""

import re
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from ragset.errors import InputError, PromptError, problems_of
from ragset.llm.prompts.template import Prompt
from ragset.settings.yaml_text import read_headed

_FILE = re.compile(r"([a-z][a-z0-9_]*)(?:\.([a-z]{2}))?\.md")
_SECTION = re.compile(r"^## (system|user)[ \t]*$", re.MULTILINE)


def load_prompt(name: str, language: str = "en", folder: Path | None = None) -> Prompt:
    """The prompt `name`, in `language` where there is a file in it and in English otherwise.

    A file in `folder` stands before the built-in one of the same name and language, any file in `language`
    before any in English. Raises PromptError if there is no such prompt, or its file breaks a rule.
    """
    if not _FILE.fullmatch(f"{name}.{language}.md"):
        raise PromptError(f"{name!r} in {language!r}: name a prompt such as judge_chunk, a language in two letters")
    files = [f"{name}.md"] if language == "en" else [f"{name}.{language}.md", f"{name}.md"]
    for file in files:
        for place in _places(folder):
            path = place / file
            if path.is_file():
                prompt = read_prompt(path)
                check_override(prompt, path)
                return prompt
    close = get_close_matches(name, prompt_names(folder), n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise PromptError(f"there is no prompt {name} in {' or '.join(map(str, _places(folder)))}{hint}")


def prompt_names(folder: Path | None = None) -> tuple[str, ...]:
    """The names of all prompts, built in or in `folder`; sorted, each once."""
    return tuple(sorted({match[1] for place in _places(folder) for _, match in prompt_files(place) if match}))


def read_prompts(folder: Path) -> tuple[Prompt, ...]:
    """All prompts of `folder` in all their languages, sorted by file name; raises PromptError if one breaks a rule."""
    return tuple(read_prompt(path) for path, match in prompt_files(folder) if match)


def builtin_folder() -> Path:
    """The folder of ragset's prompts, in an installed library or at the top of the repository."""
    package = Path(__file__).parents[2]
    for place in (package / "prompts", package.parent / "prompts"):
        if place.is_dir():
            return place
    raise PromptError(f"{package / 'prompts'}: the built-in prompts are missing; install ragset again")


def prompt_files(folder: Path) -> list[tuple[Path, re.Match[str] | None]]:
    """The Markdown files of `folder` except README.md, each with the match of its name."""
    paths = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    return [(path, _FILE.fullmatch(path.name)) for path in paths]


def read_prompt(path: Path) -> Prompt:
    """The prompt of one file, read again when the file has changed; raises PromptError if it breaks a rule."""
    try:
        status = path.stat()
        return _parse(path, (status.st_mtime_ns, status.st_size))
    except OSError as error:
        raise PromptError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise PromptError(f"{path}: is not UTF-8") from None
    except ValidationError as error:
        raise PromptError(f"{path}: {problems_of(error)}") from None
    except InputError as error:
        raise PromptError(str(error)) from None


@lru_cache(maxsize=256)
def _parse(path: Path, state: tuple[int, int]) -> Prompt:  # noqa: ARG001 (part of the key)
    fields, text = read_headed(path)
    before, *sections = _SECTION.split(text)
    if sections[::2] != ["system", "user"] or before.strip():
        raise PromptError(f"{path}: after the head come `## system` and `## user`, once each, in this order")
    templates = {"system": sections[1].strip(), "user": sections[3].strip()}
    if twice := sorted(set(fields) & set(templates)):
        raise PromptError(f"{path}: {', '.join(twice)} belongs under its own heading, not into the head")
    prompt = Prompt.model_validate({**fields, **templates})
    named = _FILE.fullmatch(path.name)
    if named is None or named[1] != prompt.name:
        raise PromptError(f"{path}: name: is {prompt.name}, so the file must be {prompt.name}.md")
    if (named[2] or "en") != prompt.language:
        raise PromptError(f"{path}: language: is {prompt.language}, the file's name says {named[2] or 'en'}")
    return prompt


def check_override(prompt: Prompt, path: Path) -> None:
    """Raise PromptError if a user's prompt or a variant has other inputs or another reply than its original."""
    original = builtin_folder() / f"{prompt.name}.md"
    if path == original or not original.is_file():
        return
    known = read_prompt(original)
    if prompt.reply != known.reply:
        raise PromptError(f"{path}: reply: must be {known.reply}, as of the built-in prompt")
    if unknown := [name for name in prompt.inputs if name not in known.inputs]:
        raise PromptError(f"{path}: inputs: no {', '.join(unknown)} here, only {', '.join(known.inputs)}")
    if unknown := [name for name in prompt.optional if name not in (*known.inputs, *known.optional)]:
        raise PromptError(f"{path}: optional: no {', '.join(unknown)} here, only {', '.join(known.optional) or 'none'}")


def _places(folder: Path | None) -> list[Path]:
    return [builtin_folder()] if folder is None else [folder, builtin_folder()]
