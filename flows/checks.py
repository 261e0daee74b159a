"""What can be found wrong before anything is read, started or paid: every mistake that a look at the parameters shows."""

from importlib.util import find_spec
from pathlib import Path

from flows.parameters import IndexParameters, MultiChunkParameters, SingleChunkParameters
from ragset.dataset import check_output
from ragset.documents import check_sources
from ragset.endpoint import endpoint
from ragset.errors import InputError
from ragset.recipe import multi_chunk, single_chunk
from ragset.settings import OFFLINE, Environment

_LOCAL = "local:"


def check_index(asked: IndexParameters) -> None:
    """Return if the documents are there and the embedding can be asked for.

    Raises:
        InputError: what is wrong, and what to set.
    """
    check_sources(asked.documents)
    model = asked.embedding.model
    if model.startswith(_LOCAL):
        if find_spec("sentence_transformers") is None:
            raise InputError(f"embedding {model} needs sentence-transformers: pip install 'ragset[local]'")
    elif model != OFFLINE:
        endpoint(Environment(), f"embedding {model}")


def check_making(asked: SingleChunkParameters | MultiChunkParameters) -> None:
    """As `check_index`, and the kinds of queries exist, the models have an endpoint, the output can be written.

    Raises:
        InputError: what is wrong, and what to set.
    """
    check_index(asked)
    if isinstance(asked, MultiChunkParameters):
        multi_chunk(asked.writing, asked.contexts.min_chunks, asked.seed)
    else:
        single_chunk(asked.writing, asked.seed)
    for settings in (asked.generator, asked.critic or asked.generator):
        if settings.model != OFFLINE:
            endpoint(Environment(), f"model {settings.model}")
    check_output(Path(asked.out))
