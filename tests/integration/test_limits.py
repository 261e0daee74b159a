"""Limits that several runs share, on a real Prefect server."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate, GlobalConcurrencyLimitUpdate
from prefect.exceptions import ObjectNotFound
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

from flows.deploy.service.secret import SENT
from ragset.dataset import read_dataset
from ragset.errors import ServerError
from ragset.llm.client import OpenAIClient
from ragset.retrieval.embedding import connect_embedder
from ragset.settings import EmbeddingSettings, ModelSettings
from tasks.limits import CALLS, CALLS_PER_MINUTE, Limits
from tests.clients import environment, request_of
from tests.fake_openai import Fake
from tests.integration.conftest import Command, url

pytestmark = pytest.mark.service


@pytest.fixture
def api(prefect_api: str) -> Generator[str]:
    with temporary_settings({PREFECT_API_URL: prefect_api, PREFECT_API_AUTH_STRING: os.environ[SENT]}):
        yield prefect_api


@pytest.fixture
async def server(api: str) -> AsyncGenerator[PrefectClient]:
    """Without limits before and after, which would hold for other tests."""
    async with get_client() as client:
        yield client
        for name in (CALLS, CALLS_PER_MINUTE):
            with suppress(ObjectNotFound):
                await client.delete_global_concurrency_limit_by_name(name)


async def limit(server: PrefectClient, name: str, slots: int, **more: Any) -> None:
    await server.create_global_concurrency_limit(GlobalConcurrencyLimitCreate(name=name, limit=slots, **more))


async def taken(server: PrefectClient) -> int:
    return (await server.read_global_concurrency_limit_by_name(CALLS)).active_slots


@asynccontextmanager
async def runs(number: int) -> AsyncGenerator[list[Limits]]:
    """As many runs, as far as the server can tell."""
    opened = [Limits() for _ in range(number)]
    try:
        yield opened
    finally:
        for one in opened:
            await one.aclose()


async def until(true: Callable[[], bool]) -> None:
    """Return when it is so, soon."""
    async with asyncio.timeout(120):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


class Calls:
    """Calls that take a while, and what was seen of them."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.active = self.highest = 0
        self.began: list[float] = []

    async def one(self, limits: Limits) -> None:
        async with limits():
            self.active += 1
            self.highest = max(self.highest, self.active)
            self.began.append(time.monotonic())
            try:
                await asyncio.sleep(self.seconds)
            finally:
                self.active -= 1

    async def keep_on(self, limits: Limits, end: float) -> int:
        made = 0
        while time.monotonic() < end:
            await self.one(limits)
            made += 1
        return made


async def test_a_run_that_comes_when_another_holds_all_slots_gets_its_share_and_none_are_left_taken(
    server: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in {"_TURN": 0.2, "_FED": 0.1, "_HUNGRY": 0.05}.items():
        monkeypatch.setattr(f"tasks.limits.slots.{name}", seconds)
    await limit(server, CALLS, 8)
    calls = Calls(0.02)
    async with runs(2) as (first, second):
        alone = [asyncio.create_task(calls.keep_on(first, time.monotonic() + 600)) for _ in range(8)]
        await until(lambda: calls.active == 8)  # all slots are the first one's
        async with asyncio.timeout(120):  # a run that is left without would wait for ever
            for _ in range(3):
                await asyncio.gather(*(calls.one(second) for _ in range(8)))
        for task in alone:
            task.cancel()
        await asyncio.gather(*alone, return_exceptions=True)
    assert calls.highest <= 8
    assert await taken(server) == 0


async def test_a_call_that_is_cancelled_gives_back_its_slot(server: PrefectClient) -> None:
    await limit(server, CALLS, 1)
    calls = Calls(60)
    async with runs(1) as (only,):
        holds = asyncio.create_task(calls.one(only))
        await until(lambda: calls.active == 1)
        waits, comes_next = (asyncio.create_task(calls.one(only)) for _ in range(2))
        await asyncio.sleep(0.05)
        waits.cancel()
        holds.cancel()
        await until(lambda: len(calls.began) == 2)
        comes_next.cancel()
        await asyncio.gather(holds, waits, comes_next, return_exceptions=True)
    assert calls.highest == 1
    assert await taken(server) == 0


async def test_slots_that_nobody_wants_are_given_back_while_the_run_goes_on(
    server: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.limits.slots._TURN", 0.3)
    await limit(server, CALLS, 4)
    async with runs(1) as (only,):
        await asyncio.gather(*(Calls(0.01).one(only) for _ in range(4)))
        assert await taken(server) > 0
        async with asyncio.timeout(120):
            while await taken(server):  # noqa: ASYNC110
                await asyncio.sleep(0.1)


async def test_calls_a_minute_are_sent_at_once_up_to_the_limit_and_then_as_it_fills_again(
    server: PrefectClient,
) -> None:
    await limit(server, CALLS_PER_MINUTE, 10, slot_decay_per_second=10.0)
    calls = Calls(0)
    async with runs(2) as both:
        await asyncio.gather(*(calls.one(one) for one in both for _ in range(20)))
    began = sorted(calls.began)
    for first in range(40):
        for last in range(first, 40):
            # as many as the bucket holds, and what has come in meanwhile; the server's answer takes a little
            assert last - first + 1 <= 10 + 10 * (began[last] - began[first] + 0.1)
    # 30 calls of 10 a second
    assert 2.9 < began[-1] - began[0] < 15


async def test_a_limit_that_is_disabled_or_not_there_is_none(server: PrefectClient) -> None:
    await limit(server, CALLS, 1, active=False)
    calls = Calls(0.05)
    async with runs(1) as (only,):
        await asyncio.gather(*(calls.one(only) for _ in range(8)))
        assert calls.highest >= 7  # the first looks the limits up, and the others wait for that
        began = time.process_time()
        for _ in range(1000):
            async with only():
                pass
        assert time.process_time() - began < 0.5  # a thousand requests would take two seconds and more


async def test_a_limit_that_is_disabled_in_mid_run_ends_the_waiting(server: PrefectClient) -> None:
    await limit(server, CALLS, 1)
    calls = Calls(0.3)
    async with runs(1) as (only,):
        made = [asyncio.create_task(calls.one(only)) for _ in range(8)]
        await asyncio.sleep(0.2)
        await server.update_global_concurrency_limit(CALLS, GlobalConcurrencyLimitUpdate(active=False))
        await asyncio.gather(*made)
    assert calls.highest > 1


async def test_a_limit_of_nothing_says_so(server: PrefectClient) -> None:
    await limit(server, CALLS, 0)
    async with runs(1) as (only,):
        with pytest.raises(ServerError, match=f"{CALLS} .* is 0, so no model may be called: raise it"):
            await Calls(0).one(only)


async def test_a_rate_whose_slots_never_come_back_says_so(server: PrefectClient) -> None:
    await limit(server, CALLS_PER_MINUTE, 5)
    async with runs(1) as (only,):
        with pytest.raises(ServerError, match="slot_decay_per_second to a sixtieth"):
            await Calls(0).one(only)


async def test_a_server_that_is_gone_in_mid_run_ends_the_calls_with_its_address(
    server: PrefectClient, api: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.limits.server._PATIENCE", 1.0)
    monkeypatch.setattr("tasks.limits.server.REQUEST_SECONDS", 0.5)
    monkeypatch.setattr("tasks.limits.slots._TURN", 0.2)
    await limit(server, CALLS, 2)
    calls = Calls(0.05)
    async with relay(int(api.split(":")[2].split("/")[0])) as (port, cut):
        with temporary_settings({PREFECT_API_URL: f"http://127.0.0.1:{port}/api"}):
            async with runs(1) as (only,), asyncio.timeout(120):
                await calls.one(only)
                cut()
                with pytest.raises(ServerError, match=f"PREFECT_API_URL: .*:{port}.*nothing that was answered is lost"):
                    await calls.keep_on(only, time.monotonic() + 20)
                with pytest.raises(ServerError, match="PREFECT_API_URL"):
                    await calls.one(only)


@asynccontextmanager
async def relay(port: int) -> AsyncGenerator[tuple[int, Any]]:
    """Another address of that server, which can be cut off."""
    open_ones: set[asyncio.StreamWriter] = set()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        open_ones.update((writer, back))
        await asyncio.gather(copy(reader, back), copy(there, writer))

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)

    def cut() -> None:
        listening.close()
        for writer in open_ones:
            writer.transport.abort()

    try:
        yield listening.sockets[0].getsockname()[1], cut
    finally:
        cut()
        await asyncio.sleep(0.05)


async def test_every_try_passes_the_gate_anew(server: PrefectClient, fake: Fake) -> None:
    await limit(server, CALLS_PER_MINUTE, 100, slot_decay_per_second=0.001)
    fake.set(errors=0.3)
    async with runs(1) as (only,):
        client = OpenAIClient(ModelSettings(model="m"), environment(fake.url), shared_limit=only)
        await asyncio.gather(*(client.complete(request_of(f"Tea number {case}.")) for case in range(20)))
        await client.aclose()
    found = await server.read_global_concurrency_limit_by_name(CALLS_PER_MINUTE)
    assert found.active_slots == fake.stats()["requests"] > 20


async def test_requests_to_an_embedding_model_are_model_calls(server: PrefectClient, fake: Fake) -> None:
    await limit(server, CALLS, 2)
    fake.set(latency=0.5)
    async with runs(1) as (only,):
        await Calls(0).one(only)
        settings = EmbeddingSettings(model="m", batch_size=1)
        embedder = connect_embedder(settings, environment(fake.url), only.in_thread)
        vectors = await asyncio.to_thread(embedder.embed, [f"Tea number {text}." for text in range(8)])
    assert len(vectors) == 8
    assert np.isfinite(vectors).all()
    assert fake.stats()["highest"] == 2


@pytest.mark.slow
async def test_two_commands_at_once_stay_under_one_limit_and_both_get_their_goldens(
    server: PrefectClient, command: Command, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    await limit(server, CALLS, 5)
    fake.set(latency=0.15)
    made: dict[str, Path] = {name: tmp_path / name for name in ("one", "two")}
    started = [
        command.beside(tmp_path / f"home-{name}").start(
            "single-chunk",
            str(corpus),
            "--chunk-size",
            "100",
            "--n",
            "20",
            "--model",
            name,
            "--out",
            str(out),
            **url(fake),
        )
        for name, out in made.items()
    ]
    for process in started:
        _, err = await asyncio.to_thread(process.communicate, timeout=400)
        assert process.returncode == 0, err
    assert [len(read_dataset(out).goldens) for out in made.values()] == [20, 20]
    assert fake.stats()["highest"] <= 5
    for name in made:
        began = sorted(entry["started"] for entry in fake.log() if entry["model"] == name and entry["reply"] != "Ready")
        # a turn of three seconds, and its calls: then the other has its share
        assert max(later - earlier for earlier, later in pairwise(began)) < 6
    assert await taken(server) == 0
