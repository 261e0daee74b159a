import pytest

from flows.parameters.languages import settled
from flows.parameters.models import MultiChunkParameters, SingleChunkParameters
from flows.steps.asked import recipe_of
from ragset.errors import InputError
from ragset.settings import DocumentSettings, ModelSettings, WritingSettings
from tasks.run.progress import watch

DOCUMENTS = DocumentSettings(sources=("docs",))
MODEL = ModelSettings(model="m")


def parameters(language: str = "", model: ModelSettings = MODEL) -> SingleChunkParameters:
    return SingleChunkParameters(documents=DOCUMENTS, generator=model, writing=WritingSettings(language=language))


def test_queries_and_sentences_are_in_the_language_of_the_documents_unless_another_is_named() -> None:
    asked = settled(parameters(), "es")
    assert (asked.chunking.language, asked.writing.language) == ("es", "es")
    asked = settled(parameters("de"), "es")
    assert (asked.chunking.language, asked.writing.language) == ("es", "de")
    multi = settled(MultiChunkParameters(documents=DOCUMENTS), "fr")
    assert (multi.chunking.language, multi.writing.language) == ("fr", "fr")


def test_queries_in_another_language_are_ordered_in_the_prompts_and_told_apart_by_their_digests() -> None:
    same, other = (recipe_of(settled(parameters(language), "en")) for language in ("", "de"))
    assert "German" not in same.prompts["draft_open_query"].system
    assert "German" in other.prompts["draft_open_query"].system
    assert other.prompts["critique_golden"] == same.prompts["critique_golden"]
    assert other.identity != same.identity


def test_the_offline_rules_do_not_translate() -> None:
    with pytest.raises(InputError, match="the documents are in en; name a model"):
        settled(parameters("de", ModelSettings()), "en")
    assert settled(parameters("de", ModelSettings()), "de").writing.language == "de"


def test_what_is_not_checked_in_a_language_is_told_to_whoever_watches() -> None:
    shown = watch()
    settled(parameters(), "pl")
    assert [line[:24] for line in shown.notices] == ["No rules for Polish (pl)"]
