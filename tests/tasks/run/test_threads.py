import asyncio
import contextvars
import subprocess
import sys
import threading
import time

import pytest

from tasks.run.threads import in_thread

WORD = contextvars.ContextVar("word", default="")


async def test_a_function_runs_in_another_thread_with_the_context_of_the_caller() -> None:
    WORD.set("tea")
    assert await in_thread(lambda: (WORD.get(), threading.current_thread() is threading.main_thread())) == (
        "tea",
        False,
    )


async def test_what_it_raises_is_raised_where_it_is_awaited() -> None:
    def fail() -> None:
        raise ValueError("cold tea")

    with pytest.raises(ValueError, match="cold tea"):
        await in_thread(fail)


async def test_a_cancelled_call_ends_the_work_and_lets_go_of_what_it_held() -> None:
    began, lock = threading.Event(), threading.Lock()

    def work() -> None:
        with lock:
            began.set()
            while True:
                time.sleep(0.001)

    call = asyncio.create_task(in_thread(work))
    assert await asyncio.to_thread(began.wait, 60)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not lock.locked()


def test_a_process_ends_while_a_thread_is_in_a_call_that_cannot_be_interrupted() -> None:
    program = (
        "import asyncio, time\n"
        "from tasks.run.threads import in_thread\n"
        "async def main():\n"
        "    call = asyncio.create_task(in_thread(time.sleep, 300))\n"
        "    await asyncio.sleep(0.1)\n"
        "    call.cancel()\n"
        "    await asyncio.wait([call])\n"
        "asyncio.run(main())\n"
        "print('ended')\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout == "ended\n"
