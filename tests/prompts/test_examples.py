"""What the examples of the built-in prompts show, which a model follows more closely than the instructions."""

from typing import Any

import pytest

from ragset.generation.stages.judge_query import complain_of_query
from ragset.llm.prompts import builtin_folder
from ragset.llm.prompts.files import read_prompts
from ragset.llm.prompts.template import Example, Prompt
from ragset.text.languages import guess_language

PROMPTS = read_prompts(builtin_folder())
BY_NAME = {prompt.name: prompt for prompt in PROMPTS if prompt.language == "en"}
REWRITING = tuple(name for name in BY_NAME if name.startswith("evolve_") or name == "rewrite_query")
CASUAL = ("rewrite_query", "evolve_compress", "evolve_complicate_input")
VOICE = "in the language and voice of the old one: casual stays casual"
DECISIONS = {
    "judge_chunk": ("self_containment", "not_metadata"),
    "judge_query": ("independent", "clear", "verdict"),
    "judge_evolution": ("standalone", "answerable"),
    "same_query": ("same",),
    "compare_answers": ("verdict",),
    "answer_query": ("verdict",),
    "answer_multi_query": ("verdict",),
    "answer_closed_book": ("verdict",),
    "read_passages": ("verdict",),
    "score_chunk": ("clarity", "depth", "structure", "relevance"),
    "judge_answer": ("correctness", "completeness", "conciseness"),
}


def written(example: Example) -> list[str]:
    """The queries of a good reply."""
    given: list[Any] = [example.reply, *example.reply.get("parts", ())]
    return [one["query"] for one in given if one.get("query")]


def spoken(example: Example) -> str:
    texts = [text for text in example.inputs.values() if isinstance(text, str)]
    texts += [text for given in example.inputs.values() if isinstance(given, list) for text in given]
    return guess_language(" ".join(texts)) or "en"


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.key)
def test_no_query_shown_as_good_breaks_the_rules_that_queries_are_checked_by(prompt: Prompt) -> None:
    for example in prompt.examples:
        for query in written(example):
            assert complain_of_query(query, spoken(example)) is None, query


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.key)
def test_quotes_of_good_replies_stand_in_their_passages(prompt: Prompt) -> None:
    for example in prompt.examples:
        passages: list[str] = [example.inputs.get("chunk", ""), *example.inputs.get("chunks", ())]
        quoted: list[Any] = example.reply.get("quotes", [])
        for one in quoted:
            place, quote = (0, one) if isinstance(one, str) else (one["chunk"], one["quote"])
            assert quote in passages[place]
        assert all(quote in "\n".join(passages) for quote in example.inputs.get("quotes", ()))
        judged: list[Any] = example.reply.get("passages", [])
        for one in judged:
            assert all(quote in passages[one["passage"]] for quote in one["quotes"])


@pytest.mark.parametrize("name", REWRITING)
def test_a_prompt_that_rewrites_a_query_keeps_its_voice(name: str) -> None:
    assert VOICE in BY_NAME[name].system


@pytest.mark.parametrize("name", CASUAL)
def test_a_casual_query_is_shown_to_stay_casual(name: str) -> None:
    shown = [
        (example.inputs["query"], query)
        for example in BY_NAME[name].examples
        for query in written(example)
        if example.inputs["query"][0].islower()
    ]
    assert shown
    assert all(query[0].islower() for _, query in shown)


@pytest.mark.parametrize("name", DECISIONS)
def test_a_judge_is_shown_more_than_one_outcome_of_everything_it_decides(name: str) -> None:
    for field in DECISIONS[name]:
        assert len({example.reply[field] for example in BY_NAME[name].examples}) > 1, field


@pytest.mark.parametrize("field", ["clarity", "relevance"])
def test_the_critic_of_the_query_alone_is_shown_what_just_passes_and_what_just_fails(field: str) -> None:
    assert {3, 4} <= {example.reply[field]["score"] for example in BY_NAME["critique_query"].examples}


def test_the_critic_of_all_three_is_shown_passes_and_fails_of_each() -> None:
    for field in ("groundedness", "relevance", "clarity"):
        found = [example.reply[field] for example in BY_NAME["critique_golden"].examples]
        scores = [one["score"] for one in found if one]
        assert min(scores) < 4 <= max(scores)
