"""The smallest request there is: whoever refuses it refuses more than one case."""

from ragset.llm.protocol import Message, Request
from ragset.llm.replies import Reply


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
