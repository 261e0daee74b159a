import pytest

from ragset.llm.prompts import builtin_folder
from ragset.llm.prompts.files import read_prompts
from ragset.llm.prompts.template import Prompt
from ragset.llm.prompts.translatable import options, quotes, with_texts, wording
from tests.ragset.llm.prompts.samples import GERMAN, PROMPT

BUILT_IN = read_prompts(builtin_folder())


def test_the_wording_is_all_texts_but_those_known_by_name() -> None:
    assert set(wording(PROMPT).values()) == set(GERMAN)


def test_names_of_fields_and_values_and_of_options_that_the_instructions_explain_are_fixed() -> None:
    assert options(PROMPT) == (
        "answer", "answered", "bridge", "chunk", "comparison", "not_in_passages", "quote", "quotes", "reason", "verdict",
    )  # fmt: skip


def test_of_an_example_in_another_language_the_reason_alone_is_wording() -> None:
    assert [path[2:] for path in wording(PROMPT) if path[:2] == ("examples", 1)] == [("reply", "reason")]


def test_quotes_are_those_of_replies_with_whether_the_passages_hold_them() -> None:
    # Two good ones, and the one to avoid that mends "dose".
    assert [found for _, found in quotes(PROMPT, wording(PROMPT))] == [True, True, False]


@pytest.mark.parametrize("prompt", BUILT_IN, ids=lambda prompt: prompt.key)
def test_the_same_texts_in_their_places_are_the_same_prompt(prompt: Prompt) -> None:
    assert Prompt.model_validate(with_texts(prompt, wording(prompt))) == prompt


def test_texts_in_their_places_leave_the_prompt_itself_alone() -> None:
    changed = with_texts(PROMPT, {("system",): "Anders.", ("examples", 0, "inputs", "chunks", 1): "Ganz anders."})
    assert changed["system"] == "Anders."
    assert changed["examples"][0]["inputs"]["chunks"][1] == "Ganz anders."
    assert "Ganz anders." not in str(PROMPT.examples)
