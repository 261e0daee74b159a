import json
from pathlib import Path

import pytest

from ragset.errors import ProviderRefused
from ragset.llm.ask import ask
from ragset.llm.journal import Journal
from ragset.llm.journaled import BudgetTracker, Journaled
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import AnswersCompared, AnswerVerdict, Claim, Claims, QueryDraft
from ragset.llm.tracing import about, span
from ragset.llm.usage import Prices
from ragset.retrieval.embedding.endpoint import EndpointEmbedder
from ragset.retrieval.embedding.stored import EmbeddingStore, StoredEmbedder
from ragset.settings import Budget, EmbeddingSettings
from tests.clients import KEY, client_of, environment, request_of
from tests.fake_openai import Fake
from tests.otlp_receiver import Receiver
from tests.scripted import Scripted

CASE = "Green tea turns bitter above 80 °C."
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


async def test_a_call_says_by_both_conventions_who_was_asked_and_what_it_took(fake: Fake, receiver: Receiver) -> None:
    async with client_of(fake, temperature=0.5) as client:
        done = await client.complete(request_of(CASE))
    (call,) = receiver.of("LLM")
    assert (call.name, call.failed, call.service) == ("chat test-model", False, "ragset")
    assert call.nanoseconds > 0
    found = call.attributes
    assert {name: found[f"gen_ai.{name}"] for name in ("operation.name", "provider.name", "request.model")} == {
        "operation.name": "chat",
        "provider.name": "openai",
        "request.model": "test-model",
    }
    assert found["gen_ai.request.temperature"] == 0.5
    assert found["gen_ai.response.finish_reasons"] == ["stop"]
    assert (found["server.address"], found["server.port"]) == ("127.0.0.1", int(fake.url.split(":")[2].split("/")[0]))
    tokens = done.prompt_tokens, done.completion_tokens
    assert (found["gen_ai.usage.input_tokens"], found["gen_ai.usage.output_tokens"]) == tokens
    assert (found["llm.token_count.prompt"], found["llm.token_count.completion"]) == tokens
    assert found["llm.token_count.total"] == sum(tokens)
    assert (found["ragset.stage"], found["ragset.prompt"]) == ("judge", "judge_chunk")


async def test_texts_are_in_spans_only_where_the_variable_asks_for_them(
    fake: Fake, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with client_of(fake) as client:
        await client.complete(request_of(CASE))
        assert not receiver.holds("bitter")
        monkeypatch.setenv(CAPTURE, "true")
        done = await client.complete(request_of(CASE))
    call = receiver.of("LLM")[-1].attributes
    turns = json.loads(call["gen_ai.input.messages"])
    assert [turn["role"] for turn in turns] == ["system", "user"]
    assert CASE in turns[1]["parts"][0]["content"]
    assert call["llm.input_messages.1.message.content"] == turns[1]["parts"][0]["content"]
    assert json.loads(call["gen_ai.output.messages"])[0]["parts"][0]["content"] == done.text
    assert call["llm.output_messages.0.message.content"] == done.text


async def test_each_try_is_a_span_and_one_that_failed_says_why(fake: Fake, receiver: Receiver) -> None:
    async with client_of(fake, max_retries=1) as client:
        await client.complete(request_of())
        fake.set(status=503)
        with pytest.raises(Exception, match="2 tries"):
            await client.complete(request_of())
        fake.set(status=401, body=f'{{"error": {{"message": "wrong key {KEY}: bitter"}}}}')
        with pytest.raises(ProviderRefused):
            await client.complete(request_of())
    calls = receiver.of("LLM")
    assert [call.attributes.get("error.type") for call in calls] == [None, "503", "503", "401"]
    assert [call.failed for call in calls] == [False, True, True, True]
    assert not receiver.holds("bitter")


async def test_no_key_is_ever_sent_to_the_server_of_traces(
    fake: Fake, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CAPTURE, "true")
    async with client_of(fake, max_retries=0) as client:
        await client.complete(request_of())
        fake.set(status=401, body=f'{{"error": {{"message": "wrong key {KEY}"}}}}')
        with pytest.raises(ProviderRefused):
            await client.complete(request_of())
    assert len(receiver.of("LLM")) == 2
    assert not receiver.holds(KEY)


async def test_a_reply_from_the_journal_is_no_call(fake: Fake, receiver: Receiver, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    async with client_of(fake) as client:
        llm = Journaled(client, journal, BudgetTracker(journal, "run", Budget(), Prices()))
        for _ in range(2):
            await llm.complete(request_of())
    journal.close()
    assert len(receiver.of("LLM")) == 1


async def test_calls_carry_the_ids_of_what_they_are_about(fake: Fake, receiver: Receiver) -> None:
    async with client_of(fake) as client:
        with span("judge batch 1", "CHAIN", dict), about("How hot?", golden="g-1", chunks=["d:0-5", "d:5-9"]):
            await client.complete(request_of())
        await client.complete(request_of())
    first, second = receiver.of("LLM")
    (batch,) = receiver.of("CHAIN")
    assert (first.parent, first.trace) == (batch.id, batch.trace)
    assert first.attributes["ragset.golden.id"] == "g-1"
    assert first.attributes["ragset.chunk.ids"] == "d:0-5,d:5-9"
    # printf 'How hot?' | sha256sum
    assert first.attributes["ragset.query.id"] == "q-84723f70935d"
    assert second.parent == ""
    assert "ragset.golden.id" not in second.attributes


def test_each_request_for_embeddings_is_a_span_also_in_threads(fake: Fake, receiver: Receiver, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    settings = EmbeddingSettings(model="embed", batch_size=2)
    found = EndpointEmbedder(settings, environment(fake.url))
    embedder = StoredEmbedder(found, EmbeddingStore(journal, found.identity), None)
    with span("index", "CHAIN", dict):
        embedder.embed(["tea", "water", "cups", "leaves", "pots"])
        embedder.embed(["tea", "pots"])
    journal.close()
    calls = receiver.of("EMBEDDING")
    assert sorted(call.attributes["ragset.texts"] for call in calls) == [1, 2, 2]
    assert {call.attributes["gen_ai.operation.name"] for call in calls} == {"embeddings"}
    assert {call.attributes["embedding.model_name"] for call in calls} == {"embed"}
    assert all(call.attributes["gen_ai.usage.input_tokens"] > 0 for call in calls)
    assert {call.parent for call in calls} == {receiver.of("CHAIN")[0].id}
    assert not receiver.holds("leaves")


VERDICT = AnswerVerdict(feedback="Names no temperature.", correctness=4, completeness=0.5, conciseness=1)
ASKED = {"query": "How hot?", "reference": "Up to 80 °C.", "answer": "Not too hot."}


async def test_a_judgement_shows_each_verdict(receiver: Receiver) -> None:
    llm = Scripted({"judge_answer": [VERDICT]})
    await ask(llm, load_prompt("judge_answer"), AnswerVerdict, ASKED, stage="judge_answer")
    (found,) = receiver.of("EVALUATOR")
    assert (found.name, found.attributes["ragset.stage"], found.failed) == ("judge_answer", "judge_answer", False)
    assert [(one["gen_ai.evaluation.name"], one["gen_ai.evaluation.score.value"]) for one in found.events] == [
        ("correctness", 4),
        ("completeness", 0.5),
        ("conciseness", 1.0),
    ]
    assert json.loads(found.attributes["output.value"]) == {"correctness": 4, "completeness": 0.5, "conciseness": 1.0}
    assert not receiver.holds("temperature")


async def test_words_and_replies_within_a_reply_are_verdicts_too(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    claims = Claims(claims=(Claim(claim="It is hot.", reason="Said so.", supported=1),))
    compared = AnswersCompared(reason="One says less.", verdict="lesser")
    llm = Scripted({"judge_faithfulness": [claims], "compare_answers": [compared]})
    asked = {"chunks": ("Tea is hot.",), "query": "How hot?", "answer": "It is hot."}
    await ask(llm, load_prompt("judge_faithfulness"), Claims, asked, stage="s")
    prompt = load_prompt("compare_answers")
    await ask(llm, prompt, AnswersCompared, dict.fromkeys(prompt.inputs, "x"), stage="s")
    first, second = (one.events[0] for one in receiver.of("EVALUATOR"))
    assert first["gen_ai.evaluation.name"] == "claims.0.supported"
    assert first["gen_ai.evaluation.explanation"] == "Said so."
    assert (second["gen_ai.evaluation.name"], second["gen_ai.evaluation.score.label"]) == ("verdict", "lesser")


async def test_a_judgement_that_cannot_be_read_says_so_and_a_draft_is_no_judgement(receiver: Receiver) -> None:
    llm = Scripted({"judge_answer": ["no"], "draft_open_query": [QueryDraft(reason="r", query="Why?")]})
    await ask(llm, load_prompt("judge_answer"), AnswerVerdict, ASKED, stage="judge_answer")
    draft = load_prompt("draft_open_query")
    await ask(llm, draft, QueryDraft, dict.fromkeys(draft.inputs, "x"), stage="draft")
    (found,) = receiver.of("EVALUATOR")
    assert (found.failed, found.attributes["error.type"]) == (True, "malformed_reply")
