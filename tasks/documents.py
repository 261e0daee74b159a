"""Read documents into the corpus file of a run."""

import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.documents import Failure, Reading, read_documents
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.systems.existing import documents_of
from ragset.models import Model
from ragset.retrieval.existing import read_existing
from ragset.settings import DocumentSettings, Environment, ExistingChunks
from ragset.text.languages import detect_language
from tasks.run.home import corpus_folder
from tasks.run.progress import progress
from tasks.run.threads import in_thread


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

    def open(self) -> Corpus:
        """To read from: the documents that this run began with."""
        corpus = Corpus.open(self.path)
        if corpus.hash != self.hash:
            changed = "has other documents now than when this run began"
            raise InputError(f"{self.path}: {changed}; run the same command again")
        return corpus


@task(task_run_name="read documents", cache_policy=NO_CACHE)
async def read_corpus(documents: DocumentSettings, existing: ExistingChunks | None = None) -> CorpusFile:
    """`ragset.documents.read_documents`, written to ragset's own folder. Never cached: files change.

    Where the sources name nothing but the `existing` chunks, each of them is a document.
    """
    return await in_thread(_read, documents, existing)


def _read(settings: DocumentSettings, existing: ExistingChunks | None = None) -> CorpusFile:
    progress().begin("documents")
    reading = read_texts(settings, existing)
    key, name = corpus_names(settings, existing)
    folder = corpus_folder(key)
    # By its content: a run beside this one, with other documents, writes another file.
    key_of_all = hashlib.sha256("\n".join(document.model_dump_json() for document in reading.documents).encode())
    corpus = Corpus.write(folder / f"{key_of_all.hexdigest()[:16]}.jsonl", reading.documents)
    get_run_logger().info("%d documents read, %d could not be", len(corpus), len(reading.failures))
    return CorpusFile(
        key=key,
        name=name,
        path=corpus.path,
        hash=corpus.hash,
        documents=len(corpus),
        characters=sum(len(document.text) for document in reading.documents),
        language=detect_language(document.text for document in reading.documents) or "",
        failures=tuple(reading.failures),
    )


def read_texts(settings: DocumentSettings, existing: ExistingChunks | None) -> Reading:
    """The documents of the sources; of sources that name nothing but the `existing` chunks, each chunk as a document."""
    if existing and existing.are_documents(settings.sources):
        return Reading(documents_of(read_existing(existing, Environment())), ())
    return read_documents(settings)


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
