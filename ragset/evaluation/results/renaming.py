"""Configurations of two benchmarks that have other names: renamed as a person says, or as their names suggest."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ragset.errors import InputError
from ragset.evaluation.results.folder import StoredResults

_BETWEEN = " / "


def renamed(stored: StoredResults, names: Mapping[str, str]) -> StoredResults:
    """The results with configurations, or parts of their names, renamed: `{"recursive-128-0-tokens": "recursive-256-0-tokens"}`.

    Raises:
        InputError: nothing has such a name, or two configurations would have one name.
    """
    if not names:
        return stored
    known = list(dict.fromkeys(map(str, stored.scores["configuration"])))
    parts = dict.fromkeys(part for name in known for part in (name, *name.split(_BETWEEN)))
    if unknown := next((name for name in names if name not in parts), ""):
        raise InputError(
            f"--map: {stored.folder} has no configuration or part of one named {unknown}; there are {'; '.join(known)}"
        )
    now = {name: _renamed(name, names) for name in known}
    taken: dict[str, str] = {}
    for name, new in now.items():
        if new in taken:
            raise InputError(f"--map: {taken[new]} and {name} would both be {new}; map one of them to another name")
        taken[new] = name
    return replace(stored, scores=stored.scores.assign(configuration=stored.scores["configuration"].map(now)))


def _renamed(name: str, names: Mapping[str, str]) -> str:
    return names.get(name) or _BETWEEN.join(names.get(part, part) for part in name.split(_BETWEEN))


def suggested(before: Iterable[str], after: Iterable[str]) -> dict[str, str]:
    """Which parts of names to rename so that configurations of one alone are paired: those that differ in one part.

    A part that could become several others is left out.
    """
    found: dict[str, set[str]] = {}
    new = [name.split(_BETWEEN) for name in after]
    for old in (name.split(_BETWEEN) for name in before):
        for other in new:
            apart = [pair for pair in zip(old, other, strict=False) if pair[0] != pair[1]]
            if len(old) == len(other) and len(apart) == 1:
                found.setdefault(apart[0][0], set()).add(apart[0][1])
    single = {old: next(iter(names)) for old, names in found.items() if len(names) == 1}
    reached = list(single.values())
    return {old: name for old, name in single.items() if reached.count(name) == 1}
