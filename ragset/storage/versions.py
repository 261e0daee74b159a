"""A file or folder at an address: the version that is there, downloaded and uploaded.

A folder that ragset wrote is there as `name/<version>/…`, and `name/current.json`, written last, names the version and its files: an
interrupted upload leaves the version before whole. Any other file or folder is read as it stands.
"""

import hashlib
import shutil
import uuid
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import ValidationError

from ragset.errors import InputError
from ragset.models import Model
from ragset.settings.whole_file import exchange, same_file
from ragset.storage.filesystem import at_once

CURRENT = "current.json"
ITSELF = "."  # the name of the only file of an address that is no folder


class Version(Model):
    """The files of a folder at one moment."""

    version: str = ""  # the folder that they are in; empty: not written by ragset
    before: str = ""  # the version that this one replaced, kept for those who are reading it
    files: dict[str, str]  # by name, the SHA-256, or what the server says that changes with the content


def current_version(system: Any, root: str) -> Version | None:
    """What `current.json` says; None where ragset wrote nothing."""
    try:
        return Version.model_validate_json(system.cat_file(f"{root}/{CURRENT}"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValidationError:
        raise InputError(f"{root}/{CURRENT}: is damaged; remove the folder, and make it again") from None


def files_at(system: Any, root: str) -> dict[str, str]:
    """The files at a place that ragset did not write, with what changes when they change."""
    found: dict[str, Any] = system.find(root, detail=True)
    files = {
        name[len(root) :].strip("/") or ITSELF: hashlib.sha256(repr(sorted(info.items(), key=str)).encode()).hexdigest()
        for name, info in found.items()
        if info["type"] == "file" and not name.endswith("/")
    }
    if bad := next((name for name in files if name != ITSELF and not {"", ".."}.isdisjoint(name.split("/"))), None):
        raise InputError(f"{root}/{bad}: cannot be the name of a file here; rename it there")
    return {name: mark for name, mark in files.items() if not is_hidden(name)}


def download(system: Any, root: str, there: Version, path: Path, known: Version | None) -> None:
    """Bring the files there; those that are `known` to be the same here already are not fetched."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.partial")
    same = known.files if known else {}
    try:
        wanted: list[tuple[str, str]] = []
        for name, digest in there.files.items():
            target = partial / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if same.get(name) == digest and (path / name).is_file():
                same_file(path / name, target)
            else:
                wanted.append((_place(root, there, name), str(target)))
        at_once(system.get_file, wanted)
        if there.version:
            for name, digest in there.files.items():
                if digest_of(partial / name) != digest:
                    raise InputError(f"{_place(root, there, name)}: is damaged; make the dataset again")
        if partial.is_file():
            partial.replace(path)
        else:
            exchange(partial, path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def upload(system: Any, root: str, path: Path, files: dict[str, str], before: Version | None) -> Version:
    """The new version, which `current.json` names once all its files are there."""
    whole = hashlib.sha256("\n".join(f"{name} {digest}" for name, digest in files.items()).encode())
    there = Version(version=whole.hexdigest()[:16], before=before.version if before else "", files=files)
    if before and before.version == there.version:
        return before
    known = before.files if before else {}
    same = [name for name, digest in files.items() if before and known.get(name) == digest]
    at_once(system.cp_file, [(_place(root, before, name), _place(root, there, name)) for name in same if before])
    new = [(str(path / name), _place(root, there, name)) for name in files if name not in same]
    at_once(system.put_file, new)
    system.pipe_file(f"{root}/{CURRENT}", there.model_dump_json(indent=2).encode())
    if before and before.before not in {"", there.version, before.version}:
        with suppress(FileNotFoundError):
            system.rm(f"{root}/{before.before}", recursive=True)
    return there


def _place(root: str, of: Version, name: str) -> str:
    return "/".join(part for part in (root, of.version, name) if part and part != ITSELF)


def is_hidden(name: str) -> bool:
    """Whether it is no part of a folder: a lock, or half-written."""
    return any(part.startswith(".") for part in PurePosixPath(name).parts)


def digest_of(file: Path) -> str:
    """The SHA-256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
