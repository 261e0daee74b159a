import pytest

from ragset.llm.endpoint import suggestion


@pytest.mark.parametrize(
    ("address", "mend"),
    [
        ("http://127.0.0.1:18432", "http://127.0.0.1:18432/v1"),
        ("http://localhost:11434/", "http://localhost:11434/v1"),
        ("https://llm.example.org", "https://llm.example.org/v1"),
        ("http://[::1]:8000", "http://[::1]:8000/v1"),
        ("http://gpu:8000/chat/completions", "http://gpu:8000/v1"),
    ],
)
def test_an_address_without_a_path_is_shown_with_one(address: str, mend: str) -> None:
    assert suggestion(address) == f"; most servers want an address that ends in /v1: {mend}"


@pytest.mark.parametrize("address", ["http://localhost:11434/api", "https://gateway.example.org/team/llm"])
def test_a_path_may_be_right_or_wrong(address: str) -> None:
    assert suggestion(address) == "; most servers want an address that ends in /v1"


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:8000/v1",
        "https://openrouter.ai/api/v1/",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "https://open.bigmodel.cn/api/paas/v4",
        "https://x.openai.azure.com/openai/v1",
    ],
)
def test_an_address_with_a_version_lacks_nothing(address: str) -> None:
    assert suggestion(address) == ""


def test_what_is_asked_of_a_server_is_no_part_of_its_address() -> None:
    said = suggestion("http://localhost:8000/v1/chat/completions")
    assert said == "; an address ends before /chat/completions: http://localhost:8000/v1"


def test_what_is_secret_in_an_address_is_left_out() -> None:
    said = suggestion("http://me:secret@gpu:8000/?key=sk-1")
    assert said == "; most servers want an address that ends in /v1: http://gpu:8000/v1"
