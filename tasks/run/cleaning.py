"""Lists what RAGSET_HOME holds, and removes what can be made again without a paid call.

An index or a corpus stays if it was made of documents of the datasets named, or, where none is named, if it was used lately. A
result of a task stays if it was used lately. Replies, embeddings and everything that is not known here stay.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ragset.dataset import read_manifest
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.llm.journal import EMBEDDINGS, Journal
from ragset.retrieval.embedding.stored import EmbeddingStore
from ragset.retrieval.index.files import META, Meta
from ragset.retrieval.index.table import read_chunks, slabs
from ragset.retrieval.stores import open_store, store_kind
from ragset.settings import OFFLINE, Environment

_JOURNAL = "journal.sqlite"
_RESULT = re.compile(r"(.+-)?[0-9a-f]{32}")
_CORPUS = re.compile(r"[0-9a-f]{16}\.jsonl")
_OWN = re.compile(r"(.+)_[0-9a-f]{8}")
"""The collection of an index that has another one as well."""


@dataclass(frozen=True)
class Item:
    """Something that RAGSET_HOME holds."""

    kind: str
    name: str
    paths: tuple[Path, ...]
    collections: tuple[str, ...] = ()
    """In Milvus."""
    size: int = 0
    """Bytes on this machine, collections of Milvus Lite included."""
    used: datetime | None = None
    """When it was last used."""
    goes: bool = False
    why: str = ""
    """That it goes, or that it stays."""

    def row(self) -> dict[str, Any]:
        """For JSON."""
        used = self.used and self.used.isoformat(timespec="seconds")
        row: dict[str, Any] = {"kind": self.kind, "name": self.name, "bytes": self.size, "last_used": used}
        return row | {"goes": self.goes, "why": self.why}


class Inventory:
    """What the RAGSET_HOME of `env` holds, seen at one moment.

    Raises:
        InputError: a folder named is no dataset.
    """

    def __init__(self, env: Environment, datasets: Sequence[Path] = (), days: float = 30) -> None:
        self.home = env.ragset_home
        self._env = env
        self._days = days
        self._since = datetime.now(UTC) - timedelta(days=days)
        self._named = bool(datasets)
        self._hashes = {read_manifest(folder).corpus.hash for folder in datasets}
        """Of corpora of the datasets named."""
        self._documents = {doc_id for folder in datasets for doc_id in Corpus.open(folder / "corpus.jsonl").ids}
        self._lite = {path.name: path for path in store_kind(env).local_collections(env)}
        self.items = tuple(item for item in self._find() if item.paths and (item.size or item.goes))

    def _find(self) -> Iterator[Item]:
        yield from self._corpora()  # first: by their hashes the indexes are told
        folders = {path.name: path for path in _children(self.home / "collections") if path.name.startswith("ragset_")}
        orphans = {name for name in self._lite if name.startswith("ragset_")}
        unfinished = [path for path in self.home.glob("corpora/*/*") if _unfinished(path)]
        for folder in folders.values():
            marked = {"_".join([folder.name, *path.stem.split("-")[2:]]) for path in folder.glob("stored-*.json")}
            stored = marked | {name for name in orphans if folder.name in {name, _OWN.sub(r"\1", name)}}
            orphans -= stored
            yield self._index(folder, tuple(sorted(stored)))
            unfinished += (path for path in _children(folder) if _unfinished(path))
        yield from self._results()
        for name in sorted(orphans):
            yield _item("leftover", name, [self._lite[name]], (name,), "a collection without an index")
        yield _item("leftover", "unfinished files", unfinished, why="of runs that were killed")
        yield _item("leftover", "queries", self.home.glob("queries/*.npy"), why="of an earlier release")
        for name in (_JOURNAL, EMBEDDINGS):
            yield _item("paid", name, self.home.glob(f"{name}*"), why="paid for")
        for name, why in (("prefect", "history of runs"), ("service", "of the service")):
            yield _item("other", name, self.home.glob(f"{name}*"), why=why)

    def _corpora(self) -> Iterator[Item]:
        for path in sorted(self.home.glob("corpora/*/*.jsonl")):
            if _CORPUS.fullmatch(path.name):
                item = _item("corpus", f"{path.parent.name}/{path.stem}", [path])
                yield self._judged(item, ours=self._named and self._holds_only_named(path))

    def _holds_only_named(self, path: Path) -> bool:
        try:
            corpus = Corpus.open(path)
        except InputError:  # it has vanished or is damaged, and is of use to nobody
            return False
        if only := self._documents.issuperset(corpus.ids):
            self._hashes.add(corpus.hash)
        return only

    def _index(self, folder: Path, collections: tuple[str, ...]) -> Item:
        meta = _meta(folder)
        # `meta.json` last: what an interrupted removal leaves is still known to be unusable.
        files = sorted(_children(folder), key=lambda path: path.name == META)
        paths = [path for path in files if not _unfinished(path)]
        name = f"{meta.corpus} {meta.chunking} {meta.embedding}" if meta else folder.name
        paths += (self._lite[name] for name in collections if name in self._lite)
        item = _item("index", name, paths, collections)
        item = replace(item, used=_changed(folder / META) or item.used)
        item = self._judged(item, ours=meta is not None and meta.corpus_hash in self._hashes)
        if item.goes and meta is not None and not self._vectors_are_kept(folder, meta):
            return replace(item, goes=False, why="its embeddings are kept nowhere else")
        return item

    def _vectors_are_kept(self, folder: Path, meta: Meta) -> bool:
        """Whether the index can be made again without paying for its vectors."""
        if meta.embedding.startswith(OFFLINE):
            return True
        if not meta.embedded_by or not (self.home / EMBEDDINGS).exists():
            return False
        with closing(Journal(self.home / _JOURNAL)) as journal:
            store = EmbeddingStore(journal, meta.embedded_by)
            try:
                for slab in slabs(read_chunks(folder / f"chunks-{meta.digest}.parquet")):
                    texts = {chunk.text for chunk in slab}
                    if len(store.tokens(texts)) < len(texts):
                        return False
            except (OSError, ValueError):  # without this file no run can use the index
                return True
        return True

    def _results(self) -> Iterator[Item]:
        found = [path for path in _children(self.home / "results") if _RESULT.fullmatch(path.name)]
        late = [path for path in found if (used := _changed(path)) and used >= self._since]
        for paths in (late, sorted(set(found) - set(late))):
            yield self._by_age(_item("results", f"of {len(paths):,} tasks", paths))

    def _judged(self, item: Item, *, ours: bool) -> Item:
        if not self._named:
            return self._by_age(item)
        return replace(item, goes=not ours, why="of the datasets named" if ours else "of other documents")

    def _by_age(self, item: Item) -> Item:
        goes = item.used is None or item.used < self._since
        return replace(item, goes=goes, why=f"{'not used' if goes else 'used'} within {self._days:g} days")

    def free(self) -> int:
        """Remove what goes; how many bytes that was. What vanishes meanwhile is no error.

        To be called while no run is going on.

        Raises:
            StoreError: Milvus has collections that go, and cannot be opened; nothing is removed.
            InputError: a file cannot be removed.
        """
        going = [item for item in self.items if item.goes]
        if collections := [name for item in going for name in item.collections]:
            with open_store(self._env) as store:
                for name in collections:
                    store.drop(name)
        try:
            for path in (path for item in going for path in item.paths):
                if self._lite.get(path.name) != path:
                    _remove(path)
        except OSError as error:
            raise InputError(f"{error.filename}: cannot be removed ({error.strerror})") from None
        for pattern in ("collections/*", "corpora/*", "queries"):
            for folder in self.home.glob(pattern):
                with suppress(OSError):  # it holds something
                    folder.rmdir()
        return sum(item.size for item in going)


def _item(kind: str, name: str, paths: Iterable[Path], collections: tuple[str, ...] = (), why: str = "") -> Item:
    """Used when a file of it was last written or touched. Leftovers go; anything else stays until it is judged."""
    size, newest, found = 0, 0.0, tuple(paths)
    for path in (path for one in found for path in _files(one)):
        with suppress(FileNotFoundError):
            stat = path.lstat()
            size, newest = size + stat.st_size, max(newest, stat.st_mtime)
    used = datetime.fromtimestamp(newest, UTC) if newest else None
    return Item(kind, name, found, collections, size, used, goes=kind == "leftover", why=why)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir() or path.is_symlink():
        yield path
    for folder, _, names in os.walk(path):
        yield from (Path(folder, name) for name in names)


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _changed(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except FileNotFoundError:
        return None


def _unfinished(path: Path) -> bool:
    return path.name == "pending" or path.suffix == ".partial"


def _meta(folder: Path) -> Meta | None:
    try:
        return Meta.model_validate_json((folder / META).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _remove(path: Path) -> None:
    with suppress(FileNotFoundError):
        if path.is_dir() and not path.is_symlink():
            for child in path.iterdir():
                _remove(child)
            path.rmdir()
        else:
            path.unlink()
