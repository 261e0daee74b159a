"""Spans of judgements: one question to a critic with its verdicts, also where the journal answers it."""

import json
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Literal, get_origin

from ragset.llm.reply_fields import Judgement, Reply
from ragset.llm.tracing.spans import captures_content, mark_failed, recorded_span, where_traced

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
