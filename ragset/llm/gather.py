"""Calls made together, of which none is abandoned: a call under way is already paid for."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar, overload

from ragset.errors import BudgetSpent, InputError, ProviderRefused, RagsetError, StoreError

T = TypeVar("T")
U = TypeVar("U")

# What a user has to mend comes before what only needs another try.
_BY_IMPORTANCE = (InputError, StoreError, ProviderRefused, BudgetSpent, RagsetError, Exception)


@overload
async def gather_all(first: Awaitable[T], second: Awaitable[U], /) -> tuple[T, U]: ...
@overload
async def gather_all(*awaitables: Awaitable[T]) -> tuple[T, ...]: ...
async def gather_all(*awaitables: Awaitable[Any]) -> tuple[Any, ...]:
    """The results in order when all have ended; of several errors the most important is raised, and of equals the first.

    `asyncio.gather` would lose the other replies, a `TaskGroup` would cancel their calls. Cancelling this cancels all.
    """
    if len(awaitables) == 1:  # no task for what nothing runs beside
        return (await awaitables[0],)
    done = await asyncio.gather(*awaitables, return_exceptions=True)  # noqa: TID251
    errors = [one for one in done if isinstance(one, BaseException)]
    if errors:
        raise next((one for kind in _BY_IMPORTANCE for one in errors if isinstance(one, kind)), errors[0])
    return tuple(done)
