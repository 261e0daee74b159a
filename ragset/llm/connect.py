"""A model outside of a run of Prefect: asked each question once, within a budget."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from ragset.llm.client import OpenAIClient
from ragset.llm.journal import Journal
from ragset.llm.journaled import BudgetTracker, Journaled
from ragset.llm.preflight import preflight
from ragset.llm.protocol import LLM
from ragset.llm.usage import load_prices
from ragset.settings import Budget, Environment, ModelSettings
from ragset.settings.home import check_home


@asynccontextmanager
async def connected(settings: ModelSettings, env: Environment, budget: Budget, run: str) -> AsyncGenerator[LLM]:
    """The model, once it has answered; replies are kept in the journal, and count against what `run` may spend."""
    check_home(env.ragset_home)
    journal = Journal(env.journal)
    try:
        client = OpenAIClient(settings, env)
        try:
            await preflight(client, journal)
            tracker = BudgetTracker(journal, run, budget, load_prices(env.ragset_prices))
            yield Journaled(client, journal, tracker, at_once=settings.max_concurrency)
        finally:
            await client.aclose()
    finally:
        journal.close()
