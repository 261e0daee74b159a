"""One question with a reply that fits, or the reason why there is none. No default ever replaces a reply."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from inspect import isawaitable
from typing import Any, TypeVar

from pydantic import ValidationError

from ragset.errors import CaseRefused, problems_of
from ragset.llm.prompts.template import Prompt
from ragset.llm.protocol import LLM, Completion, Message, Request
from ragset.llm.replies import Reply
from ragset.llm.tracing import judgement
from ragset.models import Model

R = TypeVar("R", bound=Reply)

MALFORMED_TRIES = 2  # how often a reply that cannot be read is asked for again

_THINKING = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL)  # some servers leave out the start tag
_MOST_STARTS = 50  # how many braces are tried as the start of a reply, so that a text of braces does not cost seconds
_AGAIN = "Reply again with one JSON object of the fields asked for."
_DECODER = json.JSONDecoder(strict=False)


class Complaint(Model):
    """Why a check refuses a reply: a short code to count by, such as `quote_not_found`, and what the model should mend."""

    reason: str
    message: str


class Unfit(Model):
    """Why no reply fitted; the Reject of the case carries these words."""

    reason: str
    detail: str = ""


async def ask(
    llm: LLM,
    prompt: Prompt,
    reply: type[R],
    inputs: Mapping[str, Any],
    *,
    stage: str,
    check: Callable[[R], Awaitable[Complaint | None] | Complaint | None] | None = None,
    complaints: int = 1,
) -> R | Unfit:
    """The reply to `prompt` about `inputs`, as a `reply`, or Unfit after its bounded tries.

    A reply that cannot be read is asked for again, at most twice, with what was wrong with it; one that `check` refuses,
    `complaints` times at most. Errors of the model pass, except CaseRefused.
    """
    with judgement(prompt.name, stage, reply) as told:
        found = await _ask(llm, prompt, reply, inputs, stage, check, complaints)
        if told:
            told(found.reason if isinstance(found, Unfit) else found)
    return found


async def _ask(
    llm: LLM,
    prompt: Prompt,
    reply: type[R],
    inputs: Mapping[str, Any],
    stage: str,
    check: Callable[[R], Awaitable[Complaint | None] | Complaint | None] | None,
    complaints: int,
) -> R | Unfit:
    messages = prompt.render(inputs)
    malformed = complained = 0
    while True:
        request = Request(stage=stage, prompt=prompt.name, inputs=inputs, messages=messages, reply=reply)
        try:
            completion = await llm.complete(request)
        except CaseRefused as error:
            return Unfit(reason="refused_by_provider", detail=str(error))
        try:
            read = read_reply(completion, reply)
        except ValueError as error:
            if malformed == MALFORMED_TRIES:
                return Unfit(reason="malformed_reply", detail=str(error))
            malformed += 1
            again = f"That reply cannot be used: {error}."
        else:
            complaint = check(read) if check else None
            if isawaitable(complaint):
                complaint = await complaint
            if complaint is None:
                return read
            if complained == complaints:
                return Unfit(reason=complaint.reason, detail=complaint.message)
            complained += 1
            again = complaint.message
        said = Message(role="assistant", content=completion.text[:8000] or "{}")
        messages = (*messages, said, Message(role="user", content=f"{again} {_AGAIN}"))


def read_reply(completion: Completion, reply: type[R]) -> R:
    """The text of a completion as a `reply`: JSON, also inside fences, after prose or after reasoning.

    Raises ValueError if there is none; the message says what a model should mend.
    """
    if completion.truncated:
        raise ValueError("it was cut off before its end; be shorter")
    text = _THINKING.sub("", completion.text)
    fault, start = "there is no JSON object in it", text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            fault = f"its JSON breaks off or is wrong: {getattr(error, 'msg', 'nested too deep')}"
            start = text.find("{", start + 1)
            continue
        try:
            if "\\u" in text:  # halves of surrogate pairs, which no file or request can hold, become `?`
                value = json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
            return reply.model_validate(value)
        except ValidationError as error:
            fault = problems_of(error)
        start = text.find("{", end)
    raise ValueError(fault)
