import gzip
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from ragset.llm.endpoint import Endpoint
from ragset.llm.http_client import HTTPClient, StatusError

PROXY_USER = "Basic dXNlcjpwdw=="  # user:pw in Base64


@asynccontextmanager
async def server(answer: web.Response) -> AsyncGenerator[tuple[str, list[web.BaseRequest]]]:
    """Its address and the requests that it saw; it answers each with `answer`."""
    seen: list[web.BaseRequest] = []

    async def handle(request: web.BaseRequest) -> web.Response:
        seen.append(request)
        return answer

    runner = web.ServerRunner(web.Server(handle))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"127.0.0.1:{runner.addresses[0][1]}", seen
    finally:
        await runner.cleanup()


async def posted(address: str) -> bytes:
    client = HTTPClient(Endpoint("", f"http://{address}/v1/"), "sk-1", timeout=5)
    try:
        return await client.post("/chat/completions", {"text": "Grüße"})
    finally:
        await client.aclose()


async def test_a_request_carries_key_organisation_and_project_and_its_answer_is_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-1")
    packed = web.Response(body=gzip.compress(b"answer"), headers={"Content-Encoding": "gzip"})
    async with server(packed) as (address, seen):
        assert await posted(address) == b"answer"
    names = ("Authorization", "OpenAI-Organization", "OpenAI-Project", "Content-Type")
    assert [seen[0].headers[name] for name in names] == ["Bearer sk-1", "org-1", "project-1", "application/json"]
    assert seen[0].path == "/v1/chat/completions"


async def test_a_proxy_with_a_password_is_used_except_for_hosts_of_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY", "all_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    async with server(web.Response(text="by proxy")) as (proxy, seen):
        monkeypatch.setenv("http_proxy", f"http://user:pw@{proxy}")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert await posted("model.invalid") == b"by proxy"
        assert seen[0].headers["Proxy-Authorization"] == PROXY_USER
        assert seen[0].headers["Host"] == "model.invalid"
        async with server(web.Response(text="direct")) as (direct, _):
            assert await posted(direct) == b"direct"


@pytest.mark.parametrize(
    ("text", "body", "message"),
    [
        (json.dumps({"error": {"message": "no"}}), {"message": "no"}, '{"error": {"message": "no"}}'),
        ('{"error": "no"}', "no", '{"error": "no"}'),
        ("<html>", None, "<html>"),
        ("", None, "status 418"),
    ],
)
async def test_a_status_of_400_or_more_is_an_error_with_what_the_server_says(
    text: str, body: object, message: str
) -> None:
    async with server(web.Response(status=418, text=text, headers={"Retry-After": "7"})) as (address, _):
        with pytest.raises(StatusError) as refused:
            await posted(address)
    error = refused.value
    assert (error.status_code, error.body, error.message, error.headers["retry-after"]) == (418, body, message, "7")


async def test_nobody_at_the_address_is_a_connection_error() -> None:
    async with server(web.Response()) as (address, _):
        pass
    with pytest.raises(ConnectionError):
        await posted(address)
