"""Prompt files: Markdown with a YAML head, checked when they are loaded, known by a digest.

A file says what it is for, which inputs it needs, which model its reply is read into, and shows examples
with reasons. Examples are rendered as past turns through the same user template as the case itself, and
what stays the same from call to call comes first, so that providers can cache it.
"""

from ragset.llm.prompts.files import builtin_folder, load_prompt, prompt_names
from ragset.llm.prompts.pins import check_prompts, read_pins, write_pins
from ragset.llm.prompts.query_language import written_in
from ragset.llm.prompts.template import Example, Prompt

__all__ = [
    "Example",
    "Prompt",
    "builtin_folder",
    "check_prompts",
    "load_prompt",
    "prompt_names",
    "read_pins",
    "write_pins",
    "written_in",
]
