"""Over real HTTP and WebSocket, around an application that answers everything."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from flows.deploy.prefect_server.guard import Guard, known_hosts

UI = "http://localhost:4200"


async def answer_all(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": 1000})
    elif scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"answered"})


@pytest.fixture
async def port() -> AsyncGenerator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = uvicorn.Server(
            uvicorn.Config(Guard(answer_all, known_hosts(), [UI], sign_in=True), log_level="error", lifespan="off")
        )
        serving = asyncio.create_task(server.serve(sockets=[free]))
        while not server.started:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        yield free.getsockname()[1]
        server.should_exit = True
        await serving


async def ask(port: int, path: str = "/", **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False) as client:
        return await client.get(f"http://127.0.0.1:{port}{path}", headers=headers)


async def test_this_machine_is_known_by_its_own_names_and_those_of_the_operator(
    monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    for host in (f"127.0.0.1:{port}", "localhost", f"LOCALHOST:{port}"):
        assert (await ask(port, Host=host)).text == "answered"
    monkeypatch.setenv("RAGSET_HOSTS", "prefect-server, Tests.Example.org")
    assert known_hosts() == {"127.0.0.1", "localhost", "prefect-server", "tests.example.org"}


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:4200", "127.0.0.1.evil.example", "localhost.", "127.0.0.1@evil.example", ""]
)
async def test_a_name_of_another_site_is_refused(port: int, host: str) -> None:
    refused = await ask(port, Host=host)
    assert refused.status_code == 403
    assert "RAGSET_HOSTS" in refused.text


async def test_a_request_without_a_host_or_with_two_is_refused(port: int) -> None:
    for lines in ("", f"Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET / HTTP/1.0\r\n{lines}\r\n".encode())
        status = (await reader.readline()).decode()
        assert status.split()[1] in {"400", "403"}
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def test_only_pages_of_this_server_and_of_the_ui_are_answered(port: int) -> None:
    for origin in (UI, f"http://127.0.0.1:{port}"):
        assert (await ask(port, Origin=origin)).text == "answered"
    # Another port of this machine is another site: the reports, or a server of another user.
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "https://localhost:4200", f"{UI}.evil.example"):
        assert (await ask(port, Origin=origin)).status_code == 403


async def test_no_page_of_another_site_can_show_an_answer_in_a_frame(port: int) -> None:
    assert (await ask(port)).headers["x-frame-options"] == "DENY"


async def test_a_websocket_is_held_to_the_same(port: int) -> None:
    address = f"ws://127.0.0.1:{port}/events"
    async with connect(address, proxy=None):
        pass
    async with connect(address, origin=Origin(UI), proxy=None):
        pass
    with pytest.raises(InvalidStatus, match="403"):
        await connect(address, origin=Origin("http://evil.example"), proxy=None)
    with pytest.raises(InvalidStatus, match="403"):
        await connect("ws://evil.example/events", host="127.0.0.1", port=port, proxy=None)


async def test_the_page_that_signs_a_browser_in_is_not_kept(port: int) -> None:
    page = await ask(port, "/sign-in")
    assert page.headers["cache-control"] == "no-store"
    assert "localStorage" in page.text
