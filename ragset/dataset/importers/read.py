"""Which reader a path needs, told by what is there."""

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ragset.dataset import read_dataset
from ragset.dataset.importers.beir import read_beir
from ragset.dataset.importers.chroma import COLUMNS, read_chroma
from ragset.dataset.importers.files import read_json, read_table
from ragset.dataset.importers.gathering import Foreign, Gathering
from ragset.dataset.importers.squad import is_squad, read_squad
from ragset.dataset.importers.table import ENDINGS, read_context_table
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Document

logger = logging.getLogger(__name__)

KINDS = ("ragset", "beir", "squad", "chroma", "table")
_MANIFEST = "manifest.json"
_QUESTIONS = "questions.csv"


def read_goldens(
    path: Path,
    *,
    kind: str | None = None,
    documents: Corpus | Iterable[Document] | None = None,
    language: str = "en",
) -> Foreign:
    """The goldens and documents of a dataset of ours, a BEIR folder, SQuAD's JSON, Chroma's CSV or a table.

    `kind` is one of `KINDS`; None looks at the content. `documents` are where a table's contexts are looked for; without
    them each context is a document. `language` (ISO 639-1) says how SQuAD's sentences are told apart.

    Raises:
        InputError: there is nothing of the kind, or a file of it cannot be read; the message names file and line.
    """
    if kind is not None and kind not in KINDS:
        raise InputError(f"there is no kind {kind} of data; choose one of {', '.join(KINDS)}")
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder")
    kind = kind or _kind(path)
    if documents is not None and kind != "table":
        raise InputError(f"{path}: data of the kind {kind} bring their own documents; leave out the others")
    if kind == "ragset":
        dataset = read_dataset(path if path.is_dir() else path.parent)
        return Foreign(dataset.goldens, tuple(dataset.corpus), ())
    given = None if documents is None else tuple(documents)
    gathering = Gathering(given or ())
    if kind == "beir":
        read_beir(path, gathering)
    elif kind == "squad":
        read_squad(path, gathering, language)
    elif kind == "chroma":
        read_chroma(path / _QUESTIONS if path.is_dir() else path, gathering)
    else:
        read_context_table(path, gathering, given)
    result = gathering.result()
    logger.info("%s: %d goldens, %d problems", path.name, len(result.goldens), len(result.problems))
    return result


def _kind(path: Path) -> str:
    if path.is_dir():
        return _kind_of_folder(path)
    ending = path.suffix.lower()
    if path.name == _MANIFEST:
        return "ragset"
    if ending == ".json":
        value: Any = read_json(path)
        return "squad" if is_squad(value) else "table"
    if ending in {".csv", ".tsv"}:
        names, _ = read_table(path)
        return "chroma" if set(COLUMNS) <= set(names) else "table"
    if ending in ENDINGS:
        return "table"
    raise InputError(
        f"{path}: is of no kind that can be told; name a dataset folder, a BEIR folder, or a file that ends in "
        f"{', '.join(ENDINGS)}"
    )


def _kind_of_folder(folder: Path) -> str:
    if (folder / _MANIFEST).is_file():
        return "ragset"
    if (folder / "corpus.jsonl").is_file() or (folder / "queries.jsonl").is_file():
        return "beir"
    if (folder / _QUESTIONS).is_file():
        return "chroma"
    raise InputError(
        f"{folder}: is of no kind that can be told; a dataset of ragset has {_MANIFEST}, a BEIR folder corpus.jsonl, "
        f"queries.jsonl and qrels/test.tsv, a folder of Chroma's {_QUESTIONS}"
    )
