"""What can be found wrong before anything is read, started or paid: every mistake that a look at the parameters shows."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from flows.parameters.models import (
    BenchmarkParameters,
    IndexParameters,
    MultiChunkParameters,
    Parameters,
    RefreshParameters,
    SingleChunkParameters,
)
from flows.parameters.primary import check_primary
from flows.steps.earlier import find_earlier
from ragset.dataset import check_output, read_dataset, read_manifest
from ragset.dataset.manifest import MANIFEST
from ragset.documents import check_sources
from ragset.errors import InputError
from ragset.evaluation.grid import CROSS_ENCODER, LLM_RERANKER
from ragset.evaluation.results import check_results
from ragset.generation.pipeline import pipeline
from ragset.generation.query_samples import read_samples
from ragset.generation.stage import Setup
from ragset.llm.endpoint import endpoint
from ragset.settings import LOCAL, OFFLINE, Environment


def check(asked: Parameters) -> None:
    """Return if a flow can be run with these parameters, as far as a look at them shows.

    Raises:
        InputError: what is wrong, and what to set.
    """
    match asked:
        case SingleChunkParameters() | MultiChunkParameters():
            check_making(asked)
        case BenchmarkParameters():
            check_benchmark(asked)
        case RefreshParameters():
            check_refresh(asked)
        case IndexParameters():
            check_index(asked)
        case _:
            raise TypeError(type(asked).__name__)


def check_index(asked: IndexParameters) -> None:
    """Return if the documents are there and the embedding can be asked for.

    Raises:
        InputError: what is wrong, and what to set.
    """
    Environment().check_addresses()
    check_sources(asked.documents)
    _check_embedding(asked.embedding.model)


def check_making(asked: SingleChunkParameters | MultiChunkParameters) -> None:
    """As `check_estimate`, and the output can be written.

    Raises:
        InputError: what is wrong, and what to set.
    """
    check_estimate(asked, asks=True)
    check_output(Path(asked.out))
    _check_same_documents(asked)
    for folder in asked.checking.earlier:
        if Path(folder).resolve() == Path(asked.out).resolve():
            raise InputError(
                f"checks.earlier: {folder} is where this dataset goes, and each run would avoid the queries of the last; leave it "
                "out, or write to another folder"
            )


def _check_same_documents(asked: SingleChunkParameters | MultiChunkParameters) -> None:
    """Return unless the folder is the default one and holds a dataset of other documents, which nobody meant to replace."""
    folder = Path(asked.out)
    if asked.out != type(asked).model_fields["out"].default or not (folder / MANIFEST).is_file():
        return
    before = _documents_of(read_manifest(folder).parameters)
    now = _documents_of(asked.portable)
    if before != now:
        raise InputError(
            f"out: {folder} holds a dataset of other documents ({before or 'not known which'}; this run is on {now}); name another "
            f"folder with --out, or move {folder} away to write there"
        )


def _documents_of(parameters: Mapping[str, Any]) -> str:
    documents: Mapping[str, Any] = parameters.get("documents") or {}
    return str(documents.get("corpus") or ", ".join(sorted(documents.get("sources") or ())))


def check_estimate(asked: SingleChunkParameters | MultiChunkParameters, *, asks: bool) -> None:
    """As `check_index`, and the kinds of queries and samples exist, and the models that it `asks` have an endpoint.

    Raises:
        InputError: what is wrong, and what to set.
    """
    if asks:
        check_index(asked)
    else:
        check_sources(asked.documents)
    if asked.n == "all" and asked.hardness.weights:
        raise InputError("hardness: a mix needs a number of goldens; let n be one, or leave the mix out")
    for folder in asked.checking.earlier:
        read_dataset(Path(folder))
    pipeline(Setup(asked.writing))
    if asked.writing.samples:
        read_samples(Path(asked.writing.samples))
    for settings in (asked.generator, asked.critic or asked.generator, asked.checking.reader(asked.generator)):
        if asks and settings.model != OFFLINE:
            endpoint(Environment(), f"model {settings.model}")


def check_refresh(asked: RefreshParameters) -> None:
    """As `check_making`, with the parameters of the dataset that is there and can be read.

    Raises:
        InputError: what is wrong, and what to set.
    """
    earlier = find_earlier(asked)
    check_making(earlier.parameters)
    read_dataset(earlier.folder)


def check_benchmark(asked: BenchmarkParameters) -> None:
    """Return if the datasets are there, every part of the grid can be asked, and the output can be written.

    Raises:
        InputError: what is wrong, each on a line of its own.
    """
    faults: list[str] = []

    def attempt(check: Callable[[], object]) -> None:
        try:
            check()
        except InputError as error:
            faults.append(str(error))

    attempt(Environment().check_addresses)
    gone = [dataset for dataset in asked.datasets if not Path(dataset).exists()]
    faults += [f"{dataset}: there is no such file or folder" for dataset in gone]
    if asked.documents:
        attempt(partial(check_sources, asked.documents))
    models = [asked.critic.model]
    if asked.grid:
        for embedding in dict.fromkeys(one.model for one in asked.grid.embedding):
            attempt(partial(_check_embedding, embedding))
        models += [one.model for one in asked.grid.reader]
        models += [name.removeprefix(LLM_RERANKER) for name in asked.grid.reranker if name.startswith(LLM_RERANKER)]
        if any(name.startswith(CROSS_ENCODER) for name in asked.grid.reranker):
            attempt(partial(_check_local, "reranker cross-encoder"))
    for model in dict.fromkeys(models):
        if model != OFFLINE:
            attempt(partial(endpoint, Environment(), f"model {model}"))
    names = [one.name for one in asked.configurations]
    if asked.baseline and asked.baseline not in [*names, *(system.name for system in asked.systems)]:
        faults.append(f"baseline: there is no configuration {asked.baseline!r}; choose one of {'; '.join(names)}")
    attempt(partial(check_primary, asked))
    attempt(partial(check_results, Path(asked.out)))
    if faults:
        raise InputError("\n".join(faults))


def _check_embedding(model: str) -> None:
    if model.startswith(LOCAL):
        _check_local(f"embedding {model}")
    elif model != OFFLINE:
        endpoint(Environment(), f"embedding {model}")


def _check_local(what: str) -> None:
    if find_spec("sentence_transformers") is None:
        raise InputError(f"{what} needs sentence-transformers: pip install 'ragset[local]'")
