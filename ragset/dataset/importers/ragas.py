"""Ragas test sets and evaluation datasets: tables with `user_input`, `reference` and `reference_contexts`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragset.dataset.importers.cells import ENDINGS, read_rows, texts_in
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.questions import Question, add_questions
from ragset.dataset.importers.registry import importer
from ragset.documents import clean_text
from ragset.errors import InputError
from ragset.models import Document, Span

_COLUMNS = ("user_input", "reference_contexts")
_LABELS = {"persona_name": "persona", "query_style": "style", "query_length": "length", "synthesizer_name": "shape"}
"""Columns, and what they are called in a golden's metadata."""

_HOP = re.compile(r"\A<\d+-hop>\s*")
"""What Ragas writes before each context of a query over several."""


def _is_ragas(path: Path) -> bool:
    if path.suffix.lower() not in ENDINGS or path.is_dir():
        return False
    try:
        return set(_COLUMNS) <= set(read_rows(path)[0])
    except InputError:
        return False  # another reader says what is wrong with it


@importer(
    "ragas", f"a test set of Ragas: a table with {' and '.join(_COLUMNS)}", recognises=_is_ragas, takes_documents=True
)
def read_ragas(path: Path, builder: SetBuilder, documents: Sequence[Document] | None, **_: Any) -> None:
    """Add the samples. A context is looked for in `documents`, first at the place that its id names.

    A sample with an empty list of contexts and no reference is an unanswerable query.
    """
    names, rows = read_rows(path)
    if missing := [name for name in _COLUMNS if name not in names]:
        raise InputError(f"{path}: there is no column {', '.join(missing)}; name a test set of Ragas")
    texts = {document.id: document.text for document in documents or ()}
    add_questions(_questions(path, rows, texts), builder, documents)


def _questions(path: Path, rows: Any, texts: Mapping[str, str]) -> Iterator[Question]:
    unit = "entry" if path.suffix.lower() == ".json" else "line"
    for line, fields in rows:
        at = f"{path}: {unit} {line}"
        query = fields["user_input"]
        if not isinstance(query, str):
            raise InputError(f"{at} has no text in user_input; conversations of several turns cannot be read")
        given = fields.get("reference_contexts")
        contexts = tuple(_HOP.sub("", context) for context in texts_in(given, f"{at}, reference_contexts"))
        answers = texts_in(fields.get("reference"), f"{at}, reference")
        yield Question(
            where=f"{path.name}: {unit} {line}",
            source=clean_text(str(fields.get("id") or f"{path.name}:{line}")),
            query=query,
            answers=answers,
            contexts=contexts,
            metadata={name: fields[key] for key, name in _LABELS.items() if fields.get(key)},
            split=fields.get("split") or "test",
            places=_places(contexts, texts_in(fields.get("reference_context_ids"), f"{at}, ids"), texts),
            unanswerable=given in ([], "[]") and not answers,
        )


def _places(contexts: Sequence[str], ids: Sequence[str], texts: Mapping[str, str]) -> dict[str, Span]:
    """The spans that ids of ours name, where the documents have the contexts there."""
    found: dict[str, Span] = {}
    for context, id_ in zip(contexts, ids, strict=False):
        try:
            span = Span.of_id(id_)
        except ValueError:  # an id of somebody else
            continue
        if texts.get(span.doc_id, "")[span.start : span.end] == context:
            found[context] = span
    return found
