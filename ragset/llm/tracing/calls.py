"""Spans of requests to models that write and to models that embed, and of judgements: a question to a critic with its verdicts."""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, get_origin
from urllib.parse import urlsplit

from ragset.llm.protocol import Completion, Request
from ragset.llm.reply_fields import Judgement, Reply
from ragset.llm.tracing.spans import captures_content, mark_failed, recorded_span, where_traced
from ragset.settings import ModelSettings

Answered = Callable[[Completion | str], None]
"""Told what came back: the completion, or the type or status of a fault."""


@where_traced
@contextmanager
def model_call(request: Request, settings: ModelSettings, server: str, *, batch: bool = False) -> Generator[Answered]:
    """A span around one request to a model at `server`; None where nothing is traced.

    Each try is a span of its own. A reply from the journal is no call and has none.
    """
    asked = {"temperature": settings.temperature, "max_tokens": settings.max_tokens}
    attributes = {
        **_server(server),
        "gen_ai.operation.name": "chat",
        "gen_ai.output.type": "json",
        "gen_ai.request.model": settings.model,
        **{f"gen_ai.request.{name}": value for name, value in asked.items()},
        "llm.model_name": settings.model,
        "llm.invocation_parameters": json.dumps({"model": settings.model, **asked}),
        "ragset.stage": request.stage,
        "ragset.prompt": request.prompt,
        "ragset.batch": batch or None,
        **(_messages(request) if captures_content() else {}),
    }
    with recorded_span(f"chat {settings.model}", "LLM", attributes, client=True) as one:

        def answered(outcome: Completion | str) -> None:
            if isinstance(outcome, str):
                mark_failed(one, outcome)
            else:
                one.set_attributes({**_usage(outcome), **(_reply(outcome) if captures_content() else {})})

        yield answered


@where_traced
@contextmanager
def embedding_call(model: str, texts: Sequence[str]) -> Generator[Callable[[int], None]]:
    """A span around one request for embeddings, told how many tokens it had; None where nothing is traced."""
    said = {f"embedding.embeddings.{place}.embedding.text": text for place, text in enumerate(texts)}
    attributes = {
        "gen_ai.operation.name": "embeddings",
        "gen_ai.request.model": model,
        "embedding.model_name": model,
        "ragset.texts": len(texts),
        **(said if captures_content() else {}),
    }
    with recorded_span(f"embeddings {model}", "EMBEDDING", attributes, client=True) as one:
        yield lambda tokens: one.set_attributes(
            {"gen_ai.usage.input_tokens": tokens, "llm.token_count.prompt": tokens, "llm.token_count.total": tokens}
        )


def _server(server: str) -> dict[str, Any]:
    """Where it is asked. The provider is the one whose protocol is spoken, whoever speaks it."""
    parts = urlsplit(server)
    port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
    of = {"gen_ai.provider.name": "openai", "llm.system": "openai"}
    return {**of, "server.address": parts.hostname, "server.port": port}


def _usage(completion: Completion) -> dict[str, Any]:
    prompt, cached, reply = completion.prompt_tokens, completion.cached_tokens, completion.completion_tokens
    return {
        "gen_ai.response.model": completion.model,
        "gen_ai.response.finish_reasons": ["length" if completion.truncated else "stop"],
        "gen_ai.usage.input_tokens": prompt,
        "gen_ai.usage.cache_read.input_tokens": cached,
        "gen_ai.usage.output_tokens": reply,
        "llm.token_count.prompt": prompt,
        "llm.token_count.prompt_details.cache_read": cached,
        "llm.token_count.completion": reply,
        "llm.token_count.total": prompt + reply,
    }


def _messages(request: Request) -> dict[str, Any]:
    turns = [{"role": one.role, "parts": [{"type": "text", "content": one.content}]} for one in request.messages]
    found: dict[str, Any] = {"gen_ai.input.messages": json.dumps(turns, ensure_ascii=False)}
    for place, one in enumerate(request.messages):
        found[f"llm.input_messages.{place}.message.role"] = one.role
        found[f"llm.input_messages.{place}.message.content"] = one.content
    return {**found, "input.value": request.messages[-1].content if request.messages else ""}


def _reply(completion: Completion) -> dict[str, Any]:
    part = {"type": "text", "content": completion.text}
    turn = {"role": "assistant", "parts": [part], "finish_reason": "length" if completion.truncated else "stop"}
    return {
        "gen_ai.output.messages": json.dumps([turn], ensure_ascii=False),
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": completion.text,
        "output.value": completion.text,
    }


Judged = Callable[[Reply | str], None]
"""Told the reply, or the code of the reason why there is none."""
_WORDS = ("reason", "feedback")


@where_traced
@contextmanager
def judgement(prompt: str, stage: str, reply: type[Reply]) -> Generator[Judged | None]:
    """A span around a question whose reply holds verdicts; None for other questions, and where nothing is traced."""
    if not issubclass(reply, Judgement):
        yield None
        return
    with recorded_span(prompt, "EVALUATOR", {"ragset.stage": stage, "ragset.prompt": prompt}) as one:

        def judged(reply: Reply | str) -> None:
            if isinstance(reply, str):
                mark_failed(one, reply)
                return
            found = [*_verdicts(reply)]
            one.set_attribute("output.value", json.dumps({name: value for name, value, _ in found}))
            one.set_attribute("output.mime_type", "application/json")
            for name, value, words in found:
                kind = "label" if isinstance(value, str) else "value"
                said = {"gen_ai.evaluation.explanation": words} if captures_content() and words else {}
                score = {"gen_ai.evaluation.name": name, f"gen_ai.evaluation.score.{kind}": value}
                one.add_event("gen_ai.evaluation.result", {**score, **said})

        yield judged


def _verdicts(reply: Reply, name: str = "") -> Iterator[tuple[str, float | str, str]]:
    """Name, value and reason of the fields in which a model chooses one of a few values: `groundedness.score`, `claims.0.supported`."""
    words = next((getattr(reply, word) for word in _WORDS if hasattr(reply, word)), "")
    for field, of in type(reply).model_fields.items():
        value, path = getattr(reply, field), f"{name}{field}"
        if isinstance(value, Reply):
            yield from _verdicts(value, f"{path}.")
        elif isinstance(value, tuple):
            for place, item in enumerate(value):
                if isinstance(item, Reply):
                    yield from _verdicts(item, f"{path}.{place}.")
        elif get_origin(of.annotation) is Literal or of.annotation is float:
            yield path, value, words
