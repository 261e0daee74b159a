"""The smallest request there is: a provider that refuses it refuses more than one case."""

from typing import TYPE_CHECKING

from ragset.llm.journal import Journal
from ragset.llm.protocol import Message, Request
from ragset.llm.reply_fields import Reply
from ragset.llm.request_format import RequestFormat

if TYPE_CHECKING:
    from ragset.llm.client import OpenAIClient


class Ready(Reply):
    """That the model answers."""

    ready: bool


READY = Request(
    stage="preflight",
    prompt="preflight",
    inputs={},
    messages=(
        Message(role="system", content='You reply in JSON. When asked, reply {"ready": true}.'),
        Message(role="user", content="Ready?"),
    ),
    reply=Ready,
)


async def preflight(client: "OpenAIClient", journal: Journal) -> None:
    """Return if the model answers, and tell the client how the server takes requests; both are asked once a journal.

    Raises:
        ProviderRefused, LLMUnavailable: one line that says what to set.
    """
    name = f"ready {client.endpoint} {client.model}"
    known = RequestFormat.parse(journal.recall(name) or "")
    if known is not None:
        client.form = known
        return
    await client.check()
    await journal.remember(name, str(client.form))
