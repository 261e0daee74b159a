"""Functions run in threads that end when their caller is cancelled, unlike those of `asyncio.to_thread`."""

import asyncio
import contextvars
import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_AT_ONCE = threading.Semaphore(8)  # each opens an index and Milvus: more at once would cost memory and gain nothing
_TIMES = 4  # how often a thread is interrupted: an exception in a finaliser, for one, is lost


class Interrupted(BaseException):
    """Raised in the thread, at its next line of Python, as `KeyboardInterrupt` is in a main thread."""


async def in_thread(function: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
    """Call `function` in a thread, with the context of the caller.

    When the caller is cancelled, `Interrupted` is raised in the thread, and the caller waits a second at most for it to
    end.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(settled: Callable[..., None], value: object) -> None:
        if not result.done():
            settled(value)

    def run() -> None:
        with suppress(Interrupted):  # it may come when the function has returned
            try:
                with _AT_ONCE:
                    settled, value = result.set_result, context.run(function, *arguments, **keywords)
            except BaseException as error:
                settled, value = result.set_exception, error
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(settle, settled, value)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        await asyncio.wait([result])
    except asyncio.CancelledError:
        result.cancel()
        await _interrupt(thread)
        raise
    return result.result()


async def _interrupt(thread: threading.Thread) -> None:
    for _ in range(_TIMES):
        if thread.is_alive():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Interrupted))
        for _ in range(25):
            if thread.is_alive():
                await asyncio.sleep(0.01)
