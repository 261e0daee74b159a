"""Finds every mistake that the parameters show, before anything is read, started or paid."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from flows.parameters.models import (
    AnyMaking,
    BenchmarkParameters,
    CorpusWideParameters,
    IndexParameters,
    LabelParameters,
    MultiChunkParameters,
    Parameters,
    RefreshParameters,
    ReviewParameters,
    SingleChunkParameters,
    TrainDataParameters,
    TrainingParameters,
)
from flows.parameters.primary import check_primary
from flows.steps.earlier import find_earlier
from ragset.dataset import check_output, next_version, read_dataset, read_manifest
from ragset.dataset.importers import read_goldens
from ragset.dataset.manifest import MANIFEST
from ragset.documents import check_sources
from ragset.errors import InputError, install
from ragset.evaluation.grid import CROSS_ENCODER, LEARNED
from ragset.evaluation.results.writing import check_results
from ragset.evaluation.systems import check_system
from ragset.generation.labelling.queries import read_queries
from ragset.generation.pipeline import pipeline
from ragset.generation.query_samples import read_samples
from ragset.generation.stage import Setup
from ragset.llm.endpoint import endpoint
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.embedding.adapter import read_adapter
from ragset.retrieval.existing import check_existing
from ragset.retrieval.learned_reranker import read_reranker
from ragset.settings import AUTO, LLAMAINDEX, LOCAL, OFFLINE, EmbeddingSettings, Environment, RunnerSettings
from ragset.settings.llamaindex import find_class
from ragset.storage import check_storage
from ragset.training.formats import check_training_data
from ragset.training.sides import sides_of
from tasks.effect import check_trained
from tasks.export import check_exports
from tasks.workers.engines import check_runner


def check(asked: Parameters) -> None:
    """Return if a flow can be run with these parameters, as far as they show."""
    check_runner(getattr(asked, "runner", RunnerSettings()))
    check_storage()
    if (own := Environment().ragset_prompts) and not own.is_dir():
        raise InputError(f"RAGSET_PROMPTS: there is no folder {own}; name one, or unset it")
    match asked:
        case SingleChunkParameters() | MultiChunkParameters() | CorpusWideParameters():
            check_making(asked)
        case BenchmarkParameters():
            _check_benchmark(asked)
        case RefreshParameters():
            earlier = find_earlier(asked)
            check_making(earlier.parameters)
            read_dataset(earlier.folder)
            check_exports(Path(earlier.parameters.out), asked.export)
        case LabelParameters():
            _check_index(asked)
            read_queries(Path(asked.queries), asked.field)
            for settings in asked.models:
                _check_model(settings.model)
            check_output(Path(asked.out))
            check_exports(Path(asked.out), asked.export)
        case ReviewParameters():
            read_dataset(Path(asked.dataset))
            check_exports(next_version(Path(asked.dataset)), asked.export)
        case IndexParameters():
            _check_index(asked)
        case TrainingParameters():
            _check_training(asked)
        case _:
            raise TypeError(type(asked).__name__)


def check_making(asked: AnyMaking) -> None:
    """Return if the test set can be made, and written to its folder."""
    check_estimate(asked, asks=True)
    folder = Path(asked.out)
    check_output(folder)
    check_exports(folder, asked.export)
    # A folder that nobody named is not meant to be replaced by a dataset of other documents.
    if asked.out == type(asked).model_fields["out"].default and (folder / MANIFEST).is_file():
        before, now = _documents_of(read_manifest(folder).parameters), _documents_of(asked.portable)
        if before != now:
            raise InputError(
                f"out: {folder} holds a dataset of other documents ({before or 'not known which'}; this run is on {now}); name "
                f"another folder with --out, or move {folder} away to write there"
            )
    if earlier := next((one for one in asked.checking.earlier if Path(one).resolve() == folder.resolve()), None):
        raise InputError(
            f"checks.earlier: {earlier} is where this dataset goes, and each run would avoid the queries of the last; leave "
            "it out, or write to another folder"
        )


def check_estimate(asked: AnyMaking, *, asks: bool) -> None:
    """Return if documents, kinds of queries and samples exist, and, if it `asks`, the models have an endpoint."""
    if asks:
        _check_index(asked)
    else:
        _check_texts(asked)
    if asked.n == "all" and asked.mix:
        raise InputError("hardness: a mix needs a number of goldens; let n be one, or leave the mix out")
    for folder in asked.checking.earlier:
        read_dataset(Path(folder))
    pipeline(Setup(asked.writing))
    _check_takes_a_model(asked)
    if asked.writing.samples:
        read_samples(Path(asked.writing.samples))
    for settings in asked.models if asks else ():
        _check_model(settings.model)


def _check_takes_a_model(asked: AnyMaking) -> None:
    if OFFLINE not in {model.model for model in asked.models[:2]}:
        return
    if isinstance(asked, CorpusWideParameters):
        raise InputError(
            "generator (--model): the offline rules write and judge no corpus-wide queries; name a model for the generator, "
            "and for the critic if there is one"
        )
    if isinstance(asked, MultiChunkParameters) and asked.writing.conversations.share:
        raise InputError(
            "writing.conversations.share (--conversations): the offline rules write and judge no dialogues; name a model "
            "(--model), or leave it out"
        )


def _check_index(asked: IndexParameters) -> None:
    Environment().check_addresses()
    _check_texts(asked)
    _check_embedding(asked.embedding)


def _check_texts(asked: IndexParameters) -> None:
    check_sources(asked.documents)
    if asked.chunking.existing:
        check_existing(asked.chunking.existing)


def _check_training(asked: TrainingParameters) -> None:
    if not (dataset := Path(asked.dataset)).exists():
        raise InputError(f"{dataset}: there is no such file or folder")
    sides_of(read_goldens(dataset).goldens, asked.dataset, asked.needs)
    if asked.chunking.existing:
        check_existing(asked.chunking.existing)
    _check_embedding(asked.embedding)
    if isinstance(asked, TrainDataParameters):
        check_training_data(Path(asked.out))
    else:
        check_trained(Path(asked.out))


def _check_benchmark(asked: BenchmarkParameters) -> None:
    faults: list[str] = []

    def attempt(check: Callable[..., object], *arguments: Any) -> None:
        try:
            check(*arguments)
        except InputError as error:
            faults.append(str(error))

    attempt(Environment().check_addresses)
    faults += (f"{one}: there is no such file or folder" for one in asked.datasets if not Path(one).exists())
    if asked.documents:
        attempt(check_sources, asked.documents)
    if asked.grid:
        for existing in (one.existing for one in asked.grid.chunking if one.existing):
            attempt(check_existing, existing)
        for embedding in dict.fromkeys(asked.grid.embedding):
            attempt(_check_embedding, embedding)
        if any(name.startswith(CROSS_ENCODER) for name in asked.grid.reranker):
            attempt(_check_local, "reranker cross-encoder")
        for name in (name for name in asked.grid.reranker if name.startswith(LEARNED)):
            attempt(read_reranker, Path(name.removeprefix(LEARNED)))
    for model in dict.fromkeys(settings.model for settings in asked.models):
        attempt(_check_model, model)
    for system in asked.systems:
        attempt(check_system, system)
    names = [one.name for one in asked.configurations]
    if asked.baseline and asked.baseline not in [*names, *(system.name for system in asked.systems)]:
        faults.append(f"baseline: there is no configuration {asked.baseline!r}; choose one of {'; '.join(names)}")
    attempt(check_primary, asked)
    attempt(check_results, Path(asked.out))
    if faults:
        raise InputError("\n".join(faults))


def _documents_of(parameters: Mapping[str, Any]) -> str:
    documents: Mapping[str, Any] = parameters.get("documents") or {}
    return str(documents.get("corpus") or ", ".join(sorted(documents.get("sources") or ())))


def _check_embedding(settings: EmbeddingSettings) -> None:
    _check_model(settings.model, "embedding")
    if settings.adapter and settings.model.startswith(LOCAL):  # loading the model takes seconds
        read_adapter(Path(settings.adapter))
    elif settings.adapter:
        connect_embedder(settings, Environment(), queries=True)


def _check_model(model: str, kind: str = "model") -> None:
    if kind == "embedding" and model.startswith(LOCAL):
        _check_local(f"embedding {model}")
    elif kind == "embedding" and model.startswith(LLAMAINDEX):
        find_class(f"embedding {model}", "embeddings", model.removeprefix(LLAMAINDEX))
    elif model not in {AUTO, OFFLINE}:
        endpoint(Environment(), f"{kind} {model}")


def _check_local(what: str) -> None:
    if find_spec("sentence_transformers") is None:
        raise InputError(f"{what} needs sentence-transformers: {install('local')}")
