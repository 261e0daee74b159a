import asyncio

import pytest

from ragset.llm.limiter import Limiter


async def hold(limiter: Limiter, seconds: float = 0.0) -> None:
    async with limiter:
        await asyncio.sleep(seconds)


def now() -> float:
    return asyncio.get_running_loop().time()


async def test_calls_enter_in_the_order_of_arrival() -> None:
    limiter, entered = Limiter(2), list[int]()

    async def call(number: int) -> None:
        async with limiter:
            entered.append(number)
            await asyncio.sleep(0.001)

    await asyncio.gather(*map(call, range(20)))
    assert entered == list(range(20))


async def test_refusals_of_calls_sent_together_count_once() -> None:
    limiter = Limiter(10)
    sent_at = now()
    await asyncio.sleep(0.001)
    for _ in range(8):
        limiter.refused(sent_at, 0.0)
    # 10 * 0.6
    assert limiter.limit == 6
    await asyncio.sleep(0.001)
    limiter.refused(now(), 0.0)
    # 6 * 0.6 = 3.6
    assert limiter.limit == 3


async def test_limit_never_falls_below_one_call() -> None:
    limiter = Limiter(3)
    for _ in range(10):
        limiter.refused(now(), 0.0)
        await asyncio.sleep(0.001)
    assert limiter.limit == 1
    await asyncio.wait_for(hold(limiter), 1)


async def test_limit_climbs_by_one_after_as_many_successes_and_not_above_its_start() -> None:
    limiter = Limiter(10)
    limiter.refused(now(), 0.0)
    for _ in range(7):
        limiter.succeeded()
    # 6 + about 7 / 6.5
    assert limiter.limit == 7
    # and slowly from 8.5 on: 1.5 / 0.1 times about 9.5
    for _ in range(1000):
        limiter.succeeded()
    assert limiter.limit == 10


async def test_limit_climbs_slowly_near_where_it_was_refused_last() -> None:
    limiter = Limiter(100)
    limiter.refused(now(), 0.0)
    successes = dict[int, int]()
    for number in range(10_000):
        successes.setdefault(limiter.limit, number)
        limiter.succeeded()
    # from 60 about 60 successes more for each step, from 85 ten times as many, up to the 100 that were refused
    assert 55 < successes[62] - successes[61] < 66
    assert 850 < successes[88] - successes[87] < 900


async def test_nobody_enters_during_a_pause_and_all_do_after_it() -> None:
    limiter = Limiter(4)
    limiter.refused(now(), 0.1)
    until = now() + 0.1
    entered = list[float]()

    async def call() -> None:
        async with limiter:
            entered.append(now())

    await asyncio.wait_for(asyncio.gather(*(call() for _ in range(10))), 5)
    assert len(entered) == 10
    assert min(entered) >= until


async def test_pause_that_is_prolonged_holds_back_those_who_wait_already() -> None:
    limiter = Limiter(4)
    limiter.refused(now(), 0.05)
    waiting = asyncio.create_task(hold(limiter))
    await asyncio.sleep(0.01)
    limiter.refused(now(), 0.2)
    until = now() + 0.2
    await asyncio.wait_for(waiting, 5)
    assert now() >= until


async def test_cancelled_while_waiting_takes_no_slot() -> None:
    limiter = Limiter(1)
    holder = asyncio.create_task(hold(limiter, 0.05))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(hold(limiter)) for _ in range(5)]
    await asyncio.sleep(0)
    for task in waiting[:4]:
        task.cancel()
    await asyncio.wait_for(asyncio.gather(holder, *waiting, return_exceptions=True), 5)
    assert limiter.active == 0
    await asyncio.wait_for(hold(limiter), 1)


async def test_cancelled_just_as_the_turn_comes_passes_it_on() -> None:
    limiter = Limiter(1)
    await limiter.__aenter__()
    first, second = asyncio.create_task(hold(limiter)), asyncio.create_task(hold(limiter))
    await asyncio.sleep(0)
    await limiter.__aexit__(None, None, None)  # the turn is given to the first, which has not run yet
    first.cancel()
    await asyncio.wait_for(asyncio.gather(first, second, return_exceptions=True), 5)
    assert first.cancelled()
    assert not second.cancelled()
    assert limiter.active == 0


async def test_cancelled_during_a_pause_does_not_hold_up_the_others() -> None:
    limiter = Limiter(1)
    limiter.refused(now(), 0.05)
    lost, kept = asyncio.create_task(hold(limiter)), asyncio.create_task(hold(limiter))
    await asyncio.sleep(0)
    lost.cancel()
    await asyncio.wait_for(kept, 5)
    assert limiter.active == 0


async def test_call_that_fails_gives_its_slot_back() -> None:
    limiter = Limiter(1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            async with limiter:
                raise ZeroDivisionError
    assert limiter.active == 0
