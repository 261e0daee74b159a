"""The goldens that a benchmark measures with, from one or more datasets, over one corpus."""

import hashlib
from pathlib import Path

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from pydantic import Field

from ragset.dataset import read_manifest
from ragset.dataset.importers import FORMATS, Unaligned, read_goldens, recognise
from ragset.documents import read_documents
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.goldens import of_splits, whole_documents
from ragset.models import Document, Golden, Model
from ragset.settings import DocumentSettings
from ragset.storage import share
from tasks.documents import CorpusFile, shared_name
from tasks.run.home import corpus_folder
from tasks.run.threads import in_thread

DATASET = "dataset"
"""The key of a golden's dataset in its metadata."""


class TestSet(Model):
    """What a benchmark measures with."""

    __test__ = False  # for pytest
    datasets: tuple[str, ...]
    goldens: tuple[Golden, ...]
    corpus: CorpusFile
    problems: tuple[Unaligned, ...]
    homes: dict[str, str] = Field(default_factory=dict)
    """By dataset the chunking whose chunks its queries were drawn from; without those drawn otherwise."""
    whole: bool = False
    """Whether the evidence of most goldens is whole documents."""


@task(task_run_name="read goldens", cache_policy=NO_CACHE)
async def read_test_set(
    datasets: tuple[str, ...], documents: DocumentSettings | None, splits: tuple[str, ...] = ()
) -> TestSet:
    """`ragset.dataset.importers.read_goldens` of each dataset, with the documents of all as one corpus.

    Of `splits` only, where any are named; the corpus is the same whatever they are.
    """
    found = await in_thread(_read, datasets, documents, splits)
    get_run_logger().info("%d goldens, %d problems", len(found.goldens), len(found.problems))
    return found


def _read(datasets: tuple[str, ...], settings: DocumentSettings | None, splits: tuple[str, ...]) -> TestSet:
    given = None if settings is None else read_documents(settings).documents
    documents: dict[str, Document] = {document.id: document for document in given or ()}
    goldens: dict[str, Golden] = {}
    problems: list[Unaligned] = []
    homes: dict[str, str] = {}
    names = _names(datasets)
    for name, place in zip(names, datasets, strict=True):
        path = Path(place)
        # The contexts of some formats are looked for in given documents.
        kind = recognise(path) if path.exists() else ""
        looks = kind in FORMATS and FORMATS[kind].takes_documents
        imported = read_goldens(path, documents=given if given and looks else None)
        if kind == "ragset" and (home := read_manifest(path if path.is_dir() else path.parent).home):
            homes[name] = home
        documents |= {document.id: document for document in imported.documents}
        # Files of two datasets may be called the same.
        of = f"{name}: " if len(names) > 1 else ""
        problems += (problem.model_copy(update={"where": of + problem.where}) for problem in imported.problems)
        for golden in imported.goldens:
            labelled = golden.model_copy(update={"metadata": {**golden.metadata, DATASET: name}})
            goldens.setdefault(golden.id, labelled)
    if not goldens:
        told = "".join(f"\n  {problem.where}: {problem.reason}" for problem in problems[:10])
        raise InputError(f"no golden in {', '.join(datasets)}{told}")
    chosen = of_splits(tuple(goldens.values()), splits)
    digest = hashlib.sha256("\n".join(sorted(documents)).encode()).hexdigest()[:16]
    key = f"benchmark-{digest[:8]}"
    corpus = Corpus.write(corpus_folder(key) / f"{digest}.jsonl", documents.values())
    share({shared_name(corpus.path): corpus.path})
    file = CorpusFile(
        key=key,
        name="-".join(names)[:60],
        path=corpus.path,
        hash=corpus.hash,
        documents=len(corpus),
        characters=sum(len(document.text) for document in documents.values()),
        failures=(),
    )
    whole = whole_documents(chosen, corpus)
    return TestSet(datasets=names, goldens=chosen, corpus=file, problems=tuple(problems), homes=homes, whole=whole)


def _names(datasets: tuple[str, ...]) -> tuple[str, ...]:
    """The last part of each path; the whole where two are alike."""
    last = [Path(place).resolve().name for place in datasets]
    return tuple(name if last.count(name) == 1 else place for name, place in zip(last, datasets, strict=True))
