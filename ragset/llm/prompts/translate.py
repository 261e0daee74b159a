"""A prompt in another language, by a model: its wording is translated, its form is put back and checked."""

from collections.abc import Mapping

from pydantic import ValidationError

from ragset.errors import problems_of
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts.template import Prompt
from ragset.llm.prompts.translatable import Path, faults, options, with_texts, wording
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

    def placed(reply: Translation) -> dict[Path, str]:
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


def _variant(prompt: Prompt, texts: Mapping[Path, str], language: str, model: str) -> Prompt:
    head = {"version": 1, "language": language, "translated_by": model, "translated_from": prompt.id}
    return Prompt.model_validate({**with_texts(prompt, texts), **head})
