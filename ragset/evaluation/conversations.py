"""What a system receives of a golden of several turns."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from ragset.dataset.dialogue import Message, as_dialogue, messages_of
from ragset.models import Golden

Form = Literal["rewritten", "history", "question"]
"""`rewritten`: the last question rewritten to stand alone; `history`: the last question with all that was said before; `question`:
the last question without it."""


class Asked(NamedTuple):
    """A query as a system receives it."""

    query: str
    history: tuple[Message, ...] = ()
    """What was said before, first to last."""

    @property
    def words(self) -> str:
        """All that was said, a line each, as a search takes it."""
        return "\n".join([*(message["content"] for message in self.history), self.query])

    @property
    def dialogue(self) -> str:
        """The same with who said it, for readers and for systems that take one text; a query without history as it is."""
        if not self.history:
            return self.query
        return as_dialogue([*self.history, {"role": "user", "content": self.query}])


def asked_of(golden: Golden, form: Form = "rewritten") -> Asked:
    """What a system is asked for a golden; one without a conversation is asked its query in every form."""
    said = golden.conversation
    if said is None or form == "rewritten":
        return Asked(golden.query)
    return Asked(said.question, tuple(messages_of(said)[:-1]) if form == "history" else ())


def parameters_of(function: Any) -> Mapping[str, inspect.Parameter]:
    """By name; none of a function that is written in C and does not say."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def receiving(function: Any) -> Callable[..., Any]:
    """The function as one of what is asked, and more; the dialogue is one text where it has no parameter `history`."""

    def with_history(asked: Asked, *more: Any) -> Any:
        return function(asked.query, *more, history=[*asked.history])

    def as_one_text(asked: Asked, *more: Any) -> Any:
        return function(asked.dialogue, *more)

    return with_history if "history" in parameters_of(function) else as_one_text
