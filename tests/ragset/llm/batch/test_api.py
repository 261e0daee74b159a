import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ragset.llm.batch.api import read_results, request_line

KEYS = [f"key-{number}" for number in range(6)]
GOOD = {"choices": [{"message": {"content": "Yes 🍵"}}], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
OUTCOMES: dict[str, Any] = {
    "good": {"response": {"status_code": 200, "body": GOOD}, "error": None},
    "status 500": {"response": {"status_code": 500, "body": {"error": {"message": "no"}}}, "error": None},
    "batch_expired": {"response": None, "error": {"code": "batch_expired", "message": "too late"}},
    "no result": {"response": {"status_code": 200, "body": {"choices": []}}, "error": None},
}


def test_line_is_what_the_batch_api_takes() -> None:
    line = request_line("k", {"model": "m", "messages": [{"role": "user", "content": "Grüne\nBohnen \ud800"}]})
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    read = json.loads(line)
    assert (read["custom_id"], read["method"], read["url"]) == ("k", "POST", "/v1/chat/completions")
    assert read["body"]["messages"][0]["content"] == "Grüne\nBohnen ?"


@given(st.permutations(KEYS), st.lists(st.sampled_from([*OUTCOMES, "missing"]), min_size=6, max_size=6), st.binary())
def test_every_key_has_its_completion_or_a_fault_whatever_the_order(
    order: list[str], outcomes: list[str], noise: bytes
) -> None:
    lines = [
        json.dumps({"id": "batch_req", "custom_id": key, **OUTCOMES[outcome]}).encode()
        for key, outcome in zip(order, outcomes, strict=True)
        if outcome != "missing"
    ]
    stranger = json.dumps({"custom_id": "another's", **OUTCOMES["good"]}).encode()
    content = b"\n".join([noise.replace(b"{", b""), *lines, stranger, b"[]", b'{"custom_id": []}', b""])
    found = read_results(content, KEYS, "m")
    good = {key for key, outcome in zip(order, outcomes, strict=True) if outcome == "good"}
    assert set(found.completions) == good
    assert all(one.batch and one.prompt_tokens == 7 for one in found.completions.values())
    assert found.faults.total() == 6 - len(good)
    assert found.faults["batch_expired"] == outcomes.count("batch_expired")
    assert found.faults["no result"] == outcomes.count("no result") + outcomes.count("missing")
