"""Versions of a dataset beside one another: `demo`, `demo-v2`, `demo-v3`."""

import re
from pathlib import Path

from ragset.dataset.manifest import MANIFEST
from ragset.errors import InputError
from ragset.storage.copies import versions_beside

_NUMBER = re.compile(r"-v([1-9]\d*)\Z")


def latest_version(folder: Path) -> Path:
    """The newest version of the dataset that `folder` is a version of."""
    versions_beside(folder)
    versions = {number: path for number, path in _numbered(base_of(folder)).items() if (path / MANIFEST).is_file()}
    if not versions:
        what = f"is no dataset, there is no {MANIFEST} in it" if folder.exists() else "there is no such folder"
        raise InputError(f"{folder}: {what}; make the dataset first")
    return versions[max(versions)]


def next_version(folder: Path) -> Path:
    """The free folder name after the latest version."""
    versions_beside(folder)
    base = base_of(folder)
    return base.with_name(f"{base.name}-v{max(_numbered(base)) + 1}")


def base_of(folder: Path) -> Path:
    """The folder of the first version: without `-v2`, if a dataset of that name exists."""
    folder = folder.resolve() if folder.name in {"", ".."} else folder
    bare = _NUMBER.sub("", folder.name)
    base = folder.with_name(bare) if bare else folder
    return base if (base / MANIFEST).is_file() else folder


def version_of(folder: Path) -> tuple[str, int]:
    """The name of the first version and the number of this one: `demo`, 2 for `demo-v2` beside `demo`."""
    versions_beside(folder)
    base, folder = base_of(folder), folder.resolve()
    number = _NUMBER.search(folder.name)
    return base.name, int(number[1]) if number and base.name != folder.name else 1


def _numbered(base: Path) -> dict[int, Path]:
    """Every path with the name of a version, by its number; the first version is 1."""
    numbers = ((_NUMBER.search(path.name), path) for path in base.parent.glob("*"))
    ours = {int(n[1]): path for n, path in numbers if n and path.name == f"{base.name}{n[0]}" and n[1] != "1"}
    return {1: base} | ours
