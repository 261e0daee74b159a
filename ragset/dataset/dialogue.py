"""The conversation that ends in a golden's query, as messages and as one text."""

from collections.abc import Iterable

from ragset.models import Conversation, Golden

Message = dict[str, str]
"""A message as chat models take it: `role` is user or assistant."""


def messages_of(conversation: Conversation) -> list[Message]:
    """All that is said in it, the last question too."""
    messages: list[Message] = []
    for turn in conversation.turns:
        messages += [{"role": "user", "content": turn.question}, {"role": "assistant", "content": turn.answer}]
    return [*messages, {"role": "user", "content": conversation.question}]


def as_dialogue(messages: Iterable[Message]) -> str:
    """Each message on a line, after who said it."""
    return "\n".join(f"{message['role'].capitalize()}: {message['content']}" for message in messages)


def dialogue_of(golden: Golden) -> str:
    """The conversation of a golden; empty where it has none."""
    return as_dialogue(messages_of(golden.conversation)) if golden.conversation else ""
