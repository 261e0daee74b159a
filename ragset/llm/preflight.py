"""Whether a model answers, and in which format its server takes requests: found out once, before a run."""

from ragset.llm.client import OpenAIClient
from ragset.llm.journal import Journal
from ragset.llm.request_format import RequestFormat


async def preflight(client: OpenAIClient, journal: Journal) -> None:
    """Find out, once a journal, whether the model answers (see `OpenAIClient.check`) and which format its server takes."""
    name = f"ready {client.endpoint} {client.model}"
    if known := RequestFormat.parse(journal.recall(name) or ""):
        client.form = known
        return
    await client.check()
    await journal.remember(name, str(client.form))
