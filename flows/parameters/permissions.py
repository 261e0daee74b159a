"""What the parameters of a run may name: folders, addresses and code, as the operator of the worker allows.

Anybody who can reach the form can start a run of a deployment, so it may only touch what the environment of its worker names. A
command is limited only if that is set: whoever types it could do as much without it.
"""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import unquote, urlsplit

from flows import INSTALLED, ROOT, project
from ragset.documents.web import is_url
from ragset.errors import InputError
from ragset.settings import LLAMAINDEX, DocumentSettings, Environment, Names, Settings
from ragset.storage import with_addresses


class Permissions(NamedTuple):
    """What is allowed of each kind; None: everything."""

    home: Path
    """RAGSET_HOME, with its secrets and what other runs have paid for; no parameter may name a file of it."""
    folders: tuple[Path, ...] | None
    storage: str | None
    """RAGSET_STORAGE, with what other runs have made; no parameter may name anything there."""
    addresses: tuple[str, ...]
    """Private hosts whose pages may be read, and folders at addresses such as s3://…, where folders are limited."""
    systems: tuple[str, ...] | None
    models: tuple[str, ...] | None

    @classmethod
    def of(cls, env: Environment, *, service: bool) -> "Permissions":
        """What the environment allows; without it, a run of a `service` may name only the project and the reports."""
        roots = _listed(env.ragset_roots, _usual_roots() if service else None)
        folders = None
        if roots is not None:
            named = [*(Path(root) for root in roots if "://" not in root), env.ragset_reports]
            folders = tuple(folder.resolve() for folder in named if folder)
        return cls(
            home=env.ragset_home.resolve(),
            folders=folders,
            storage=env.ragset_storage,
            addresses=tuple(root for root in roots or () if "://" in root),
            systems=_listed(env.ragset_systems, () if service else None),
            models=_listed(env.ragset_models, () if service else None),
        )


def _usual_roots() -> tuple[str, ...]:
    return (str(project()), *([str(ROOT / "examples")] if INSTALLED else ()))


def permit(parameters: Settings) -> None:
    """Return if the current run may use all that the parameters name; raises as `check_permitted` does."""
    from prefect.context import FlowRunContext

    context = FlowRunContext.get()
    run = context.flow_run if context else None
    check_permitted(parameters, Permissions.of(Environment(), service=bool(run and run.deployment_id)))


def check_permitted(parameters: Settings, allowed: Permissions) -> None:
    """Return if all that the parameters name is allowed.

    Raises:
        InputError: the message names each field, and the variable that would allow it.
    """
    faults: list[str] = []
    for at, group in _groups(parameters):
        for name, field in type(group).model_fields.items():
            for kind in (mark for mark in field.metadata if isinstance(mark, Names)):
                texts = filter(None, _items(getattr(group, name)))
                faults += (f"{at}{name}: {fault}" for text in texts if (fault := _fault(kind, text, allowed)))
        if isinstance(group, DocumentSettings) and group.allow_private_hosts and allowed.folders is not None:
            faults += (
                f"documents.allow_private_hosts: {source} is no address that runs may use; leave it off, or let the operator of "
                "the worker add the address to RAGSET_ROOTS"
                for source in group.sources
                if "://" in source and not any(_under(source, one) for one in allowed.addresses)
            )
    if faults:
        raise InputError("\n".join(faults))


def _fault(kind: Names, text: str, allowed: Permissions) -> str | None:
    """Why the run may not use what `text` names; None if it may."""
    if kind is Names.STORE:
        kind = Names.ADDRESS if "://" in text else Names.PATH
    if kind in {Names.CLASS, Names.MODEL} and text.startswith(LLAMAINDEX):
        kind, text = Names.FUNCTION, text.removeprefix(LLAMAINDEX)
    if kind is Names.CLASS:
        return None
    if kind in {Names.PATH, Names.SOURCE}:
        return None if kind is Names.SOURCE and is_url(text) else _path_fault(text, allowed)
    if kind is Names.MODEL:
        kind_of_model, _, name = text.partition(":")
        if kind_of_model == "learned":
            return _path_fault(name, allowed)
        if kind_of_model not in {"local", "cross-encoder"} or allowed.models is None or name in allowed.models:
            return None
        return f"{name} is no model that runs may load; the operator of the worker can add it to RAGSET_MODELS"
    if allowed.systems is None:
        return None
    if kind is Names.FUNCTION:
        known = text in allowed.systems or text.partition(":")[0] in allowed.systems
    else:
        known = any(_under(text, one) for one in allowed.systems if "://" in one)
    return None if known else f"runs may not ask {text!r}; the operator of the worker can add it to RAGSET_SYSTEMS"


def _path_fault(text: str, allowed: Permissions) -> str | None:
    if allowed.folders is None:
        return None
    text = with_addresses(text)  # of a copy, which is in RAGSET_HOME
    if "://" in text:
        known = any(_under(text, one) for one in allowed.addresses)
        shared = allowed.storage and (_under(text, allowed.storage) or _under(allowed.storage, text))
        if known and not shared:
            return None
        fault = (
            "holds RAGSET_STORAGE, or is in it; name another address" if shared else "is no address that runs may use"
        )
        return f"{text} {fault}" if shared else f"{text} {fault}; the operator of the worker can add it to RAGSET_ROOTS"
    path = Path(text).resolve()
    if path.is_relative_to(allowed.home) or _open_below(allowed.home, path):
        return f"{text} holds RAGSET_HOME, or is in it; name another folder"
    for folder in allowed.folders:
        if _open_below(path, folder):
            return None
        if path.is_relative_to(folder):
            return f"{text} is hidden; runs may not name hidden files and folders"
    among = ", ".join(map(str, allowed.folders)) or "none"
    return f"{text} is in no folder that runs may use ({among}); the operator of the worker can add one to RAGSET_ROOTS"


def _open_below(path: Path, folder: Path) -> bool:
    return path.is_relative_to(folder) and not any(part.startswith(".") for part in path.relative_to(folder).parts)


def _groups(settings: Settings, at: str = "") -> Iterator[tuple[str, Settings]]:
    """A group of parameters and all groups in it, each after the prefix of its fields' names."""
    yield at, settings
    for name in type(settings).model_fields:
        for part in _items(getattr(settings, name)):
            if isinstance(part, Settings):
                yield from _groups(part, f"{at}{name}.")


def _items(value: Any) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)


def _under(address: str, allowed: str) -> bool:
    """Whether the address is the allowed one, or a page below it."""
    one, other = urlsplit(address), urlsplit(allowed)
    path, below = unquote(one.path) or "/", other.path.rstrip("/")
    same = (one.scheme, one.netloc.lower()) == (other.scheme, other.netloc.lower())
    return same and posixpath.normpath(path) == (path.rstrip("/") or "/") and f"{path}/".startswith(f"{below}/")


def _listed(text: str | None, otherwise: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return otherwise if text is None else tuple(one.strip() for one in text.split(",") if one.strip())
