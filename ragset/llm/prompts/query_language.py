"""A prompt whose queries and answers are in another language than the passages."""

from typing import Any

from ragset.llm.prompts.template import Prompt
from ragset.text.languages import language_name

_WRITTEN = ("query", "answer")
"""Fields of replies that go into a dataset as they are written; quotes and names of things come from the documents."""


def written_in(prompt: Prompt, language: str) -> Prompt:
    """The prompt with the order to write queries and answers in that language, or as it is where it writes neither.

    It is a prompt of its own, with a digest of its own, since a model sees something else: what is cached under it or
    carries it as lineage is not mixed up with what came of the prompt as it stands in its file. The order ends the
    instructions and says that it goes before them and before the examples, whose queries are in the language of their
    passages.
    """
    fields = _properties(prompt.reply_type.model_json_schema())
    written = [name for name in _WRITTEN if name in fields]
    if not written:
        return prompt
    name = language_name(language)
    order = (
        f"Whatever language the passages, the examples and these instructions are in, and whatever was said of it above: "
        f"write {' and '.join(f'`{field}`' for field in written)} in {name}"
    )
    order += ", in words that a native speaker would use; names stay as people who speak it know them."
    if "quotes" in fields:
        order += " Quotes are not translated: they are copied from the passage in its own language."
    return prompt.model_copy(update={"system": f"{prompt.system}\n\n{order}", "ordered": language})


def _properties(schema: Any) -> set[str]:
    """Names of all fields, of inner models too."""
    if isinstance(schema, dict):
        inner: set[str] = set().union(*(_properties(value) for value in schema.values()))
        return inner | set(schema.get("properties", {}))
    if isinstance(schema, list):
        return set().union(*(_properties(value) for value in schema))
    return set()
