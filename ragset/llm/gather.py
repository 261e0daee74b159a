"""Calls made together, of which none is abandoned: a call under way is already paid for."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar, overload

from ragset.errors import BudgetSpent, InputError, ProviderRefused, RagsetError, StoreError

T = TypeVar("T")
U = TypeVar("U")

_BY_IMPORTANCE = (InputError, StoreError, ProviderRefused, BudgetSpent, RagsetError, Exception)
"""What a user has to mend comes before what only needs another try, and that before what follows from either."""


@overload
async def gather_all(first: Awaitable[T], second: Awaitable[U], /) -> tuple[T, U]: ...
@overload
async def gather_all(*awaitables: Awaitable[T]) -> tuple[T, ...]: ...
async def gather_all(*awaitables: Awaitable[Any]) -> tuple[Any, ...]:
    """The results in the order of `awaitables`, when all have ended.

    Where several fail, the most important error is raised, and of equals the first. `asyncio.gather` would raise the first
    error at once and lose the replies of the other calls; a `TaskGroup` would cancel them. Cancelling this cancels all.
    """
    done = await asyncio.gather(*awaitables, return_exceptions=True)  # noqa: TID251
    errors = [one for one in done if isinstance(one, BaseException)]
    if errors:
        raise next((one for kind in _BY_IMPORTANCE for one in errors if isinstance(one, kind)), errors[0])
    return tuple(done)
