"""Prompt files: Markdown with a YAML head, checked when they are loaded, known by a digest."""

from ragset.llm.prompts.files import builtin_folder, load_prompt, prompt_names
from ragset.llm.prompts.pins import check_prompts, read_pins, write_pins
from ragset.llm.prompts.template import Prompt
from ragset.llm.prompts.translatable import written_in

__all__ = [
    "Prompt",
    "builtin_folder",
    "check_prompts",
    "load_prompt",
    "prompt_names",
    "read_pins",
    "write_pins",
    "written_in",
]
