"""A model that says what a test tells it to, and remembers what it was asked."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from ragset.llm.protocol import Completion, Request


class Scripted:
    """Answers each request of a prompt with the next of its replies; the last one is repeated."""

    model = "scripted"

    def __init__(self, replies: Mapping[str, Sequence[BaseModel | str]]) -> None:
        self._replies = {prompt: list(said) for prompt, said in replies.items()}
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        said = self._replies[request.prompt]
        reply = said.pop(0) if len(said) > 1 else said[0]
        text = reply if isinstance(reply, str) else reply.model_dump_json()
        return Completion(text=text, model=self.model, prompt_tokens=100, completion_tokens=10)
