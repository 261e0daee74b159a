"""A prompt whose queries and answers are in another language than the passages."""

from ragset.llm.prompts.template import Prompt
from ragset.llm.prompts.translatable import field_names
from ragset.text.languages import language_name


def written_in(prompt: Prompt, language: str) -> Prompt:
    """The prompt with the order to write queries and answers in that language, or as it is where it writes neither.

    It has a digest of its own, as a model sees something else. The order ends the instructions and says that it goes before
    them and before the examples, whose queries are in the language of their passages.
    """
    fields = field_names(prompt.reply_type.model_json_schema())
    written = [name for name in ("query", "answer") if name in fields]
    if not written:
        return prompt
    order = (
        "Whatever language the passages, the examples and these instructions are in, and whatever was said of it above: "
        f"write {' and '.join(f'`{field}`' for field in written)} in {language_name(language)}, "
        "in words that a native speaker would use; names stay as people who speak it know them."
    )
    if "quotes" in fields:
        order += " Quotes are not translated: they are copied from the passage in its own language."
    return prompt.model_copy(update={"system": f"{prompt.system}\n\n{order}", "ordered": language})
