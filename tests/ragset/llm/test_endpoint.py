import pytest

from ragset.llm.endpoint import suggestion


@pytest.mark.parametrize("address", ["http://127.0.0.1:18432", "http://gpu:8000/chat/completions"])
def test_an_address_without_a_version_lacks_one(address: str) -> None:
    assert suggestion(address) == "; most servers want an address that ends in /v1"


@pytest.mark.parametrize(
    "address", ["https://openrouter.ai/api/v1/", "https://generativelanguage.googleapis.com/v1beta/openai"]
)
def test_an_address_with_a_version_lacks_nothing(address: str) -> None:
    assert suggestion(address) == ""
