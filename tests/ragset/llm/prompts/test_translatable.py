import pytest

from ragset.llm.prompts import builtin_folder
from ragset.llm.prompts.files import read_prompts
from ragset.llm.prompts.template import Prompt
from ragset.llm.prompts.translatable import faults, options, with_texts, wording
from tests.ragset.llm.prompts.samples import GERMAN, PROMPT, SYSTEM, USER

BUILT_IN = read_prompts(builtin_folder())


def test_the_wording_is_all_texts_but_those_known_by_name() -> None:
    assert set(wording(PROMPT).values()) == set(GERMAN)


def test_names_of_fields_and_values_and_of_options_that_the_instructions_explain_are_fixed() -> None:
    assert options(PROMPT) == (
        "answer", "answered", "bridge", "chunk", "comparison", "not_in_passages", "quote", "quotes", "reason", "verdict",
    )  # fmt: skip


def test_of_an_example_in_another_language_the_reason_alone_is_wording() -> None:
    assert [path[2:] for path in wording(PROMPT) if path[:2] == ("examples", 1)] == [("reply", "reason")]


@pytest.mark.parametrize("prompt", BUILT_IN, ids=lambda prompt: prompt.key)
def test_the_same_texts_in_their_places_are_the_same_prompt(prompt: Prompt) -> None:
    assert Prompt.model_validate(with_texts(prompt, wording(prompt))) == prompt


def test_texts_in_their_places_leave_the_prompt_itself_alone() -> None:
    changed = with_texts(PROMPT, {("system",): "Anders.", ("examples", 0, "inputs", "chunks", 1): "Ganz anders."})
    assert changed["system"] == "Anders."
    assert changed["examples"][0]["inputs"]["chunks"][1] == "Ganz anders."
    assert "Ganz anders." not in str(PROMPT.examples)


ENGLISH = [prompt for prompt in BUILT_IN if prompt.language == "en"]


def said(original: str, text: str) -> list[str]:
    """What is wrong where one text of a faithful translation is replaced."""
    texts = {path: GERMAN[there] for path, there in wording(PROMPT).items()}
    texts |= {path: text for path, there in wording(PROMPT).items() if there == original}
    return [fault for _, fault in faults(PROMPT, texts, "de")]


def test_a_faithful_translation_has_none() -> None:
    assert said(SYSTEM, GERMAN[SYSTEM]) == []


@pytest.mark.parametrize("prompt", ENGLISH, ids=lambda prompt: prompt.key)
def test_of_a_prompt_left_as_it_is_the_language_alone_is_wrong(prompt: Prompt) -> None:
    assert faults(prompt, wording(prompt), "de") == [(("system",), "is still in English")]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("<chunk>", "<abschnitt>", "must keep the tags <chunk>, <shape>"),
        ("<chunk>", "chunk", "must keep the tags <chunk>, <shape>"),
        ("not_in_passages", "nicht_in_passagen", "must keep not_in_passages untranslated"),
        ('"answered"', '"beantwortet"', "must keep answered untranslated"),
        ("`quote`", "`zitat`", "must keep the code `quote`"),
        ("null", "nichts", "must keep null untranslated"),
        ("JSON", "Jason", "must keep JSON untranslated"),
        ("nie aus", "{{ chunks }} nie aus", "must keep the placeholders (it has none) in their order"),
    ],
)
def test_what_the_instructions_lost_is_said(old: str, new: str, fault: str) -> None:
    assert fault in said(SYSTEM, GERMAN[SYSTEM].replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{{ chunk }}", "{{ passage }}"),
        ("{% endfor %}\n", ""),
        ("for chunk in chunks", "for passage in chunks"),
        ("{{ loop.index }}", "1"),
    ],
)
def test_a_template_keeps_its_placeholders_and_its_loop(old: str, new: str) -> None:
    assert any("placeholders" in fault for fault in said(USER, GERMAN[USER].replace(old, new)))


def test_spaces_in_braces_are_nobodys_business() -> None:
    assert said(USER, GERMAN[USER].replace("{{ chunk }}", "{{chunk}}")) == []


def test_a_quote_must_stand_in_the_translated_passage() -> None:
    assert said("Green tea turns bitter", "Grüner Tee schmeckt bitter") == [
        "is a quote: it must stand in the translated passage to the letter"
    ]


def test_a_quote_that_was_wrong_on_purpose_must_stay_wrong() -> None:
    # A model that mends "nihct" in the passage leaves the bad example without its point.
    assert "is a wrong quote on purpose: the translated passage must not hold it to the letter" in said(
        "Black tea dose not.", "Schwarzer Tee nicht."
    )


def test_an_empty_text_is_missing() -> None:
    assert said("An answer about tea.", "  ") == ["is missing"]


def test_instructions_left_in_english_are_noticed() -> None:
    assert said(SYSTEM, SYSTEM) == ["is still in English"]
