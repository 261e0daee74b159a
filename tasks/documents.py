"""Read documents into the corpus file of a run."""

import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from ragset.documents import Failure, read_documents
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Model
from ragset.settings import DocumentSettings
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
async def read_corpus(documents: DocumentSettings) -> CorpusFile:
    """`ragset.documents.read_documents`, written to ragset's own folder. Never cached: files change."""
    return await in_thread(_read, documents)


def _read(settings: DocumentSettings) -> CorpusFile:
    progress().begin("documents")
    reading = read_documents(settings)
    key, name = corpus_names(settings)
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


def corpus_names(settings: DocumentSettings) -> tuple[str, str]:
    """The key of a corpus on this machine, and the name that people see.

    Without a given name, the name has the last parts of the sources and the key a digest of their full paths.
    """
    cleaning = "-without-references" if settings.drop_references else ""
    if settings.corpus:
        return f"{settings.corpus}{cleaning}", settings.corpus
    places = [
        urlsplit(source)._replace(query="", fragment="").geturl() if "://" in source else str(Path(source).resolve())
        for source in settings.sources
    ]
    last = [re.sub(r"[^A-Za-z0-9]+", "-", place.rstrip("/").rpartition("/")[2]).strip("-") for place in places]
    name = "-".join(filter(None, last))[:30].strip("-") or "documents"
    digest = hashlib.sha256("\n".join(sorted(places)).encode()).hexdigest()[:6]
    return f"{name}-{digest}{cleaning}", name
