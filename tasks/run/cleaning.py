"""Lists what RAGSET_HOME holds, and removes what can be made again without a paid call.

An index or a corpus stays if it was made of documents of the datasets named, or, where none is named, if it was used lately. A
result of a task stays if it was used lately. Replies, embeddings and everything that is not known here stay.
"""

import os
import re
import shutil
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
from ragset.generation.past_runs import FILE as PAST_RUNS
from ragset.llm.databases.sqlite import EMBEDDINGS
from ragset.llm.journal import Journal
from ragset.retrieval.embedding.stored import EmbeddingStore
from ragset.retrieval.index.files import META, Meta
from ragset.retrieval.index.table import read_chunks, slabs
from ragset.retrieval.stores import open_store, store_kind
from ragset.settings import OFFLINE, Environment
from ragset.storage.copies import address_of, unsent

_JOURNAL = "journal.sqlite"
_RESULT = re.compile(r"(.+-)?[0-9a-f]{32}")
_CORPUS = re.compile(r"[0-9a-f]{16}\.jsonl")
_OWN = re.compile(r"(.+)_[0-9a-f]{8}")  # the collection of an index that has another one as well


@dataclass(frozen=True)
class Item:
    """Something that RAGSET_HOME holds."""

    kind: str
    name: str
    paths: tuple[Path, ...]
    size: int  # bytes on this machine, collections of Milvus Lite included
    used: datetime | None
    goes: bool
    why: str  # that it goes, or that it stays
    collections: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """For JSON."""
        used = self.used and self.used.isoformat(timespec="seconds")
        told = {"kind": self.kind, "name": self.name, "bytes": self.size, "last_used": used}
        return {**told, "goes": self.goes, "why": self.why}


class Inventory:
    """What the RAGSET_HOME of `env` holds, seen at one moment."""

    def __init__(self, env: Environment, datasets: Sequence[Path] = (), days: float = 30) -> None:
        self.home, self._env, self._days = env.ragset_home, env, days
        self._since = datetime.now(UTC) - timedelta(days=days)
        self._named = bool(datasets)
        self._hashes = {read_manifest(folder).corpus.hash for folder in datasets}  # of corpora of the datasets named
        self._documents = {doc_id for folder in datasets for doc_id in Corpus.open(folder / "corpus.jsonl").ids}
        self._lite = {path.name: path for path in store_kind(env).local_collections(env)}
        self.items = tuple(item for item in self._find() if item.paths and (item.size or item.goes))

    def free(self) -> int:
        """Remove what goes, while no run is going on; how many bytes that was.

        Collections go first: where Milvus cannot be opened, nothing is removed. What vanishes meanwhile is no error.
        """
        going = [item for item in self.items if item.goes]
        if collections := [name for item in going for name in item.collections]:
            with open_store(self._env) as store:
                for name in collections:
                    store.drop(name)
        try:
            for path in (path for item in going for path in item.paths if self._lite.get(path.name) != path):
                with suppress(FileNotFoundError):
                    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        except OSError as error:
            raise InputError(f"{error.filename}: cannot be removed ({error.strerror})") from None
        for pattern in ("collections/*", "corpora/*", "parts"):
            for folder in self.home.glob(pattern):
                with suppress(OSError):  # it holds something
                    folder.rmdir()
        return sum(item.size for item in going)

    def _find(self) -> Iterator[Item]:
        for path in sorted(self.home.glob("corpora/*/*.jsonl")):  # first: they say whose the indexes are
            if _CORPUS.fullmatch(path.name):
                ours = self._named and self._holds_only_named(path)
                yield self._item("corpus", f"{path.parent.name}/{path.stem}", [path], ours=ours)
        folders = [path for path in _children(self.home / "collections") if path.name.startswith("ragset_")]
        orphans = {name for name in self._lite if name.startswith("ragset_")}
        for folder in folders:
            marked = {"_".join([folder.name, *path.stem.split("-")[2:]]) for path in folder.glob("stored-*.json")}
            stored = marked | {name for name in orphans if folder.name in {name, _OWN.sub(r"\1", name)}}
            orphans -= stored
            yield self._index(folder, tuple(sorted(stored)))
        results = [path for path in _children(self.home / "results") if _RESULT.fullmatch(path.name)]
        late = {path for path in results if (used := _changed(path)) and used >= self._since}
        for paths in (late, set(results) - late):
            yield self._item("results", f"of {len(paths):,} tasks", sorted(paths), by_age=True)
        for path in _children(self.home / "copies"):
            for copy in (one for one in sorted(path.glob("*/*")) if not one.name.startswith(".")):
                why = "has changes that are not uploaded" if unsent(copy) else ""
                files = [copy, *copy.parent.glob(f".{copy.name}.copy.json")]
                yield self._item("copy", address_of(copy) or copy.name, files, why=why, by_age=True)
        for name in sorted(orphans):
            yield self._item("leftover", name, [self._lite[name]], (name,), why="a collection without an index")
        within = [path for folder in (*folders, *self.home.glob("corpora/*")) for path in _children(folder)]
        left = [*filter(_unfinished, within), *self.home.glob("parts/*")]
        yield self._item("leftover", "unfinished files", left, why="of killed runs")
        for name in (_JOURNAL, EMBEDDINGS):
            yield self._item("paid", name, self.home.glob(f"{name}*"), why="paid for")
        known = {
            "prefect": "history of runs",
            PAST_RUNS: "pass rates of past runs",
            "service": "of the service",
            "review": "of reviews",
        }
        for name, why in known.items():
            yield self._item("other", name, self.home.glob(f"{name}*"), why=why)

    def _item(
        self,
        kind: str,
        name: str,
        paths: Iterable[Path],
        collections: tuple[str, ...] = (),
        *,
        used: datetime | None = None,
        why: str = "",
        ours: bool | None = None,
        by_age: bool = False,
    ) -> Item:
        """Judge by `ours` where datasets are named, else by age; leftovers go, and what has a `why` stays.

        Without `used`, it was used when a file of it was last written or touched.
        """
        found = tuple(paths)
        stats: list[os.stat_result] = []
        for path in (path for one in found for path in (one, *(one.rglob("*") if one.is_dir() else ()))):
            with suppress(FileNotFoundError):
                if path.is_symlink() or not path.is_dir():
                    stats.append(path.lstat())
        if stats and used is None:
            used = datetime.fromtimestamp(max(stat.st_mtime for stat in stats), UTC)
        goes = kind == "leftover"
        if not why and self._named and not by_age:
            goes, why = not ours, "of the datasets named" if ours else "of other documents"
        elif not why:
            goes = used is None or used < self._since
            why = f"{'not used' if goes else 'used'} within {self._days:g} days"
        return Item(kind, name, found, sum(stat.st_size for stat in stats), used, goes, why, collections)

    def _holds_only_named(self, path: Path) -> bool:
        with suppress(InputError):  # it has vanished or is damaged, and is of use to nobody
            corpus = Corpus.open(path)
            if self._documents.issuperset(corpus.ids):
                self._hashes.add(corpus.hash)
                return True
        return False

    def _index(self, folder: Path, collections: tuple[str, ...]) -> Item:
        meta = None
        with suppress(FileNotFoundError, ValidationError):
            meta = Meta.model_validate_json((folder / META).read_bytes())
        # `meta.json` last: what an interrupted removal leaves is still known to be unusable.
        files = sorted(_children(folder), key=lambda path: path.name == META)
        paths = [path for path in files if not _unfinished(path)]
        paths += (self._lite[name] for name in collections if name in self._lite)
        name = f"{meta.corpus} {meta.chunking} {meta.embedding}" if meta else folder.name
        ours = meta is not None and meta.corpus_hash in self._hashes
        item = self._item("index", name, paths, collections, used=_changed(folder / META), ours=ours)
        if item.goes and meta is not None and not self._vectors_are_kept(folder, meta):
            return replace(item, goes=False, why="its embeddings are kept nowhere else")
        return item

    def _vectors_are_kept(self, folder: Path, meta: Meta) -> bool:
        """Whether the index can be made again without paying for its vectors."""
        if meta.embedding.startswith(OFFLINE):
            return True
        if not (self._env.ragset_journal or (self.home / EMBEDDINGS).exists()):
            return False
        with closing(Journal(self._env.journal)) as journal:
            store = EmbeddingStore(journal, meta.embedded_by)
            try:
                groups = slabs(read_chunks(folder / f"chunks-{meta.digest}.parquet"))
                wanted = ({chunk.text for chunk in group} for group in groups)
                return all(len(store.tokens(texts)) == len(texts) for texts in wanted)
            except (OSError, ValueError):  # without this file no run can use the index
                return True


def _children(folder: Path) -> list[Path]:
    return sorted(folder.glob("*"))


def _changed(path: Path) -> datetime | None:
    with suppress(FileNotFoundError):
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return None


def _unfinished(path: Path) -> bool:
    return path.name == "pending" or path.suffix == ".partial"
