import threading
from collections.abc import Collection, Mapping
from pathlib import Path

from flows.deploy.review.leases import SECONDS, Leases


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def first_free(others: Mapping[str, Collection[str]]) -> str | None:
    return next((item for item in "abc" if not others.get(item)), None)


def test_two_reviewers_never_hold_the_same_item(tmp_path: Path) -> None:
    leases = Leases(tmp_path / "leases", "set")
    assert leases.claim("Anna", first_free) == "a"
    assert leases.claim("Ben", first_free) == "b"
    assert leases.claim("Anna", first_free) == "a"  # hers already
    assert leases.claim("Cleo", first_free) == "c"
    assert leases.claim("Dan", first_free) is None


def test_a_lease_ends_by_itself_unless_it_is_renewed(tmp_path: Path) -> None:
    clock = Clock()
    leases = Leases(tmp_path / "leases", "set", clock)
    assert leases.claim("Anna", first_free) == "a"
    clock.now += SECONDS - 1
    assert leases.claim("Ben", first_free) == "b"
    leases.renew(["a"], "Anna")
    clock.now += SECONDS - 1
    assert leases.claim("Cleo", first_free) == "c"
    clock.now += 2  # hers has ended now, and Ben's before
    assert leases.claim("Dan", first_free) == "a"


def test_a_lease_ends_when_the_item_is_judged_and_other_sets_are_apart(tmp_path: Path) -> None:
    leases, others = Leases(tmp_path / "leases", "set"), Leases(tmp_path / "leases", "other")
    leases.claim("Anna", first_free)
    assert others.claim("Ben", first_free) == "a"
    leases.end("a", "Anna")
    assert leases.claim("Ben", first_free) == "a"


def test_claims_at_the_same_moment_get_different_items(tmp_path: Path) -> None:
    got: list[str | None] = []
    together = threading.Barrier(8)

    def claim(reviewer: str) -> None:
        leases = Leases(tmp_path / "leases", "set")
        together.wait()
        got.append(leases.claim(reviewer, lambda others: next(item for item in "abcdefgh" if not others.get(item))))

    threads = [threading.Thread(target=claim, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, got)) == list("abcdefgh")
