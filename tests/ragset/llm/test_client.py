import asyncio
import contextlib
import logging
import socket
import traceback

import pytest

from ragset.errors import CaseRefused, InputError, LLMUnavailable, ProviderRefused
from ragset.llm.limiter import Limiter
from ragset.llm.replies import ChunkVerdict, Criticism
from ragset.llm.request_format import RequestFormat
from tests.clients import KEY, client_of, request_of
from tests.fake_openai import Fake

VERDICT = '{"reason": "By the hash of its text.", "self_containment": 1, "not_metadata": 1}'


def statuses(fake: Fake) -> list[int]:
    return [entry["status"] for entry in fake.log()]


async def test_reply_comes_with_its_tokens(fake: Fake) -> None:
    async with client_of(fake) as client:
        completion = await client.complete(request_of())
    assert ChunkVerdict.model_validate_json(completion.text).self_containment == 1
    assert completion.model == "test-model"
    # system 51 and user 52 characters, a token for every 4: 103 // 4
    assert completion.prompt_tokens == 25
    assert completion.completion_tokens == len(VERDICT) // 4
    assert not completion.truncated


async def test_a_reply_says_how_long_its_own_try_took(fake: Fake) -> None:
    fake.set(latency=0.2, errors=0.5)
    async with client_of(fake, max_retries=20) as client:
        replies = await asyncio.gather(*(client.complete(request_of(f"Case {number}")) for number in range(8)))
    assert 500 in statuses(fake)
    # Tries that failed, and the pauses after them, are not counted; a busy machine may add some.
    assert all(0.2 <= (reply.seconds or 0) < 1.5 for reply in replies)


async def test_cut_off_reply_says_so(fake: Fake) -> None:
    fake.set(truncated=1.0)
    async with client_of(fake) as client:
        assert (await client.complete(request_of())).truncated


async def test_server_errors_are_tried_again_until_one_try_is_answered(fake: Fake) -> None:
    fake.set(errors=0.5)
    async with client_of(fake, max_retries=20) as client:
        await asyncio.gather(*(client.complete(request_of(f"Case {number}")) for number in range(20)))
    assert statuses(fake).count(200) == 20
    assert 5 <= statuses(fake).count(500) <= 40


async def test_tries_end_at_the_retries_allowed(fake: Fake) -> None:
    fake.set(errors=1.0)
    async with client_of(fake, max_retries=3) as client:
        with pytest.raises(LLMUnavailable, match=r"4 tries \(status 500\).*run the same command later"):
            await client.complete(request_of())
    assert statuses(fake) == [500] * 4


async def test_one_retry_only_when_finding_out_whether_it_answers(fake: Fake) -> None:
    fake.set(errors=1.0)
    async with client_of(fake, max_retries=5) as client:
        with pytest.raises(LLMUnavailable):
            await client.check()
    assert statuses(fake) == [500] * 2


async def test_hung_replies_are_given_up_and_asked_for_again(fake: Fake) -> None:
    fake.set(hung=0.5)
    async with client_of(fake, max_retries=20, timeout=0.5) as client:
        await asyncio.gather(*(client.complete(request_of(f"Case {number}")) for number in range(10)))
    assert statuses(fake).count(200) == 10
    assert statuses(fake).count(499) >= 1


async def test_reply_that_never_comes_names_the_time_out(fake: Fake) -> None:
    fake.set(hung=1.0)
    async with client_of(fake, max_retries=1, timeout=0.1) as client:
        with pytest.raises(LLMUnavailable, match=r"2 tries \(no answer within 0.1 s\)"):
            await client.complete(request_of())


async def test_429_makes_everybody_wait_as_long_as_the_server_says(fake: Fake) -> None:
    fake.set(max_concurrent=4, retry_after="0.3", latency=0.05)
    async with client_of(fake, max_concurrency=16) as client:
        await asyncio.gather(*(client.complete(request_of(f"Case {number}")) for number in range(40)))
    assert statuses(fake).count(200) == 40
    started = sorted(entry["started"] for entry in fake.log())
    first_refused = min(entry["started"] for entry in fake.log() if entry["status"] == 429)
    # Of the first 16 at most 4 were let in and made room for another before the rest were sent away.
    assert started[16 + 4] - first_refused >= 0.3


async def test_429_without_retry_after_is_waited_out_too(fake: Fake) -> None:
    fake.set(max_concurrent=4, retry_after="", latency=0.02)
    async with client_of(fake, max_concurrency=16) as client:
        await asyncio.gather(*(client.complete(request_of(f"Case {number}")) for number in range(40)))
    assert statuses(fake).count(200) == 40


async def test_429_for_ever_ends_in_an_error(fake: Fake) -> None:
    fake.set(status=429, retry_after="0.01")
    async with client_of(fake, max_retries=2) as client:
        with pytest.raises(LLMUnavailable, match="status 429"):
            await client.complete(request_of())
    # four refusals for coming too often count as one failure: 4 * 2, and the one that is too much
    assert statuses(fake) == [429] * 9


@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_too_long_to_wait_for_ends_in_an_error_at_once(fake: Fake, status: int) -> None:
    fake.set(status=status, retry_after="3600")
    async with client_of(fake) as client:
        with pytest.raises(LLMUnavailable, match="left alone for 3600 s"):
            await client.complete(request_of())
    assert statuses(fake) == [status]


@pytest.mark.parametrize(
    ("lacking", "mode"),
    [
        ({"no_json_schema": True}, "json_object"),
        ({"no_json_schema": True, "no_json_object": True}, "text"),
    ],
)
async def test_server_without_structured_output_is_asked_otherwise_from_then_on(
    fake: Fake, lacking: dict[str, bool], mode: str
) -> None:
    fake.set(**lacking)
    async with client_of(fake) as client:
        for number in range(3):
            completion = await client.complete(request_of(f"Case {number}"))
            assert ChunkVerdict.model_validate_json(completion.text)
        assert client.form.mode == mode
    assert statuses(fake) == [400] * len(lacking) + [200] * 3


async def test_concurrent_first_requests_find_the_form_together(fake: Fake) -> None:
    fake.set(no_json_schema=True, no_json_object=True, unsupported="max_tokens,temperature", latency=0.02)
    async with client_of(fake, max_concurrency=16, max_retries=0, temperature=0) as client:
        await asyncio.gather(*(client.complete(request_of(f"Case {number}")) for number in range(16)))
        assert client.form == RequestFormat("text", frozenset({"max_tokens", "temperature"}))
    assert statuses(fake).count(200) == 16
    assert statuses(fake).count(400) <= 16 * 4


async def test_parameters_that_a_model_refuses_are_left_out(fake: Fake) -> None:
    fake.set(unsupported="temperature")
    async with client_of(fake, temperature=0.3) as client:
        await client.complete(request_of("One"))
        await client.complete(request_of("Two"))
    assert statuses(fake) == [400, 200, 200]


async def test_refused_case_is_no_reason_to_ask_all_others_otherwise(fake: Fake) -> None:
    async with client_of(fake) as client:
        await client.complete(request_of("One"))
        fake.set(too_long=1000, too_long_says="cannot handle this; input was: {json_schema: 1}")
        with pytest.raises(CaseRefused, match="status 400: cannot handle this"):
            await client.complete(request_of("tea " * 1000))
        assert client.form == RequestFormat()


async def test_schema_that_is_refused_after_others_were_taken_changes_the_form(fake: Fake) -> None:
    async with client_of(fake) as client:
        await client.complete(request_of("One", ChunkVerdict))
        fake.set(no_json_schema=True)
        await client.complete(request_of("Two", Criticism))
        assert client.form.mode == "json_object"


async def test_too_long_case_is_refused_alone_even_when_it_is_the_first(fake: Fake) -> None:
    fake.set(too_long=1000)
    async with client_of(fake) as client:
        with pytest.raises(CaseRefused, match="status 400: The input exceeds the maximum"):
            await client.complete(request_of("tea " * 1000))
    # refused, and a small request answered
    assert statuses(fake) == [400, 200]


async def test_too_long_cases_cost_no_call_more_while_others_are_answered(fake: Fake) -> None:
    fake.set(too_long=1000, latency=0.02)
    cases = [request_of(f"{number} " + "tea " * (1000 if number % 5 == 0 else 1)) for number in range(40)]
    async with client_of(fake, max_concurrency=10) as client:
        found = await asyncio.gather(*map(client.complete, cases), return_exceptions=True)
    assert [isinstance(outcome, CaseRefused) for outcome in found] == [number % 5 == 0 for number in range(40)]
    # at most one small request for each wave of calls in which nobody was answered before
    assert len(statuses(fake)) <= 40 + 4


async def test_words_about_the_length_of_a_case_are_no_reason_to_ask_otherwise(fake: Fake) -> None:
    fake.set(status=400, body='{"error": {"message": "This model\'s maximum context length is 10; lower max_tokens"}}')
    async with client_of(fake) as client:
        with pytest.raises(ProviderRefused):
            await client.complete(request_of())
        assert client.form == RequestFormat()
    assert statuses(fake) == [400, 400]


@pytest.mark.parametrize("answered", [0, 3])
async def test_provider_that_refuses_whatever_it_is_asked_stops_the_run(fake: Fake, answered: int) -> None:
    async with client_of(fake) as client:
        for number in range(answered):
            await client.complete(request_of(f"Case {number}"))
        fake.set(status=400, body='{"error": {"message": "no such thing as tea"}}')
        found = await asyncio.gather(*(client.complete(request_of(f"{n}")) for n in range(8)), return_exceptions=True)
    assert {type(outcome) for outcome in found} == {ProviderRefused}
    assert "even a small request" in str(found[0])
    assert "status 400: no such thing as tea" in str(found[0])


@pytest.mark.parametrize("status", [500, 507, 530, 599])
async def test_any_fault_of_the_server_is_tried_again(fake: Fake, status: int) -> None:
    async with client_of(fake, max_retries=1) as client:
        await client.complete(request_of("One"))
        fake.set(status=status)
        with pytest.raises(LLMUnavailable, match=rf"2 tries \(status {status}\)"):
            await client.complete(request_of("Two"))


async def test_wrong_key_is_one_line_that_names_the_variable_and_no_key(
    fake: Fake, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="ragset")
    caplog.set_level(logging.INFO)
    fake.set(key="sk-right")
    async with client_of(fake) as client:
        with pytest.raises(ProviderRefused, match="OPENAI_API_KEY") as caught:
            await client.complete(request_of())
    assert "\n" not in str(caught.value)
    # neither the message nor what a logged traceback would show
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert KEY not in caplog.text
    assert statuses(fake) == [401]


async def test_unknown_model_is_one_line_that_names_the_option(fake: Fake) -> None:
    fake.set(models="other-model")
    async with client_of(fake) as client:
        with pytest.raises(ProviderRefused, match=r"'test-model' \(status 404\): name another with --model") as caught:
            await client.complete(request_of())
    assert "\n" not in str(caught.value)


async def test_unknown_path_names_the_address_that_most_servers_want(fake: Fake) -> None:
    root = fake.url.removesuffix("/v1")
    async with client_of(root) as client:
        with pytest.raises(ProviderRefused, match=r"want an address that ends in /v1\."):
            await client.complete(request_of())
    fake.set(models="other-model")
    async with client_of(fake) as client:
        with pytest.raises(ProviderRefused) as caught:
            await client.complete(request_of())
    assert "ends in /v1" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "code"),
    [(402, ""), (429, "insufficient_quota"), (429, "billing_not_active"), (400, "billing_hard_limit_reached")],
)
async def test_spent_quota_is_not_tried_again(fake: Fake, status: int, code: str) -> None:
    fake.set(status=status, body=f'{{"error": {{"message": "Please pay.", "code": "{code}"}}}}')
    async with client_of(fake) as client:
        with pytest.raises(ProviderRefused, match=r"quota of this key is used up.*Please pay\."):
            await client.complete(request_of())
    assert statuses(fake) == [status]


async def test_request_larger_than_a_minute_allows_is_refused_alone(fake: Fake) -> None:
    fake.set(too_long=1000, too_long_status=429, too_long_says="Request too large for m on tokens per min (TPM)")
    async with client_of(fake) as client:
        with pytest.raises(CaseRefused, match="too large"):
            await client.complete(request_of("tea " * 1000))
    assert statuses(fake) == [429, 200]


async def test_address_that_swallows_connections_is_given_up_before_the_time_out_of_a_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ragset.llm.http_client._LONGEST_CONNECT", 0.2)
    with contextlib.ExitStack() as stack:
        full = stack.enter_context(socket.socket())
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(4):  # nobody accepts them, and further ones get no answer at all
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        async with client_of(f"http://127.0.0.1:{full.getsockname()[1]}/v1", max_retries=0, timeout=60) as client:
            with pytest.raises(LLMUnavailable, match=r"\(no connection\)"):
                await asyncio.wait_for(client.complete(request_of()), 10)


async def test_unreachable_server_is_one_line_that_names_the_variable() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    async with client_of(f"http://127.0.0.1:{port}/v1", max_retries=1) as client:
        with pytest.raises(LLMUnavailable, match=r"\(no connection\).*OPENAI_BASE_URL") as caught:
            await client.complete(request_of())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>Welcome</html>", "text/html"),
        ('data: {"choices": []}\n\ndata: [DONE]\n\n', "text/event-stream"),
        ("{}", "application/json"),
        ("[]", "application/json"),
        ('{"choices": []}', "application/json"),
        ('{"error": {"message": "upstream is down"}}', "application/json"),
    ],
)
async def test_answer_that_is_no_completion_names_the_address_at_first_and_is_a_setback_later(
    fake: Fake, body: str, content_type: str
) -> None:
    fake.set(body=body, content_type=content_type)
    async with client_of(fake, max_retries=1) as client:
        with pytest.raises(ProviderRefused, match="OPENAI_BASE_URL"):
            await client.complete(request_of())
        fake.set(body="", content_type="application/json")
        await client.complete(request_of("One"))
        fake.set(body=body, content_type=content_type)
        with pytest.raises(LLMUnavailable, match="no completion"):
            await client.complete(request_of("Two"))
    assert fake.stats()["requests"] == 1 + 1 + 2


async def test_key_quoted_in_a_refusal_is_masked(fake: Fake) -> None:
    fake.set(status=400, body=f'{{"error": {{"message": "bad header Bearer {KEY}"}}}}')
    async with client_of(fake) as client:
        with pytest.raises(ProviderRefused) as caught:
            await client.complete(request_of())
    assert KEY not in str(caught.value)
    assert "bad header" in str(caught.value)


async def test_address_with_a_password_is_refused_without_showing_it() -> None:
    with pytest.raises(InputError, match="OPENAI_BASE_URL") as refused:
        async with client_of("http://user:secret@127.0.0.1:9/v1/", max_retries=0):
            pass
    assert "secret" not in str(refused.value)


async def test_failing_and_cancelled_calls_leave_no_slot_taken(fake: Fake) -> None:
    limiter = Limiter(4)
    fake.set(hung=0.5)
    async with client_of(fake, limiter=limiter, max_retries=0, timeout=0.2) as client:
        calls = [asyncio.create_task(client.complete(request_of(f"Case {number}"))) for number in range(12)]
        await asyncio.sleep(0.1)
        for call in calls[::2]:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        assert limiter.active == 0
        fake.set(hung=0)
        await client.complete(request_of("After"))


async def test_never_more_calls_at_once_than_allowed(fake: Fake) -> None:
    fake.set(latency=0.02)
    async with client_of(fake, max_concurrency=5) as client:
        await asyncio.gather(*(client.complete(request_of(f"Case {number}")) for number in range(30)))
    assert fake.stats()["highest"] == 5
