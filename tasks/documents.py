"""Read documents into the corpus file of a run."""

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.documents import Failure, iterate_documents, read_files
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.systems.existing import documents_of
from ragset.models import Document, Model
from ragset.retrieval.existing import read_existing
from ragset.settings import DocumentSettings, Environment, ExistingChunks
from ragset.storage import bring, share
from ragset.text.languages import detect_language
from tasks.reading import read_on_workers
from tasks.run.home import corpus_folder
from tasks.run.progress import progress
from tasks.run.threads import in_thread
from tasks.workers.cluster import has_workers


class CorpusFile(Model):
    """A corpus on disk."""

    key: str  # the corpus part of its index's name; the same while documents come and go
    name: str
    path: Path
    hash: str
    documents: int
    characters: int
    language: str = ""  # two letters; empty where it is unknown or there are several
    failures: tuple[Failure, ...]

    def path_here(self) -> Path:
        """The path of the file on this machine, which may be another one than that of the run."""
        if self.path.exists():
            return self.path
        path = corpus_folder(self.key) / self.path.name
        bring(shared_name(path), path)
        return path

    def open(self) -> Corpus:
        """To read from: the documents that this run began with."""
        path = self.path_here()
        corpus = _opened(path, path.stat().st_mtime_ns if path.exists() else 0)
        if corpus.hash != self.hash:
            changed = "has other documents now than when this run began"
            raise InputError(f"{self.path}: {changed}; run the same command again")
        return corpus


@lru_cache(maxsize=2)  # opening one reads all of it
def _opened(path: Path, _changed: int) -> Corpus:
    return Corpus.open(path)


@task(task_run_name="read documents", cache_policy=NO_CACHE)
async def read_corpus(documents: DocumentSettings, existing: ExistingChunks | None = None) -> CorpusFile:
    """`ragset.documents.read_documents`, written to ragset's own folder. Never cached: files change.

    Where the sources name nothing but the `existing` chunks, each of them is a document.
    """
    return await in_thread(_read, documents, existing)


def _read(settings: DocumentSettings, existing: ExistingChunks | None = None) -> CorpusFile:
    progress().begin("documents")
    key, name = corpus_names(settings, existing)
    failures: list[Failure] = []
    # By its content: a run beside this one, with other documents, writes another file.
    corpus = Corpus.write_by_content(corpus_folder(key), read_texts(settings, existing, failures))
    share({shared_name(corpus.path): corpus.path})
    get_run_logger().info("%d documents read, %d could not be", len(corpus), len(failures))
    return CorpusFile(
        key=key,
        name=name,
        path=corpus.path,
        hash=corpus.hash,
        documents=len(corpus),
        characters=corpus.characters,
        language=detect_language(document.text for document in corpus) or "",
        failures=tuple(failures),
    )


def read_texts(
    settings: DocumentSettings, existing: ExistingChunks | None, failures: list[Failure]
) -> Iterable[Document]:
    """The documents of the sources; of sources that name nothing but the `existing` chunks, each chunk as a document.

    As `iterate_documents` gives them; what cannot be read is added to `failures`.
    """
    if existing and existing.are_documents(settings.sources):
        return documents_of(read_existing(existing, Environment()))
    return iterate_documents(settings, failures, read_on_workers if has_workers() else read_files)


def corpus_names(settings: DocumentSettings, existing: ExistingChunks | None = None) -> tuple[str, str]:
    """The key of a corpus on this machine, and the name that people see.

    Without a given name, the name has the last parts of the sources and the key a digest of their full paths. The name of
    `existing` chunks that are the documents is theirs.
    """
    cleaning = "-without-references" if settings.drop_references else ""
    if settings.corpus:
        return f"{settings.corpus}{cleaning}", settings.corpus
    sources = settings.sources
    if existing and existing.collection and existing.are_documents(sources):
        sources = (f"{existing.milvus.rstrip('/')}/{existing.collection}",)
    places = [
        urlsplit(source)._replace(query="", fragment="").geturl() if "://" in source else str(Path(source).resolve())
        for source in sources
    ]
    last = [re.sub(r"[^A-Za-z0-9]+", "-", place.rstrip("/").rpartition("/")[2]).strip("-") for place in places]
    name = "-".join(filter(None, last))[:30].strip("-") or "documents"
    digest = hashlib.sha256("\n".join(sorted(places)).encode()).hexdigest()[:6]
    return f"{name}-{digest}{cleaning}", name


def shared_name(path: Path) -> str:
    """The name of a corpus file where machines share: `corpora/KEY/DIGEST.jsonl`."""
    return "/".join(path.parts[-3:])
