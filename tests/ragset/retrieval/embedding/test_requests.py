import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from ragset.retrieval.embedding.requests import ask_each, requests_of

ROOT = Path(__file__).resolve().parents[4]


def test_requests_hold_no_more_texts_and_characters_than_providers_take() -> None:
    assert requests_of(["a", "b", "c"], 2) == [["a", "b"], ["c"]]
    assert [len(request) for request in requests_of(["x" * 100_000] * 5, 128)] == [2, 2, 1]
    assert requests_of([], 2) == []


def test_answers_stand_in_the_order_of_the_requests() -> None:
    requests = [[str(n)] for n in range(50)]
    assert ask_each(lambda request: int(request[0]), requests) == list(range(50))


def test_after_an_error_no_further_request_begins_and_those_under_way_are_waited_for() -> None:
    began: list[str] = []
    ended: list[str] = []
    together = threading.Barrier(4)

    def ask(request: list[str]) -> None:
        began.extend(request)
        if request == ["0"]:
            together.wait(60)
            raise ValueError("no")
        if len(request[0]) == 1:
            together.wait(60)
            time.sleep(1)  # until the other has failed
        ended.extend(request)

    with pytest.raises(ValueError, match="no"):
        ask_each(ask, [["0"], ["1"], ["2"], ["3"], *([str(n)] for n in range(10, 50))], proven=True)
    assert sorted(began) == ["0", "1", "2", "3"]
    assert sorted(ended) == ["1", "2", "3"]


def test_a_process_ends_without_the_answers_that_it_waits_for() -> None:
    program = """
        import threading, time
        from ragset.retrieval.embedding.requests import ask_each
        asked = threading.Event()
        def ask(request):
            asked.set()
            time.sleep(600)
        threading.Thread(target=ask_each, args=(ask, [["a"], ["b"]]), kwargs={"proven": True}, daemon=True).start()
        asked.wait()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, timeout=60, check=True)
