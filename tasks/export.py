"""Write a dataset in the formats of other tools."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.dataset import read_manifest
from ragset.dataset.exporters import EXPORTERS, Exported, ExportSet, check_export, export
from ragset.dataset.numbered import version_of
from ragset.errors import InputError, RagsetError
from ragset.settings import EmbeddingSettings, ExportSettings
from tasks.index import find_chunks
from tasks.run.models import Account, embedding
from tasks.run.threads import in_thread


def place_of(folder: Path, asked: ExportSettings) -> str:
    """Where the dataset goes: a file or folder, or its name at a server."""
    format_ = EXPORTERS[asked.to]
    if asked.out or format_.uploads:
        return asked.out or version_of(folder)[0]
    return str(folder.with_name(f"{folder.resolve().name}-{asked.to}{format_.ending}"))


async def export_dataset(
    folder: Path, asked: ExportSettings, results: Path | None = None, account: Account | None = None
) -> Exported:
    """`ragset.dataset.exporters.export` of a folder; its own embedding tells where meanings turn, if chunks are cut by that."""
    out = place_of(folder, asked)
    check_export(asked.to, out, results)
    if asked.chunking is None:
        return await in_thread(lambda: export(ExportSet.read(folder, results=results), asked.to, out))
    embedded_by = EmbeddingSettings.model_validate(read_manifest(folder).parameters.get("embedding") or {})
    async with embedding(embedded_by, account or Account()) as embedder:
        existing = asked.chunking.existing
        find = partial(find_chunks, existing) if existing else None

        def cut_and_export() -> Exported:
            read = ExportSet.read(folder, asked.chunking, embed=embedder.embed, find=find, results=results)
            return export(read, asked.to, out)

        return await in_thread(cut_and_export)


@task(task_run_name="export {folder}", cache_policy=NO_CACHE)
async def export_test_set(folder: str, exports: tuple[ExportSettings, ...], account: Account) -> tuple[Exported, ...]:
    """`export_dataset` of a dataset that is finished, in each format; one that fails stops no other.

    Raises:
        InputError: some failed, after all others were written.
    """
    done: list[Exported] = []
    faults: list[str] = []
    for asked in exports:
        try:
            one = await export_dataset(Path(folder), asked, account=account)
        except RagsetError as error:
            faults.append(f"export to {asked.to}: {error}")
            continue
        lost = ", ".join(f"{what} {number:,}" for what, number in one.lost.items())
        get_run_logger().info(
            "%d goldens exported to %s as %s; lost: %s", one.goldens, one.out, one.to, lost or "nothing"
        )
        done.append(one)
    if faults:
        raise InputError("\n".join([f"{folder}: is written, and could not be exported everywhere", *faults]))
    return tuple(done)


def check_exports(folder: Path, exports: Iterable[ExportSettings]) -> None:
    """Return if the dataset of the folder can be exported to all these places, as far as can be told before it is made."""
    for asked in exports:
        out = place_of(folder, asked)
        if not EXPORTERS[asked.to].uploads and Path(out).resolve() == folder.resolve():
            raise InputError(f"export.out: {out} is where the dataset goes; name another folder")
        check_export(asked.to, out)
