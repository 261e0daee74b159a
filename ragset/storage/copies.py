"""Local copies of files and folders at addresses, which all other code reads and writes.

The copy of `s3://bucket/sets/name` is `RAGSET_HOME/copies/s3/bucket%2Fsets/name`.
"""

import os
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, unquote

from pydantic import ValidationError

from ragset.errors import InputError
from ragset.models import Model
from ragset.settings import Environment
from ragset.settings.addresses import check_variable
from ragset.settings.lock import waited_for
from ragset.settings.whole_file import replace_text
from ragset.storage.filesystem import is_address, reached
from ragset.storage.versions import ITSELF, Version, current_version, digest_of, download, files_at, is_hidden, upload

_NO_PARENT = "%"  # stands in paths of copies for the parent of a bucket
_PROBE = ".ragset-probe"
_fetched: set[Path] = set()  # the copies that this process may have changed


class _State(Model):
    """What the copy was when it was last the same as the folder at the address."""

    there: Version
    here: dict[str, tuple[int, int]]  # by name, size and time of change


def local_copy(place: str | Path, *, to_write: bool = False) -> Path:
    """The path of a file or folder; of an address, that of its copy, brought up to date.

    `to_write` is for a folder that is replaced: there may be none yet, and none but ragset's own.

    Raises:
        InputError: there is nothing, or the copy and the folder at the address have both changed.
        StorageUnavailable: the server does not answer.
    """
    address = str(place)
    if "://" not in address:
        return Path(place)
    path = _path_of(address)
    with _locked(path), reached(address) as (system, root):
        state, there = _state(path), current_version(system, root)
        if there is None:
            files = files_at(system, root)
            if to_write and not {ITSELF}.issuperset(files):
                raise InputError(f"{address}: holds something that ragset did not write there; name another address")
            there = Version(files=files) if files else None
        if to_write and (there is None or there.version):
            # By trying, before work is paid that could not be kept.
            system.pipe_file(f"{root}/{_PROBE}", b"")
            system.rm_file(f"{root}/{_PROBE}")
        changed = _here(path) != (state.here if state else {})
        _fetched.add(path)
        if there == (state.there if state else None) and (changed or path.exists()):
            if state:
                _state_file(path).touch()  # says when the copy was last used
            return path
        if changed and (state is not None or there is not None):
            raise InputError(
                f"{address}: was changed there, and its copy {path} here as well; move the copy away to go on with what is there"
            )
        if there is not None:
            download(system, root, there, path, state.there if state else None)
            _write_state(path, there)
        elif not to_write:
            raise InputError(f"{address}: there is no such file or folder")
        elif not changed:
            shutil.rmtree(path, ignore_errors=True)
            _state_file(path).unlink(missing_ok=True)
    return path


def check_there(place: str) -> None:
    """Raise InputError if there is no such file or folder; nothing is copied."""
    there = Path(place).exists()
    if is_address(place):
        _path_of(place)
        with reached(place) as (system, root):
            there = system.exists(root)
    if not there:
        raise InputError(f"{place}: there is no such file or folder")


def send_copy(path: Path, *, replaces: bool = True) -> None:
    """Upload the copy of an address as its next version, if it has changed; any other path is left alone.

    Raises:
        InputError: it does not replace what is there, which has changed too.
        StorageUnavailable: the server does not answer.
    """
    if (address := address_of(path)) is None:
        return
    path = _path_of(address)
    with _locked(path), reached(address) as (system, root):
        state, here = _state(path), _here(path)
        if here == (state.here if state else {}):
            return
        files = {name: digest_of(path / name) for name in sorted(here)}
        if [*files] == [ITSELF]:
            system.put_file(str(path), root)
            there = Version(files=files_at(system, root))
        else:
            before = current_version(system, root)
            if not replaces and before != (state.there if state and state.there.version else None):
                raise InputError(f"{address}: was changed there meanwhile; your changes are in {path}")
            there = upload(system, root, path, files, before)
        _write_state(path, there)


def send_changes() -> None:
    """Upload what this process has changed in copies, such as judgements of people."""
    for path in sorted(_fetched):
        if path.exists():
            send_copy(path, replaces=False)


def versions_beside(path: Path) -> None:
    """Bring up to date the copies of all versions of a dataset, `name`, `name-v2` and so on; another path is left alone."""
    if (address := address_of(path)) is None:
        return
    with reached(address) as (system, root):
        parent, _, name = root.rpartition("/")
        with suppress(FileNotFoundError):
            names = [str(found).rstrip("/").rpartition("/")[2] for found in system.ls(parent, detail=False)]
            ours = re.compile(re.escape(re.sub(r"-v[1-9]\d*\Z", "", name)) + r"(-v[1-9]\d*)?")
            for one in filter(ours.fullmatch, names):
                if current_version(system, f"{parent}/{one}"):
                    local_copy(f"{address.rpartition('/')[0]}/{one}")


def unsent(path: Path) -> bool:
    """Whether a copy has changes that are not uploaded."""
    state = _state(path)
    return state is None or _here(path) != state.here


def address_of(path: Path) -> str | None:
    """The address of a copy, or of a file in it; None for other paths."""
    scheme, _, rest = with_addresses(str(path.absolute())).partition("://")
    return f"{scheme}://{rest}" if rest else None


def with_addresses(text: str) -> str:
    """The text with addresses in place of the paths of their copies."""

    def address(found: re.Match[str]) -> str:
        return f"{found[1]}://" + ("" if found[2] == _NO_PARENT else f"{unquote(found[2])}/")

    return re.sub(re.escape(f"{_root()}{os.sep}") + r"([a-z0-9+.-]+)/([^/\s]+)/", address, text)


def _root() -> Path:
    return Environment().ragset_home.absolute() / "copies"


def _path_of(address: str) -> Path:
    scheme, _, rest = address.partition("://")
    parts = rest.rstrip("/").split("/")
    check_variable("address", address)
    if not is_address(address):
        raise InputError(f"{address}: is a web page; name a file, a folder or an address such as s3://bucket/folder")
    if scheme in {"file", "local", "ftp"}:
        raise InputError(
            f"{address}: is no address that ragset reads; name a path, or an address such as s3://bucket/folder"
        )
    if "::" in address or not {"", ".", ".."}.isdisjoint(parts) or not re.fullmatch(r"[a-z0-9+.-]+", scheme):
        raise InputError(f"{address}: is no address of a file or folder, such as s3://bucket/folder")
    *parents, name = parts
    return _root() / scheme / (quote("/".join(parents), safe="") or _NO_PARENT) / name


def _here(path: Path) -> dict[str, tuple[int, int]]:
    """The files of a copy but for hidden ones, which are locks and half-written; of a single file, that alone."""
    files = {ITSELF: path} if path.is_file() else {one.relative_to(path).as_posix(): one for one in path.rglob("*")}
    found: dict[str, tuple[int, int]] = {}
    for name, file in files.items():
        if file.is_file() and not is_hidden(name):
            found[name] = (file.stat().st_size, file.stat().st_mtime_ns)
    return found


def _state(path: Path) -> _State | None:
    with suppress(FileNotFoundError, ValidationError):
        return _State.model_validate_json(_state_file(path).read_bytes())
    return None


def _write_state(path: Path, there: Version) -> None:
    replace_text(_state_file(path), _State(there=there, here=_here(path)).model_dump_json())


def _state_file(path: Path) -> Path:
    return path.with_name(f".{path.name}.copy.json")


@contextmanager
def _locked(path: Path) -> Generator[None]:
    """One process at a time at the copy; others wait."""
    with waited_for(path.with_name(f".{path.name}.copy.lock")):
        yield
