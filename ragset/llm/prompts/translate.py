"""A prompt in another language, by a model: its wording is translated, its form is put back and checked."""

from collections.abc import Mapping

from pydantic import ValidationError

from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts.template import Prompt, problems_of
from ragset.llm.prompts.translatable import Path, options, with_texts, wording
from ragset.llm.prompts.translation_faults import faults
from ragset.llm.protocol import LLM
from ragset.llm.replies import Translation
from ragset.text.languages import language_name

STAGE = "translate"
PROMPT = "translate_prompt"
_TRIES = 2
"""How often a translation with faults is asked for again."""
_NAMED = 8
"""Faults that a model is told of at once."""


async def translate_prompt(prompt: Prompt, language: str, translator: Prompt, llm: LLM) -> Prompt | Unfit:
    """The prompt in `language`, of version 1, or why no translation of it kept its form.

    Inputs, reply, placeholders, tags and names are those of the original whatever the model says; it is asked for the
    wording alone. A translation that loses any of them in a text, or quotes what its example does not hold, is asked
    for again with what is wrong, at most twice.

    Raises:
        LLMUnavailable: the provider could not be reached within its retries.
    """
    places = wording(prompt)
    originals = list(dict.fromkeys(places.values()))
    translated = await ask(
        llm,
        translator,
        Translation,
        {"language": language_name(language), "fixed": options(prompt), "texts": originals},
        stage=STAGE,
        check=lambda reply: complain_of_translation(reply, prompt, language, llm.model),
        complaints=_TRIES,
    )
    if isinstance(translated, Unfit):
        return translated
    return _variant(prompt, _placed(translated, places), language, llm.model)


def complain_of_translation(reply: Translation, prompt: Prompt, language: str, model: str) -> Complaint | None:
    """What a model should mend about the texts of `wording(prompt)`, each once, numbered from 1."""
    places = wording(prompt)
    numbers = {text: number for number, text in enumerate(dict.fromkeys(places.values()), start=1)}
    said = [text.number for text in reply.texts]
    if sorted(said) != sorted(numbers.values()):
        wrong = sorted(set(numbers.values()) ^ set(said)) or sorted({one for one in said if said.count(one) > 1})
        return Complaint(
            reason="texts_missing",
            message=f"Give each of the {len(numbers)} texts once; see to number {', '.join(map(str, wrong[:_NAMED]))}.",
        )
    texts = _placed(reply, places)
    found = list(
        dict.fromkeys(f"Text {numbers[places[path]]} {fault}." for path, fault in faults(prompt, texts, language))
    )
    if found:
        return Complaint(reason="form_changed", message=" ".join(found[:_NAMED]))
    try:
        _variant(prompt, texts, language, model)
    except ValidationError as error:
        return Complaint(reason="unusable_prompt", message=f"The prompt cannot be used: {problems_of(error)}.")
    return None


def _placed(reply: Translation, places: Mapping[Path, str]) -> dict[Path, str]:
    """The translated texts where the originals stand."""
    by_number = {one.number: one.text.strip() for one in reply.texts}
    translated = {
        text: by_number.get(number, "") for number, text in enumerate(dict.fromkeys(places.values()), start=1)
    }
    return {path: translated[text] for path, text in places.items()}


def _variant(prompt: Prompt, texts: Mapping[Path, str], language: str, model: str) -> Prompt:
    """Raises ValidationError."""
    head = {"version": 1, "language": language, "translated_by": model, "translated_from": prompt.id}
    return Prompt.model_validate({**with_texts(prompt, texts), **head})
