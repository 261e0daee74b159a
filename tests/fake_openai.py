"""A server that speaks the OpenAI protocol over real HTTP, with deterministic replies and faults to order.

Run it (`python -m tests.fake_openai --port 0 --latency 0.05 --log calls.jsonl`; it prints its port when ready), or
start it from a test with `fake_openai()`. Whether a fault strikes depends on the seed, the body of the request and how
often that body was seen, so that a run is repeatable and a retry has another chance.
"""

import argparse
import asyncio
import contextlib
import hashlib
import json
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import IO, Any

from aiohttp import web

from tests.fake_batches import Batches
from tests.fake_replies import Luck, Options, chat, embeddings


@dataclass
class State:
    options: Options
    log: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    seen: Counter[bytes] = field(default_factory=Counter[bytes])
    requests: int = 0
    answered: int = 0
    listed: int = 0
    active: int = 0
    highest: int = 0
    batches: Batches = field(default_factory=Batches)


class Refusal(Exception):  # noqa: N818
    """Answered with a status other than 200."""

    def __init__(self, status: int, message: str, *, code: str = "", headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.headers = status, message, code, headers or {}


class Server:
    def __init__(self, options: Options, log: IO[str] | None) -> None:
        self._start = options
        self._file = log
        self._state = State(options)

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.add_routes(
            [
                web.post("/v1/chat/completions", self.chat),
                web.post("/v1/embeddings", self.embeddings),
                web.get("/v1/models", self.models),
                web.get("/_log", self.log),
                web.get("/_stats", self.stats),
                web.post("/_set", self.set),
                web.post("/_reset", self.reset),
            ]
        )
        for method, path in Batches.PATHS:
            app.router.add_route(method, f"/v1/{path}", self.batch)
        return app

    async def batch(self, request: web.Request) -> web.Response:
        state = self._state
        if state.options.key and not _has_key(request, state.options):
            raise web.HTTPUnauthorized
        return await state.batches.answer(request, state.options, self._answer_line)

    def _answer_line(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """The status and body for a request of a batch."""
        state, raw = self._state, json.dumps(body).encode()
        luck = Luck(state.options.seed, hashlib.blake2b(raw, digest_size=16).digest(), 1)
        entry = {"path": "/v1/batches", "digest": _digest(body), "model": body.get("model"), "reply": "", "status": 500}
        entry |= {"prompt_tokens": 0, "started": time.time(), "ended": time.time()}
        state.log.append(entry)
        if luck.strikes("batch", state.options.batch_errors):
            return 500, {"error": {"message": "The server had an error.", "type": "server_error", "code": None}}
        answer = chat(body, state.options, luck, entry)
        entry["status"] = 200
        state.answered += 1
        return 200, answer

    async def chat(self, request: web.Request) -> web.Response:
        return await self._answer(request, chat)

    async def embeddings(self, request: web.Request) -> web.Response:
        return await self._answer(request, embeddings)

    async def models(self, request: web.Request) -> web.Response:
        self._state.listed += 1
        if self._state.options.no_list:
            raise web.HTTPNotFound
        names = [name for name in self._state.options.models.split(",") if name]
        return web.json_response({"object": "list", "data": [{"id": name, "object": "model"} for name in names]})

    async def log(self, request: web.Request) -> web.Response:
        return web.json_response(self._state.log)

    async def stats(self, request: web.Request) -> web.Response:
        state = self._state
        names = ("requests", "answered", "active", "highest", "listed")
        counts = {name: getattr(state, name) for name in names}
        counts["batches"] = len(state.batches.made)
        return web.json_response({**counts, "processor_ms": int(time.process_time() * 1000)})

    async def set(self, request: web.Request) -> web.Response:
        self._state.options = replace(self._state.options, **await request.json())
        return web.json_response({})

    async def reset(self, request: web.Request) -> web.Response:
        self._state.batches.stop()
        self._state = State(self._start)
        return web.json_response({})

    async def _answer(self, request: web.Request, reply: Any) -> web.Response:
        state = self._state
        options = state.options
        started = time.time()
        raw = await request.read()
        state.requests += 1
        state.active += 1
        state.highest = max(state.highest, state.active)
        digest = hashlib.blake2b(raw, digest_size=16).digest()
        state.seen[digest] += 1
        luck = Luck(options.seed, digest, state.seen[digest])
        body: dict[str, Any] = json.loads(raw)
        entry = {
            "path": request.path,
            "digest": _digest(body),
            "model": body.get("model"),
            "reply": "",
            "status": 0,
            "prompt_tokens": 0,
            "started": started,
        }
        try:
            if 0 < options.quota_after < state.requests:
                raise _out_of_quota()
            if options.latency or options.jitter:
                await asyncio.sleep(options.latency + luck.draw("jitter") * options.jitter)
            _check(request, body, options, luck, state.active)
            if luck.strikes("hung", options.hung) or 0 < options.answers <= state.answered:
                entry["fault"] = "hung"
                await asyncio.Event().wait()
            answer = reply(body, options, luck, entry)
            entry["status"] = 200
            state.answered += 1
            text = options.body or json.dumps(answer, ensure_ascii=False)
            return web.Response(text=text, content_type=options.content_type)
        except Refusal as refused:
            entry["status"] = refused.status
            error = {"message": refused.message, "type": "error", "param": None, "code": refused.code or None}
            text = options.body or json.dumps({"error": error})
            return web.Response(
                status=refused.status, text=text, headers=refused.headers, content_type=options.content_type
            )
        except asyncio.CancelledError:
            entry["status"] = 499  # whoever asked has gone
            raise
        finally:
            state.active -= 1
            entry["ended"] = time.time()
            state.log.append(entry)
            if self._file:
                self._file.write(json.dumps(entry) + "\n")
                self._file.flush()


def _check(request: web.Request, body: dict[str, Any], options: Options, luck: Luck, active: int) -> None:
    if options.key and not _has_key(request, options):
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        raise Refusal(401, f"Incorrect API key provided: {given}.", code="invalid_api_key")
    if options.status:
        headers = {"Retry-After": options.retry_after} if options.status in {429, 503} and options.retry_after else None
        raise Refusal(options.status, "as ordered", headers=headers)
    if options.quota_spent:
        raise _out_of_quota()
    if options.max_concurrent and active > options.max_concurrent:
        headers = {"Retry-After": options.retry_after} if options.retry_after else None
        raise Refusal(429, "Rate limit reached", code="rate_limit_exceeded", headers=headers)
    if options.models and body.get("model") not in options.models.split(","):
        raise Refusal(404, f"The model `{body.get('model')}` does not exist", code="model_not_found")
    for name in filter(None, options.unsupported.split(",")):
        if name in body:
            raise Refusal(400, f"Unsupported parameter: '{name}' is not supported.", code="unsupported_parameter")
    if options.too_long and sum(len(message["content"]) for message in body.get("messages", [])) > options.too_long:
        raise Refusal(options.too_long_status, options.too_long_says)
    kind = body.get("response_format", {}).get("type", "text")
    if (kind == "json_schema" and options.no_json_schema) or (kind == "json_object" and options.no_json_object):
        raise Refusal(400, f"Invalid value for response_format.type: '{kind}' is not supported.", code="invalid_value")
    if luck.strikes("errors", options.errors):
        raise Refusal(500, "The server had an error while processing your request.")


def _has_key(request: web.Request, options: Options) -> bool:
    return request.headers.get("Authorization") == f"Bearer {options.key}"


def _out_of_quota() -> Refusal:
    message = "You exceeded your current quota, please check your plan and billing details."
    return Refusal(429, message, code="insufficient_quota")


def _digest(body: dict[str, Any]) -> str:
    """Of what was asked of whom, in whatever form the reply was wanted."""
    asked = json.dumps([body.get("model"), body.get("messages", body.get("input"))])
    return hashlib.blake2b(asked.encode(), digest_size=8).hexdigest()


class Fake:
    """The running server, from outside."""

    def __init__(self, port: int) -> None:
        self._root = f"http://127.0.0.1:{port}"
        self.url = f"{self._root}/v1"

    def log(self) -> list[dict[str, Any]]:
        """An entry for each finished request, and for each whose sender has gone."""
        return self._ask("/_log")

    def stats(self) -> dict[str, int]:
        """`requests`, `answered` (with 200), `active`, `highest` (the most active at once), `listed`, `batches`, `processor_ms`."""
        return self._ask("/_stats")

    def set(self, **options: Any) -> None:
        """Change options for the requests to come."""
        self._ask("/_set", options)

    def reset(self) -> None:
        """As it was started: options, log and counts."""
        self._ask("/_reset", {})

    def _ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self._root + path, data), timeout=30) as response:
            return json.load(response)


@contextlib.contextmanager
def fake_openai(*, log: Path | None = None, program: str = "tests.fake_openai", **options: Any) -> Generator[Fake]:
    """The server, or another `program` that takes its options, as a process of its own, for the length of the block."""
    command = [sys.executable, "-m", program, "--port", "0"]
    for name, value in options.items():
        command += [f"--{name.replace('_', '-')}", str(value)]
    if log:
        command += ["--log", str(log)]
    root = Path(__file__).resolve().parents[1]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield Fake(int(process.stdout.readline()))
        finally:
            process.kill()


async def serve(server: Server, port: int) -> None:
    runner = web.AppRunner(server.app(), access_log=None, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    print(runner.addresses[0][1], flush=True)  # noqa: T201
    await asyncio.Event().wait()


def _truth(text: str) -> bool:
    return text.lower() in {"1", "true", "yes"}


def main(server: type[Server] = Server) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fake_openai", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", type=Path)
    for option in fields(Options):
        kind = type(option.default)
        read = _truth if kind is bool else kind
        parser.add_argument(f"--{option.name.replace('_', '-')}", type=read, default=option.default)
    given = vars(parser.parse_args())
    port, path = given.pop("port"), given.pop("log")
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(path.open("a", encoding="utf-8")) if path else None
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve(server(Options(**given), log), port))


if __name__ == "__main__":
    main()
