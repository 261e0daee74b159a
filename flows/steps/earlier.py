"""The dataset that a refresh continues from, and the parameters of its next version."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from flows.parameters.models import AnyMaking, MultiChunkParameters, RefreshParameters, SingleChunkParameters
from ragset.dataset import Manifest, latest_version, next_version, read_manifest
from ragset.dataset.manifest import MANIFEST
from ragset.dataset.numbered import base_of
from ragset.dataset.swap import claimed
from ragset.errors import InputError, problems_of
from ragset.generation.query_samples import read_samples

_MODELS = {"single-chunk": SingleChunkParameters, "multi-chunk": MultiChunkParameters}


class Earlier(NamedTuple):
    """The latest version of a dataset, and how to make the next."""

    folder: Path
    manifest: Manifest
    wanted: int
    parameters: AnyMaking
    """Of the next version: the dataset's own, except those that were given."""
    others: tuple[str, ...] = ()
    """Names of the datasets whose queries it was not to repeat, found or not."""
    notices: tuple[str, ...] = ()
    """What has changed since the goldens were made, a line each."""


def find_earlier(asked: RefreshParameters) -> Earlier:
    """The latest version of the dataset named, with the parameters of the next.

    Documents are cleaned as they were then; else no evidence would be where it was.
    """
    folder = latest_version(Path(asked.dataset))
    manifest = read_manifest(folder)
    if manifest.kind not in _MODELS:
        raise InputError(
            f"{folder / MANIFEST}: kind is {manifest.kind!r}; only {' and '.join(_MODELS)} can be refreshed (make another one "
            "anew: replies to passages that have not changed are in the journal)"
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
    documents["readers"] = documents["readers"] or then.get("readers", [])
    documents["drop_references"] = then.get("drop_references", documents["drop_references"])
    documents["corpus"] = documents["corpus"] or then.get("corpus", "")
    given = {name: value for name in ("generator", "critic", "budget") if (value := getattr(asked, name)) is not None}
    chunking: dict[str, Any] = before.get("chunking") or {}
    if bool(asked.chunks) != bool(chunking.get("existing")):
        was = "was made of existing chunks; name the current ones" if asked.chunks is None else "was not made of any"
        raise InputError(f"chunks: {folder} {was}")
    checks: dict[str, Any] = before.get("checks") or {}
    others = {name: _other(name, folder) for name in checks.get("earlier") or ()}
    writing, notices = _with_samples(before.get("writing") or {}, manifest.samples, folder)
    if lost := ", ".join(name for name, path in others.items() if path is None):
        notices.append(
            f"Queries of {lost} may be repeated: the goldens were not to repeat them, and no such dataset is beside {folder}."
        )
    values = {
        **before,
        **given,
        "approval": asked.approval,
        "documents": documents,
        "chunking": {**chunking, "existing": asked.chunks},
        "n": wanted,
        "out": str(out),
        "checks": {**checks, "earlier": [str(path) for path in others.values() if path]},
        "writing": writing,
    }
    if manifest.kind == "single-chunk":
        values["sampling"] = {**(before.get("sampling") or {}), "from": manifest.drawn_from}
    try:
        parameters = _MODELS[manifest.kind].model_validate(values)
    except ValidationError as error:
        raise InputError(
            f"{folder / MANIFEST}: {problems_of(error, 'parameters')}; this ragset cannot go on from it, so make the dataset "
            "again"
        ) from None
    return Earlier(folder, manifest, wanted, parameters, tuple(others), tuple(notices))


@contextmanager
def claimed_version(asked: RefreshParameters) -> Generator[Earlier]:
    """`find_earlier`, with the next version claimed while the block runs."""
    while True:
        out = find_earlier(asked).parameters.out
        with claimed(Path(out)):
            # Another refresh may have written it before it was claimed; then there is a newer version.
            earlier = find_earlier(asked)
            if earlier.parameters.out == out:
                yield earlier
                return


def _other(name: str, folder: Path) -> Path | None:
    own = base_of(folder).resolve()
    places = (folder.parent / name, Path(name))
    return next((path for path in places if (path / MANIFEST).is_file() and base_of(path).resolve() != own), None)


def _with_samples(writing: dict[str, Any], digest: str, folder: Path) -> tuple[dict[str, Any], list[str]]:
    """The writing parameters with the path of the file of real queries, and a notice if these have another digest."""
    name = writing.get("samples")
    if not name:
        return writing, []
    found = [path for place in (folder, folder.parent, Path()) if (path := place / name).is_file()]
    if not found:
        raise InputError(
            f"{folder}: was made in the style of the queries in {name}; put that file beside the folder, or run in the folder "
            "where it is"
        )
    same = [path for path in found if digest and read_samples(path).digest == digest]
    path = (same or found)[0]
    changed = f"New queries are in the style of those in {path}, which are not known to be those of the other goldens."
    return {**writing, "samples": str(path)}, [] if same else [changed]
