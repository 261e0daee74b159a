"""Requests to an OpenAI-compatible server over one aiohttp session.

The `openai` package would take three times as much processor time for a request, and seconds to import.
"""

import json
import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from ragset.llm.endpoint import OPENAI, Endpoint
from ragset.llm.json_bytes import dump

if TYPE_CHECKING:
    from aiohttp import ClientSession

_LONGEST_CONNECT = 10.0  # seconds; a model may take minutes to load and answer, a server is there or not
_LONGEST_IDLE = 4.0  # seconds until an unused connection is closed: many servers close theirs after 5
_HEADERS = {
    "OPENAI_ORG_ID": "OpenAI-Organization",
    "OPENAI_PROJECT_ID": "OpenAI-Project",
}  # by variables of the `openai` package


class StatusError(Exception):
    """A response with a status of 400 or more; it has the attributes of `openai.APIStatusError` that are read here."""

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.status_code, self.headers = status, headers
        text = content.decode(errors="replace")
        self.message = text.strip() or f"status {status}"
        try:
            body: Any = json.loads(text)
        except (ValueError, RecursionError):
            body = None
        self.body = body.get("error", body) if isinstance(body, dict) else body
        super().__init__(f"status {status}")


class HTTPClient:
    """Belongs to the event loop of its first request; `aclose` it there."""

    def __init__(self, endpoint: Endpoint, key: str, timeout: float) -> None:
        self._address = (endpoint.address or OPENAI).rstrip("/")
        self._timeout = timeout
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "User-Agent": "ragset"}
        self._headers |= {name: os.environ[found] for found, name in _HEADERS.items() if os.environ.get(found)}

    async def post(self, path: str, body: object) -> bytes:
        """The body of the answer; raises StatusError, TimeoutError, or ConnectionError where the server cannot be reached."""
        import aiohttp

        try:
            async with self._session.post(f"{self._address}{path}", data=dump(body)) as response:
                answer = await response.read()
        except aiohttp.ClientError as error:
            raise ConnectionError(type(error).__name__) from None
        if response.status >= 400:
            raise StatusError(response.status, response.headers, answer)
        return answer

    async def aclose(self) -> None:
        """Close the connections."""
        if "_session" in vars(self):
            await self._session.close()

    @cached_property
    def _session(self) -> "ClientSession":
        import aiohttp

        server = urlsplit(self._address)
        proxies = {} if proxy_bypass(server.netloc) else getproxies()
        connect = min(_LONGEST_CONNECT, self._timeout)
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0, keepalive_timeout=_LONGEST_IDLE, ssl=_certificates() if server.scheme == "https" else True
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=self._headers,
            proxy=proxies.get(server.scheme) or proxies.get("all"),
            timeout=aiohttp.ClientTimeout(total=self._timeout, sock_connect=connect),
        )


def _certificates() -> Any:
    """The system's, on every system, or those that SSL_CERT_FILE names; as the `openai` package finds them."""
    from httpx2 import create_ssl_context

    return create_ssl_context()
