"""What each request to a model passes, for limits beyond this process: entered before it is sent, left when it is answered."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager

Gate = Callable[[], AbstractAsyncContextManager[object]]
"""For requests of an event loop; `contextlib.nullcontext` is an open one."""

ThreadGate = Callable[[], AbstractContextManager[object]]
"""For requests that block their thread."""
