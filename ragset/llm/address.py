"""What an address of an OpenAI-compatible server most often lacks."""

import re
from urllib.parse import urlsplit

_VERSION = re.compile(r"v\d+\w*")
_CALL = re.compile(r"/(chat/completions|completions|responses|embeddings|models)$")
"""What is asked of a server, and stands behind its address."""


def suggestion(address: str) -> str:
    """How to mend the address of a server that does not know what it is asked, to go on a sentence; empty: no idea."""
    parts = urlsplit(address)
    # Without who asks, and without a query: it is for a message.
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().rstrip("/")
    base = _CALL.sub("", bare)
    path = urlsplit(base).path
    if any(_VERSION.fullmatch(part) for part in path.split("/")):
        return "" if base == bare else f"; an address ends before {bare.removeprefix(base)}: {base}"
    # A path may belong to the address, or be of another protocol of that server.
    return "; most servers want an address that ends in /v1" + ("" if path else f": {base}/v1")
