"""Generations of an index that machines share by RAGSET_STORAGE: what one has embedded, the others download."""

import shutil
from pathlib import Path
from typing import NamedTuple

from ragset.retrieval.index.files import KINDS, META, Index, Meta, index_folder
from ragset.storage.shared import bring, share, storage


class NewChunks(NamedTuple):
    """The file of chunks of a generation that is being made."""

    path: Path  # on the machine that makes it
    digest: str

    def share(self) -> None:
        """Upload it for workers on other machines."""
        share({f"{_place(self.path.parent.name)}/{self._name}": self.path})

    def here(self, home: Path) -> Path:
        """Its path on this machine."""
        if self.path.exists():
            return self.path
        path = index_folder(home, self.path.parent.name) / self._name
        bring(f"{_place(self.path.parent.name)}/{self._name}", path)
        return path

    @property
    def _name(self) -> str:
        return f"chunks-{self.digest}{KINDS['chunks']}"


def share_index(index: Index) -> None:
    """Upload the files of this generation, and then say that it is the current one."""
    folder, digest = index.folder, index.meta.digest
    names = [f"{kind}-{digest}{suffix}" for kind, suffix in KINDS.items()]
    files = {name: folder / name for name in names} | {f"meta-{digest}.json": folder / META}
    place, meta = _place(folder.name), {f"{_place(folder.name)}/{META}": folder / META}
    share({f"{place}/{name}": path for name, path in files.items()}, meta)


def bring_index(home: Path, name: str, digest: str = "") -> None:
    """Download the generation of that digest, or without one the current one, if it is not here and was shared."""
    folder = index_folder(home, name)
    kept = folder / (f"meta-{digest}.json" if digest else META)
    if storage() is None or (_is_here(folder, digest) if digest else kept.exists()):
        return
    partial = folder / "meta.brought"  # the files come first: `meta.json` names what is complete
    bring(f"{_place(name)}/{kept.name}", partial)
    if not partial.exists():
        return
    digest = Meta.model_validate_json(partial.read_bytes()).digest
    for kind, suffix in KINDS.items():
        bring(f"{_place(name)}/{kind}-{digest}{suffix}", folder / f"{kind}-{digest}{suffix}")
    if not (folder / META).exists():
        shutil.copyfile(partial, folder / META)
    partial.replace(folder / f"meta-{digest}.json")


def _is_here(folder: Path, digest: str) -> bool:
    if (folder / f"meta-{digest}.json").exists():
        return all((folder / f"{kind}-{digest}{suffix}").exists() for kind, suffix in KINDS.items())
    meta = folder / META
    return meta.exists() and Meta.model_validate_json(meta.read_bytes()).digest == digest


def _place(name: str) -> str:
    return f"collections/{name}"
