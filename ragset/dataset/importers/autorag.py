"""AutoRAG's folders: `qa.parquet` with queries and the ids of what answers them, `corpus.parquet` with the texts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, field_validator

from ragset.dataset.importers.files import validated
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.questions import Lookup, find_contexts, own_document
from ragset.dataset.importers.registry import importer
from ragset.errors import InputError
from ragset.models import Document

_QA, _CORPUS = "qa.parquet", "corpus.parquet"


class _Passage(BaseModel):
    doc_id: str
    contents: str | None
    metadata: dict[str, Any] | None = None

    @property
    def title(self) -> str:
        title = (self.metadata or {}).get("title")
        return title if isinstance(title, str) else ""


class _Query(BaseModel):
    qid: str
    query: str
    retrieval_gt: list[list[str]]  # of each inner list one passage is needed
    generation_gt: list[str]
    split: str = "test"

    @field_validator("retrieval_gt", mode="before")
    @classmethod
    def _nested(cls, value: Any) -> Any:
        """AutoRAG reads one id, or a list of ids of which one is enough, too."""
        if isinstance(value, str):
            return [[value]]
        return [value] if isinstance(value, list) and value and isinstance(value[0], str) else value

    @field_validator("generation_gt", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value


@importer(
    "autorag",
    f"a folder of AutoRAG with {_QA} and {_CORPUS}",
    recognises=lambda path: all((path / name).is_file() for name in (_QA, _CORPUS)),
    takes_documents=True,
)
def read_autorag(folder: Path, builder: SetBuilder, documents: Sequence[Document] | None, **_: Any) -> None:
    """Add the queries. Passages are looked for in `documents`, or become documents themselves.

    Of each group of passages, of which one is needed, the first is evidence. A passage in all groups answers alone and is an
    equivalent; another one has no place in a golden and is reported.
    """
    corpus = [validated(_Passage, row, f"{folder / _CORPUS}: row {n}") for n, row in _rows(folder / _CORPUS)]
    texts = {one.doc_id: one for one in corpus if (one.contents or "").strip()}
    queries = [(n, validated(_Query, row, f"{folder / _QA}: row {n}")) for n, row in _rows(folder / _QA)]
    named = dict.fromkeys(id_ for _, query in queries for group in query.retrieval_gt for id_ in group)
    if documents is None:
        places = {id_: own_document(one.contents or "", id_, builder, one.title) for id_, one in texts.items()}
    else:
        wanted = {id_: texts[id_].contents or "" for id_ in named if id_ in texts}
        found = find_contexts(tuple(wanted.values()), documents)
        places = {id_: found[text] for id_, text in wanted.items()}
    for number, query in queries:
        _add(query, f"{_QA}: row {number}", places, builder)


def _add(query: _Query, where: str, places: Mapping[str, Lookup], builder: SetBuilder) -> None:
    nowhere = Lookup((), f"{_CORPUS} has no passage of this id with a text")
    groups = [group for group in query.retrieval_gt if group]
    evidence: dict[str, Lookup] = {}
    for group in groups:
        first = next((id_ for id_ in group if places.get(id_, nowhere).spans), None)
        if first is None:
            builder.report(where, places.get(group[0], nowhere).reason, group[0])
            return  # with part of its evidence it would ask for less than its authors did
        evidence[first] = places[first]
    others = dict.fromkeys(id_ for group in groups for id_ in group if id_ not in evidence)
    alone = [id_ for id_ in others if all(id_ in group for group in groups)]
    for id_ in others:
        if id_ not in alone:
            builder.report(
                where, "the passage stands for one of several that are needed, which goldens do not know", id_
            )
    builder.add_golden(
        query.query,
        (query.generation_gt or [""])[0] if groups else None,
        [span for lookup in evidence.values() for span in lookup.spans],
        where=where,
        source=query.qid,
        split=query.split,
        metadata={"answers": query.generation_gt} if query.generation_gt[1:] else None,
        equivalents=[span for id_ in alone for span in places.get(id_, nowhere).spans],
    )


def _rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return [*enumerate(pq.read_table(path).to_pylist(), start=1)]
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: cannot be read as Parquet ({type(error).__name__}); write it again") from None
