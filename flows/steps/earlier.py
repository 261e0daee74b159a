"""The dataset that a refresh goes on from, and the parameters to go on with."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from flows.parameters.models import MultiChunkParameters, RefreshParameters, SingleChunkParameters
from ragset.dataset import Manifest, latest_version, next_version, read_manifest
from ragset.dataset.claim import claimed
from ragset.dataset.manifest import MANIFEST
from ragset.dataset.numbered import base_of
from ragset.errors import InputError
from ragset.generation.query_samples import read_samples

_MODELS = {"single-chunk": SingleChunkParameters, "multi-chunk": MultiChunkParameters}


class Earlier(NamedTuple):
    """A dataset as it was made, and how to make its next version."""

    folder: Path
    """Of the latest version."""
    manifest: Manifest
    wanted: int
    """Goldens that the next version should have."""
    parameters: SingleChunkParameters | MultiChunkParameters
    """Its own, with the documents given, and the models and limits where they were; `out` is the next version."""
    others: tuple[str, ...] = ()
    """Names of the datasets whose queries it was not to repeat, whether they are found or not."""
    notices: tuple[str, ...] = ()
    """What is not as it was when the goldens were made, a line each."""


def find_earlier(asked: RefreshParameters) -> Earlier:
    """The latest version of the dataset named, with the parameters of the next.

    Documents are cleaned as they were then: cleaned otherwise, no evidence would stand where it stood.
    """
    folder = latest_version(Path(asked.dataset))
    manifest = read_manifest(folder)
    if manifest.kind not in _MODELS:
        raise InputError(
            f"{folder / MANIFEST}: kind is {manifest.kind!r}; only {' and '.join(_MODELS)} can be refreshed"
        )
    if not manifest.kept:
        raise InputError(f"{folder}: holds no golden to refresh; make the dataset again")
    wanted = manifest.kept if manifest.wanted == "all" else manifest.wanted
    out = Path(asked.out) if asked.out else next_version(folder)
    if out.resolve() == folder.resolve():
        raise InputError(f"out: {out} is the version to go on from; name another folder, or none for the next version")
    before = manifest.parameters
    then: dict[str, Any] = before.get("documents") or {}
    documents = asked.documents.model_dump()
    documents["drop_references"] = then.get("drop_references", documents["drop_references"])
    documents["corpus"] = documents["corpus"] or then.get("corpus", "")
    given = {name: getattr(asked, name) for name in ("generator", "critic", "budget")}
    checks: dict[str, Any] = before.get("checks") or {}
    others = {name: _other(name, folder) for name in checks.get("earlier") or ()}
    writing, notices = _with_samples(manifest, folder)
    if lost := ", ".join(name for name, path in others.items() if path is None):
        notices.append(
            f"Queries of {lost} may be repeated: the goldens were not to repeat them, and no such dataset is beside {folder}."
        )
    values = {
        **before,
        **{name: value for name, value in given.items() if value is not None},
        "approval": asked.approval,
        "documents": documents,
        "n": wanted,
        "out": str(out),
        "checks": {**checks, "earlier": [str(path) for path in others.values() if path]},
        "writing": writing,
    }
    try:
        parameters = _MODELS[manifest.kind].model_validate(values)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(map(str, fault["loc"]))
        raise InputError(
            f"{folder / MANIFEST}: parameters.{field}: {fault['msg']}; this ragset cannot go on from it, so make the dataset "
            "again"
        ) from None
    return Earlier(folder, manifest, wanted, parameters, tuple(others), tuple(notices))


@contextmanager
def claimed_version(asked: RefreshParameters) -> Generator[Earlier]:
    """`find_earlier`, with the next version kept from other runs while the block runs."""
    while True:
        out = find_earlier(asked).parameters.out
        with claimed(Path(out)):
            # Another refresh may have written it before it was claimed: then there is a newer version to go on from.
            earlier = find_earlier(asked)
            if earlier.parameters.out == out:
                yield earlier
                return


def _other(name: str, folder: Path) -> Path | None:
    """The dataset of that name, beside this one or where the command runs: a manifest has its name alone."""
    own = base_of(folder).resolve()
    places = (folder.parent / name, Path(name))
    return next((path for path in places if (path / MANIFEST).is_file() and base_of(path).resolve() != own), None)


def _with_samples(manifest: Manifest, folder: Path) -> tuple[dict[str, Any], list[str]]:
    """How the dataset was written, with the file of real queries where it is now, and a notice if its queries changed.

    A manifest has the name of the file and a digest of its queries.
    """
    writing: dict[str, Any] = manifest.parameters.get("writing") or {}
    name = writing.get("samples")
    if not name:
        return writing, []
    found = [path for place in (folder, folder.parent, Path()) if (path := place / name).is_file()]
    if not found:
        raise InputError(
            f"{folder}: was made in the style of the queries in {name}; put that file beside the folder, or run in the folder "
            "where it is"
        )
    same = [path for path in found if manifest.samples and read_samples(path).digest == manifest.samples]
    path = (same or found)[0]
    changed = f"New queries are in the style of those in {path}, which are not known to be those of the other goldens."
    return {**writing, "samples": str(path)}, [] if same else [changed]
