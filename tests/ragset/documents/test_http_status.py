import time
from email.utils import formatdate

import pytest

from ragset.documents.http_status import is_transient, retry_after


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "nan"}, None),
    ],
)
def test_wait_is_read_in_seconds(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_wait_given_as_a_date_counts_from_now() -> None:
    wait = retry_after({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert wait == pytest.approx(100, abs=3)


def test_date_in_the_past_is_no_wait() -> None:
    assert retry_after({"retry-after": formatdate(0, usegmt=True)}) == 0.0


def test_only_faults_of_the_moment_are_transient() -> None:
    assert [status for status in (400, 401, 404, 408, 409, 422, 425, 429, 500, 501, 503, 530) if is_transient(status)] == [
        408, 409, 425, 429, 500, 503, 530,
    ]  # fmt: skip
