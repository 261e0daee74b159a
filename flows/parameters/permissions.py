"""What the parameters of a run may name: folders, addresses and code, as the operator of the worker allows.

A run of a deployment may have been started by anybody who can reach the form, so it may only touch what the environment of
its worker names. A command is typed by a person who could do as much without it: it is limited only where that is set.
"""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import unquote, urlsplit

from flows import ROOT
from ragset.errors import InputError
from ragset.settings import DocumentSettings, Environment, Names, Settings

_LOADED = ("local:", "cross-encoder:")


class Permissions(NamedTuple):
    """Of each kind what is allowed; None: everything."""

    home: Path
    """RAGSET_HOME, with its secrets and what other runs have paid for; no parameter may name a file of it."""
    folders: tuple[Path, ...] | None
    addresses: tuple[str, ...]
    """Of private hosts, whose pages may be read where folders are limited."""
    systems: tuple[str, ...] | None
    models: tuple[str, ...] | None

    @classmethod
    def of(cls, env: Environment, *, service: bool) -> "Permissions":
        """As the environment says; of a run of a `service` nothing else is allowed but the project and the reports."""
        roots = _listed(env.ragset_roots, (str(ROOT),) if service else None)
        folders = None
        if roots is not None:
            named = [Path(root) for root in roots if "://" not in root]
            named += [env.ragset_reports] if env.ragset_reports else []
            folders = tuple(folder.resolve() for folder in named)
        return cls(
            home=env.ragset_home.resolve(),
            folders=folders,
            addresses=tuple(root for root in roots or () if "://" in root),
            systems=_listed(env.ragset_systems, () if service else None),
            models=_listed(env.ragset_models, () if service else None),
        )


def permit(parameters: Settings) -> None:
    """Return if the run that is going on may use these.

    Raises:
        InputError: it may not; the message names each field, and the variable that would allow it.
    """
    from prefect.context import FlowRunContext

    context = FlowRunContext.get()
    run = context.flow_run if context else None
    check_permitted(parameters, Permissions.of(Environment(), service=bool(run and run.deployment_id)))


def check_permitted(parameters: Settings, allowed: Permissions) -> None:
    """Return if all that the parameters name is allowed.

    Raises:
        InputError: it is not; the message names each field, and the variable that would allow it.
    """
    faults = [f"{field}: {fault}" for field, kind, text in _named(parameters) if (fault := _fault(kind, text, allowed))]
    faults += _private_hosts(parameters, allowed)
    if faults:
        raise InputError("\n".join(faults))


def _fault(kind: Names, text: str, allowed: Permissions) -> str | None:
    """Why the run may not use it."""
    if kind in {Names.PATH, Names.SOURCE}:
        return None if kind is Names.SOURCE and "://" in text else _path_fault(text, allowed)
    if kind is Names.MODEL:
        prefix = next((one for one in _LOADED if text.startswith(one)), None)
        if prefix is None or allowed.models is None or text.removeprefix(prefix) in allowed.models:
            return None
        name = text.removeprefix(prefix)
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
    """Whether it is in the folder, and not hidden there."""
    return path.is_relative_to(folder) and not any(part.startswith(".") for part in path.relative_to(folder).parts)


def _private_hosts(parameters: Settings, allowed: Permissions) -> Iterator[str]:
    """Pages of private hosts may be read if all addresses of the same documents are allowed by name."""
    if allowed.folders is None:
        return
    for documents in _parts(parameters):
        if isinstance(documents, DocumentSettings) and documents.allow_private_hosts:
            addresses = [source for source in documents.sources if "://" in source]
            for source in addresses:
                if not any(_under(source, one) for one in allowed.addresses):
                    yield (
                        f"documents.allow_private_hosts: {source} is no address that runs may use; leave it off, or let the "
                        "operator of the worker add the address to RAGSET_ROOTS"
                    )


def _named(settings: Settings, at: str = "") -> Iterator[tuple[str, Names, str]]:
    """Field, kind and text of everything that is named."""
    for name, field in type(settings).model_fields.items():
        value: Any = getattr(settings, name)
        for mark in field.metadata:
            if isinstance(mark, Names):
                texts = cast("tuple[str, ...]", value if isinstance(value, tuple) else (value,))
                yield from ((at + name, mark, text) for text in texts if text)
        for part in _settings_of(value):
            yield from _named(part, f"{at}{name}.")


def _parts(settings: Settings) -> Iterator[Settings]:
    """The group of parameters, and all groups in it."""
    yield settings
    for name in type(settings).model_fields:
        for part in _settings_of(getattr(settings, name)):
            yield from _parts(part)


def _settings_of(value: Any) -> list[Settings]:
    values = cast("tuple[Any, ...]", value if isinstance(value, tuple) else (value,))
    return [one for one in values if isinstance(one, Settings)]


def _under(address: str, allowed: str) -> bool:
    """Whether the address is the allowed one, or a page below it."""
    one, other = urlsplit(address), urlsplit(allowed)
    path, below = unquote(one.path) or "/", other.path.rstrip("/")
    same = (one.scheme, one.netloc.lower()) == (other.scheme, other.netloc.lower())
    return same and posixpath.normpath(path) == (path.rstrip("/") or "/") and f"{path}/".startswith(f"{below}/")


def _listed(text: str | None, otherwise: tuple[str, ...] | None) -> tuple[str, ...] | None:
    return otherwise if text is None else tuple(one.strip() for one in text.split(",") if one.strip())
