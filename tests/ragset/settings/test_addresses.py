import re

import pytest
from pydantic import ValidationError

from ragset.errors import InputError
from ragset.evaluation.external import ExternalSystem
from ragset.settings import DocumentSettings, Environment

SECRET = "hunter2"
FIELD = DocumentSettings.model_json_schema()["properties"]["sources"]["items"]

with_user = pytest.mark.parametrize(
    "address",
    [
        f"http://me:{SECRET}@example.org/",
        f"https://{SECRET}@example.org",
        f"HTTP://me:se@{SECRET}@[::1]:80/a?b#c",
        f"ftp://:{SECRET}@example.org",
    ],
)
with_key = pytest.mark.parametrize(
    "address",
    [
        f"https://example.org/a?token={SECRET}",
        f"https://example.org/?a=1&access_token={SECRET}#part",
        f"https://bucket.example.org/a.pdf?X-Amz-Credential=A&X-Amz-Signature={SECRET}",
        f"https://account.example.org/a.pdf?sv=2024&SIG={SECRET}",
        f"https://example.org/a?ApiKey={SECRET}",
        f"https://example.org/a?q;client-secret={SECRET}",
    ],
)
plain = pytest.mark.parametrize(
    "address",
    [
        *(
            "https://example.org/",
            "http://[::1]:8000/a",
            "docs",
            "a@b.txt",
            "notes/what?token=1",
            "http://example.org/@me",
        ),
        *(
            "https://example.org/a?q=me@home",
            "https://example.org/?tokens=5&design=1&key=7",
            "https://example.org/#token=a",
        ),
        "https://example.org/password=1",
    ],
)


@pytest.mark.parametrize("kind", ["documents", "system"])
@with_user
def test_an_address_with_a_user_is_no_parameter(address: str, kind: str) -> None:
    assert "names a user or a password" in refused(address, kind)


@pytest.mark.parametrize("kind", ["documents", "system"])
@with_key
def test_an_address_with_a_key_in_its_query_is_no_parameter(address: str, kind: str) -> None:
    assert "has a key or a signature in its query" in refused(address, kind)


@plain
def test_other_addresses_and_paths_are(address: str) -> None:
    assert DocumentSettings(sources=(address,)).sources == (address,)
    assert re.search(FIELD["pattern"], address)


def refused(address: str, kind: str) -> str:
    fields = {"sources": (address,)} if kind == "documents" else {"name": "ours", "http": address}
    model = DocumentSettings if kind == "documents" else ExternalSystem
    with pytest.raises(ValidationError) as caught:
        model.model_validate(fields)
    assert SECRET not in str(caught.value)
    assert not re.search(FIELD["pattern"], address)
    return str(caught.value)


@pytest.mark.parametrize("name", ["OPENAI_BASE_URL", "MILVUS_URI", "RAGSET_REPORTS_URL"])
def test_an_address_in_the_environment_names_no_user(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "http://example.org/v1")
    Environment().check_addresses()
    monkeypatch.setenv(name, f"http://me:{SECRET}@example.org/v1")
    with pytest.raises(InputError, match=f"^{name}: names a user or a password; leave them out") as caught:
        Environment().check_addresses()
    assert SECRET not in str(caught.value)
