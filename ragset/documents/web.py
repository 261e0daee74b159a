"""Web pages: over http and https only, within a time and a size, and from the public internet unless allowed.

A host is looked up once and the connection goes to the checked address, so a name cannot be made to point elsewhere.
"""

import socket
import time
from concurrent.futures import Future
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urljoin, urlsplit

from ragset.documents.http_status import is_transient
from ragset.errors import DocumentError
from ragset.settings import DocumentSettings
from ragset.storage import is_address

# This network, private use, shared by a provider's customers, loopback, link-local (the metadata of cloud machines).
_INTERNAL = "0.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16"
# Protocol assignments, documentation, benchmarking, relays of 6to4, multicast, reserved and broadcast.
_SPECIAL = (
    "192.0.0.0/24 192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 198.18.0.0/15 192.88.99.0/24 224.0.0.0/4 240.0.0.0/4"
)
_REFUSED_IPV4 = [IPv4Network(block) for block in f"{_INTERNAL} {_SPECIAL}".split()]
_GLOBAL_IPV6 = IPv6Network("2000::/3")
"""The only block of IPv6 that is given out to hosts; loopback, mapped, unique local and link-local stand outside."""
_REFUSED_IPV6 = [IPv6Network(block) for block in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")]
"""Protocol assignments, documentation, and 6to4, which can carry any IPv4 address."""
_NAT64 = IPv6Network("64:ff9b::/96")
"""What a network without IPv4 calls an IPv4 host, whose address is the last 32 bits."""


def is_public(ip: str) -> bool:
    """Whether `ip` is a host on the public internet, by IANA's registries of special-purpose addresses."""
    address = ip_address(ip)
    if isinstance(address, IPv6Address):
        if address not in _NAT64:
            return address in _GLOBAL_IPV6 and not any(address in network for network in _REFUSED_IPV6)
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    return not any(address in network for network in _REFUSED_IPV4)


_REDIRECTS = 5
_PAUSES = (0.5, 1.5)  # seconds before the second and the third try
_GRACE = 0.2  # seconds beyond the time-out in which a page may still say itself why it failed
_KINDS = {
    "": ".html",
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "application/pdf": ".pdf",
    "application/json": ".json",
    "application/x-ndjson": ".jsonl",
    "application/jsonl": ".jsonl",
    "text/csv": ".csv",
}


class Page(NamedTuple):
    """The content of an address."""

    content: bytes
    kind: str  # an extension, by the content type
    charset: str | None


class _PassingError(DocumentError):
    """Another try may bring the page."""


def is_url(source: str) -> bool:
    """Whether a source is a web page rather than a file."""
    return "://" in source and not is_address(source)


def fetch(url: str, settings: DocumentSettings) -> Page:
    """The page at `url`, after at most 5 redirects."""
    found: Future[Page] = Future()

    def run() -> None:
        try:
            found.set_result(_fetch_patiently(url, settings))
        except BaseException as error:
            found.set_exception(error)

    # Neither the look-up of a name nor headers that come in drop by drop can be given a time: they are left to themselves.
    Thread(target=run, name="fetch", daemon=True).start()
    try:
        return found.result(settings.timeout + _GRACE)
    except TimeoutError:
        raise DocumentError(url, f"no answer within {settings.timeout:g} s") from None


def _fetch_patiently(url: str, settings: DocumentSettings) -> Page:
    """Fetch, and try again where that may help and the time-out leaves time for it."""
    deadline = time.monotonic() + settings.timeout
    for pause in _PAUSES:
        try:
            return _fetch(url, settings, deadline)
        except _PassingError:
            if time.monotonic() + pause > deadline:
                raise
        time.sleep(pause)
    return _fetch(url, settings, deadline)


def _fetch(url: str, settings: DocumentSettings, deadline: float) -> Page:
    import httpx

    address = url
    with httpx.Client(follow_redirects=False, trust_env=False) as client:
        for _ in range(_REDIRECTS + 1):
            parts = _checked(address, url)
            ip = _resolve(parts, url, allow_private=settings.allow_private_hosts)
            try:
                response = client.send(_request(parts, ip, deadline), stream=True)
                try:
                    if not response.has_redirect_location:
                        return _read(response, url, settings, deadline)
                    address = urljoin(address, response.headers["location"])
                finally:
                    response.close()
            except httpx.TimeoutException:
                raise DocumentError(url, f"no answer within {settings.timeout:g} s") from None
            except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
                raise _PassingError(url, f"cannot be fetched: {type(error).__name__}") from None
            except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
                raise DocumentError(url, f"cannot be fetched: {type(error).__name__}") from None
    raise DocumentError(url, f"more than {_REDIRECTS} redirects")


def _checked(address: str, url: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        raise DocumentError(url, "is no address") from None
    if parts.scheme not in {"http", "https"}:
        raise DocumentError(url, f"only http and https are fetched, not {parts.scheme or 'this'}")
    if not parts.hostname:
        raise DocumentError(url, "names no host")
    return parts


def _resolve(parts: SplitResult, url: str, *, allow_private: bool) -> str:
    host = parts.hostname or ""
    try:
        found = socket.getaddrinfo(host, parts.port or parts.scheme, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise DocumentError(url, f"there is no host {host}") from None
    ips = [str(entry[4][0]).partition("%")[0] for entry in found]
    if not allow_private and not all(map(is_public, ips)):
        mend = "allow it with --allow-private-hosts (`allow_private_hosts`) if you trust it"
        raise DocumentError(url, f"{host} is a private or loopback address; {mend}")
    return ips[0]


def _request(parts: SplitResult, ip: str, deadline: float) -> Any:
    import httpx

    def place(host: str) -> str:
        host = f"[{host}]" if ":" in host else host
        return f"{host}:{parts.port}" if parts.port else host

    # As names are looked up: letters beyond ASCII have no place in a request.
    name = parts.hostname or ""
    name = name if name.isascii() else name.encode("idna").decode()
    headers = {"Host": place(name), "User-Agent": "ragset", "Accept": "text/html,text/plain,*/*;q=0.5"}
    timeout = httpx.Timeout(max(0.05, deadline - time.monotonic())).as_dict()
    url = parts._replace(netloc=place(ip), fragment="").geturl()
    return httpx.Request("GET", url, headers=headers, extensions={"sni_hostname": name, "timeout": timeout})


def _read(response: Any, url: str, settings: DocumentSettings, deadline: float) -> Page:
    if response.status_code != 200:
        kind = _PassingError if is_transient(response.status_code) else DocumentError
        raise kind(url, f"answers with status {response.status_code}")
    content = bytearray()
    for piece in response.iter_bytes():
        content += piece
        if len(content) > settings.max_bytes:
            raise DocumentError(url, f"too large: more than {settings.max_bytes:,} bytes")
        if time.monotonic() > deadline:
            raise DocumentError(url, f"not complete within {settings.timeout:g} s")
    declared = response.headers.get("content-type", "").split(";")[0].strip().lower()
    kind = _KINDS.get(declared, "")
    if not kind and not declared.startswith("text/"):
        raise DocumentError(url, f"holds {declared}, which is not text")
    return Page(bytes(content), kind, response.charset_encoding)
