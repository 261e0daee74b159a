"""Keeps the pages of other sites away from our servers, and signs the browser in to Prefect's by a link.

A page of any site can send requests to this machine, and can give this machine a name of its own site. So the guard answers
only requests to a known name that no page of another site sent. Prefect asks for the server's secret
(PREFECT_SERVER_API_AUTH_STRING) at every address of its API but two that say whether it works.
"""

import os
import re
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

SIGN_IN = "/sign-in"
"""The page that takes the secret from the part of its address after `#`, which no browser sends or logs."""

_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
}
_SIGN_IN_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>ragset: sign in</title>
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
        "This link does not open this service. Run the command `serve` again: it prints the right one.";
    }
  });
</script>
"""


def known_hosts() -> frozenset[str]:
    """The names that a server answers to: this machine's, and those of RAGSET_HOSTS, with commas between."""
    more = os.environ.get("RAGSET_HOSTS", "").split(",")
    return frozenset({"127.0.0.1", "localhost"} | {name.strip().lower() for name in more if name.strip()})


def sign_in_link(ui: str, secret: str) -> str:
    """The address that signs a browser in and opens the UI."""
    return f"{ui}{SIGN_IN}#{secret}"


class Guard:
    """An ASGI application around another; with `sign_in` it has a page that takes the secret of Prefect's API."""

    def __init__(
        self, app: ASGIApp, hosts: Collection[str], origins: Collection[str] = (), *, sign_in: bool = False
    ) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)
        self._sign_in = sign_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, answer it with the page to sign in, or refuse it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message.setdefault("headers", [])
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        refusal = self._refusal(Headers(scope=scope))
        if scope["type"] == "websocket":
            if refusal:
                await receive()
            await (WebSocketClose(1008, refusal) if refusal else self._app)(scope, receive, send)
            return
        answer = self._app
        if refusal:
            answer = JSONResponse({"detail": refusal}, 403, {"cache-control": "no-store"})
        elif self._sign_in and scope["path"] == SIGN_IN and scope["method"] == "GET":
            answer = HTMLResponse(_SIGN_IN_PAGE, headers={"cache-control": "no-store"})
        await answer(scope, receive, send_with_headers)

    def _refusal(self, headers: Headers) -> str | None:
        asked = headers.getlist("host")
        if len(asked) != 1 or re.sub(r":\d+$", "", asked[0]).lower() not in self._hosts:
            return f"Host: this server answers to {', '.join(sorted(self._hosts))}; add a name with RAGSET_HOSTS"
        own = {f"http://{asked[0]}", f"https://{asked[0]}"} | self._origins
        if not own.issuperset(headers.getlist("origin")):
            return "Origin: this server does not answer pages of other sites"
        return None
