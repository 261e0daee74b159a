import asyncio
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.errors import PromptError
from ragset.generation.offline import RULES, Offline, reply_by_rule
from ragset.llm.prompts import load_prompt, prompt_names
from ragset.llm.protocol import Request
from ragset.llm.replies import ContextAnswer, ContextDrafts, GroundedAnswer, Reply

PASSAGE = (
    "The pendulum clock was invented by Christiaan Huygens in 1656. A pendulum clock is a clock that uses a pendulum as "
    "its timekeeping element. It is accurate because the pendulum swings at a steady rate."
)


def ask(prompt: str, **inputs: Any) -> Reply:
    loaded = load_prompt(prompt)
    given_ = {name: inputs[name] for name in loaded.inputs}
    request = Request(
        stage="test", prompt=prompt, inputs=given_, messages=loaded.render(given_), reply=loaded.reply_type
    )
    completion = asyncio.run(Offline().complete(request))
    assert (completion.model, completion.prompt_tokens, completion.completion_tokens) == ("offline", 0, 0)
    return loaded.reply_type.model_validate_json(completion.text)


WORDS = st.sampled_from(
    [
        "The",
        "the",
        "A",
        "clock",
        "pendulum",
        "Huygens",
        "invented",
        "in",
        "1656",
        ".",
        ",",
        ";",
        "because",
        "was",
        "is",
        "are",
        "by",
        "of",
        "to",
        "He",
        "It",
        "swings",
        "-",
        "#",
        "?",
        "!",
        "If",
        "when",
        "(",
        ")",
        "[1]",
        "§",
        "¿Qué",
        "El",
        "reloj",
        "fue",
        "Die",
        "Uhr",
        "wurde",
        "漢字",
        "@-@",
        "<unk>",
        '"',
        "'",
        "é",
        "%",
        "£10",
        "long",
        "has",
        "two",
        "\n",
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join))


def everything(chunk: str, query: str, answer: str) -> dict[str, Any]:
    """Inputs for any rule; a second chunk is half the first and what is to be judged."""
    second = f"{chunk[: len(chunk) // 2]} {answer}"
    return {
        "chunk": chunk,
        "second": second,
        "chunks": (chunk, second),
        "query": query,
        "reference": second,
        "answer": answer,
        "partial": second,
        "audience": "readers",
        "quotes": (answer, second),
        "count": "2 to 4",
        "evolved": answer,
        "feedback": "Name its subject.",
    }


def test_it_has_a_rule_for_each_prompt_file() -> None:
    of_a_model_alone = {
        "translate_prompt",
        "describe_audience",
        "list_claims",
        "match_passages",
        "match_answer",
        "draft_conversation",
        "judge_conversation",
        "list_passage_claims",
        "draft_corpus_query",
        "judge_assertions",
    }
    assert set(RULES) == set(prompt_names()) - of_a_model_alone


def test_its_name_is_offline() -> None:
    assert Offline().model == "offline"


async def test_a_prompt_without_a_rule_is_an_error_that_names_it() -> None:
    request = Request(stage="test", prompt="haiku", inputs={}, messages=(), reply=Reply)
    with pytest.raises(PromptError, match="prompt haiku: the offline rules do not know it"):
        await Offline().complete(request)


async def test_a_missing_input_is_an_error_that_names_it() -> None:
    request = Request(stage="test", prompt="judge_chunk", inputs={}, messages=(), reply=Reply)
    with pytest.raises(PromptError, match="needs the input 'chunk'"):
        await Offline().complete(request)


@pytest.mark.parametrize("prompt", sorted(RULES))
@settings(max_examples=25)
@given(chunk=TEXTS, query=TEXTS, answer=TEXTS)
def test_any_text_is_answered_in_the_form_that_was_asked_for(prompt: str, chunk: str, query: str, answer: str) -> None:
    inputs = everything(chunk, query, answer)
    first = reply_by_rule(prompt, inputs)
    assert load_prompt(prompt).reply_type.model_validate_json(first.model_dump_json()) == first
    assert reply_by_rule(prompt, inputs) == first


@given(chunk=TEXTS, query=TEXTS)
def test_quotes_are_copied_from_the_chunk_to_the_letter(chunk: str, query: str) -> None:
    reply = reply_by_rule("answer_query", {"chunk": chunk, "query": query})
    assert isinstance(reply, GroundedAnswer)
    assert all(quote in chunk for quote in reply.quotes)
    assert bool(reply.quotes) == (reply.verdict == "answered")


@given(chunks=st.lists(TEXTS, min_size=1, max_size=3), query=TEXTS)
def test_quotes_of_several_chunks_are_copied_to_the_letter(chunks: list[str], query: str) -> None:
    reply = reply_by_rule("answer_multi_query", {"chunks": tuple(chunks), "query": query})
    assert isinstance(reply, ContextAnswer)
    assert all(quote.quote in chunks[quote.chunk - 1] for quote in reply.quotes)
    assert bool(reply.quotes) == (reply.verdict == "answered")


def test_a_list_of_chunks_stays_a_list() -> None:
    chunks = [
        "A water clock is a clock that measures time by the flow of water.",
        "An incense clock is a clock that burns powder or sticks evenly.",
    ]
    drafts = ask("draft_multi_query", chunks=chunks, count="2 to 4")
    assert isinstance(drafts, ContextDrafts)
    (draft,) = drafts.drafts
    assert draft.query
    assert (draft.query, draft.shape) == ("How does a water clock differ from an incense clock?", "comparison")
    answer = ask("answer_multi_query", chunks=chunks, query=draft.query)
    assert isinstance(answer, ContextAnswer)
    assert [quote.quote for quote in answer.quotes] == chunks


def test_what_it_drafts_it_answers() -> None:
    for style in ("open", "factoid", "exam", "keyphrase"):
        query = ask(f"draft_{style}_query", chunk=PASSAGE).query  # type: ignore[attr-defined]
        assert query
        answer = ask("answer_query", chunk=PASSAGE, query=query)
        assert isinstance(answer, GroundedAnswer)
        assert answer.verdict == "answered"


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile", ["a " * 20_000, "A" * 50_000, "( " * 20_000, "It was, " * 8_000, "1656 " * 10_000, ". " * 20_000]
)
def test_a_long_strange_text_costs_time_in_proportion(hostile: str) -> None:
    started = time.process_time()
    for prompt in RULES:
        reply_by_rule(prompt, everything(hostile, hostile[:2000], hostile[:2000]))
    assert time.process_time() - started < 20
