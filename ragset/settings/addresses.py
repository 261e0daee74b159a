"""Addresses without secrets in them: what stands in a parameter is kept by Prefect, in manifests and in reports."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from ragset.errors import InputError
from ragset.settings.base import Names

_USER = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*@")
_KEYS = "token|secret|password|passwd|pwd|signature|sig|apikey|api-key|api_key|credential"
# Patterns of JSON schemas have no flags.
_KEYS_IN_ANY_CASE = "".join(f"[{one}{one.upper()}]" if one.isalpha() else one for one in _KEYS)
_SECRET = rf"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@|[^?#]*\?(?:[^#]*[&;_.-])?(?:{_KEYS_IN_ANY_CASE})=)"


def check_variable(name: str, address: str | None) -> None:
    """Raise InputError if an address, such as one in an environment variable, names a user; the message does not quote it."""
    if address and _USER.match(address):
        keys = {"OPENAI_BASE_URL": "; set OPENAI_API_KEY", "MILVUS_URI": "; set MILVUS_TOKEN=USER:PASSWORD"}
        raise InputError(f"{name}: names a user or a password; leave them out of the address{keys.get(name, '')}")


def _without_secret(address: str) -> str:
    if _USER.match(address):
        raise ValueError("names a user or a password, which would be kept with the run; leave them out of the address")
    if re.match(_SECRET, address):
        raise ValueError(
            "has a key or a signature in its query, which would be kept with the run and in what it writes; save the page as a "
            "file and name that, or give the server another way to know you"
        )
    return address


# By the pattern, a server of Prefect refuses an address with a secret before it stores the run.
Address = Annotated[str, AfterValidator(_without_secret), Field(json_schema_extra={"pattern": f"^(?!{_SECRET})"})]
Place = Annotated[Address, Names.PATH]
"""A file or a folder: its path, or an address such as s3://bucket/folder."""
