"""Keeps the pages of other sites away from Prefect's server, and signs the browser in by a link.

A page of any site can send requests to this machine, and can give this machine a name of its own site. So a request is
answered only if it asks for a known name, and only if no page of another site sent it. What a request may do is decided by
the server's secret (PREFECT_SERVER_API_AUTH_STRING), which Prefect asks for at every address of its API but two that say
whether it works.
"""

import json
import os
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

SIGN_IN = "/sign-in"
"""The page that takes the secret from the part of its address after `#`, which no browser sends or logs."""

_POLICY_VIOLATION = 1008
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
}
_PAGE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>ragset: sign in</title>
<p id="told">Signing in</p>
<script>
  const password = btoa(decodeURIComponent(location.hash.slice(1)));
  history.replaceState(null, "", location.pathname);
  fetch("/api/admin/version", { headers: { Authorization: `Basic ${password}` } }).then((answer) => {
    if (answer.ok) {
      // Where both versions of Prefect's UI look for it.
      localStorage.setItem("prefect-password", password);
      location.replace("/");
    } else {
      document.getElementById("told").textContent =
        "This link does not open this service. Run `python -m flows serve` again: it prints the right one.";
    }
  });
</script>
"""


def known_hosts() -> frozenset[str]:
    """Under which a server may be asked for: this machine's names, and those of RAGSET_HOSTS, with commas between."""
    more = os.environ.get("RAGSET_HOSTS", "").split(",")
    return frozenset({"127.0.0.1", "localhost"} | {name.strip().lower() for name in more if name.strip()})


def host_name(header: str) -> str:
    """The name of a `Host` header, without its port."""
    name, _, port = header.rpartition(":")
    return (name if port.isdigit() else header).lower()


def sign_in_link(ui: str, secret: str) -> str:
    """Opens the UI in a browser that has not been signed in yet."""
    return f"{ui}{SIGN_IN}#{secret}"


class Guard:
    """An ASGI application around Prefect's."""

    def __init__(self, app: App, hosts: Collection[str], origins: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, answer it with the page to sign in, or refuse it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        if scope["type"] == "http":
            send = _with_headers(send)
        if refusal := self._refusal(scope):
            await _refuse(scope, receive, send, refusal)
        elif scope["type"] == "http" and scope["path"] == SIGN_IN and scope["method"] == "GET":
            await _answer(send, 200, b"text/html; charset=utf-8", _PAGE)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> str | None:
        """Why the request is not answered; None: it is."""
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        asked = [value.decode("latin-1") for name, value in headers if name == b"host"]
        if len(asked) != 1 or host_name(asked[0]) not in self._hosts:
            return f"Host: this server answers to {', '.join(sorted(self._hosts))}; add a name with RAGSET_HOSTS"
        own = {f"http://{asked[0]}", f"https://{asked[0]}"} | self._origins
        for name, value in headers:
            if name == b"origin" and value.decode("latin-1") not in own:
                return "Origin: this server does not answer pages of other sites"
        return None


def _with_headers(send: Send) -> Send:
    """With what keeps pages of other sites from showing an answer in a frame of theirs."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            more = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, why: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": why})
    else:
        await _answer(send, 403, b"application/json", json.dumps({"detail": why}).encode())


async def _answer(send: Send, status: int, kind: bytes, body: bytes) -> None:
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
