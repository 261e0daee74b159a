"""The dataset that a refresh goes on from, and the parameters to go on with."""

from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from flows.parameters import MultiChunkParameters, RefreshParameters, SingleChunkParameters
from ragset.dataset import Manifest, latest_version, next_version, read_manifest
from ragset.dataset.manifest import MANIFEST
from ragset.errors import InputError


class Earlier(NamedTuple):
    """A dataset as it was made, and how to make its next version."""

    folder: Path
    """Of the latest version."""
    manifest: Manifest
    wanted: int
    """Goldens that the next version should have."""
    parameters: SingleChunkParameters | MultiChunkParameters
    """Its own, with the documents given, and the models and limits where they were; `out` is the next version."""


def find_earlier(asked: RefreshParameters) -> Earlier:
    """The latest version of the dataset named, with the parameters of the next.

    Documents are cleaned as they were then: cleaned otherwise, no evidence would stand where it stood.

    Raises:
        InputError: there is none, its manifest is damaged or of another format, or its parameters are no longer known.
    """
    folder = latest_version(Path(asked.dataset))
    manifest = read_manifest(folder)
    models = {"single-chunk": SingleChunkParameters, "multi-chunk": MultiChunkParameters}
    if manifest.kind not in models:
        raise InputError(
            f"{folder / MANIFEST}: kind is {manifest.kind!r}; only {' and '.join(models)} can be refreshed"
        )
    if not manifest.kept:
        raise InputError(f"{folder}: holds no golden to refresh; make the dataset again")
    wanted = manifest.kept if manifest.wanted == "all" else manifest.wanted
    out = Path(asked.out) if asked.out else next_version(folder)
    if out.resolve() == folder.resolve():
        raise InputError(f"out: {out} is the version to go on from; name another folder, or none for the next version")
    then: dict[str, Any] = dict(manifest.parameters.get("documents") or {})
    documents = asked.documents.model_dump()
    documents["drop_references"] = then.get("drop_references", documents["drop_references"])
    documents["corpus"] = documents["corpus"] or then.get("corpus", "")
    given = {name: getattr(asked, name) for name in ("generator", "critic", "budget")}
    values = {
        **manifest.parameters,
        **{name: value for name, value in given.items() if value is not None},
        "approval": asked.approval,
        "documents": documents,
        "n": wanted,
        "out": str(out),
    }
    # Queries of other datasets were kept apart when the goldens were made; where those are now nobody knows.
    checks: dict[str, Any] = dict(manifest.parameters.get("checks") or {})
    values["checks"] = {**checks, "earlier": ()}
    values["writing"] = _with_samples(manifest.parameters.get("writing") or {}, folder)
    try:
        parameters = models[manifest.kind].model_validate(values)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(map(str, fault["loc"]))
        raise InputError(
            f"{folder / MANIFEST}: parameters.{field}: {fault['msg']}; this ragset cannot go on from it, so make the dataset "
            "again"
        ) from None
    return Earlier(folder, manifest, wanted, parameters)


def _with_samples(writing: dict[str, Any], folder: Path) -> dict[str, Any]:
    """With the file of real queries where it is now: a manifest has its name alone."""
    name = writing.get("samples")
    if not name:
        return writing
    found = next((path for place in (Path(), folder, folder.parent) if (path := place / name).is_file()), None)
    if found is None:
        raise InputError(
            f"{folder}: was made in the style of the queries in {name}; put that file beside the folder, or run in the folder "
            "where it is"
        )
    return {**writing, "samples": str(found)}
