"""Write a dataset in the formats of other tools."""

from functools import partial
from pathlib import Path

from ragset.dataset import read_manifest
from ragset.dataset.exporters import EXPORTERS, Exported, ExportSet, check_export, export
from ragset.dataset.numbered import version_of
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
