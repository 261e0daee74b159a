"""Tables with a question, an answer and the contexts that hold it, those of Ragas too: CSV, JSON Lines, or a JSON list."""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragset.dataset.importers.files import Row, read_json, read_json_lines, read_table
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.questions import Question, add_questions
from ragset.dataset.importers.registry import importer, known_formats
from ragset.documents.cleaning import clean_text
from ragset.errors import InputError
from ragset.models import Document, Span

ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json")


def read_rows(path: Path) -> tuple[tuple[str, ...], Iterable[Row]]:
    """The names of the columns, and the rows."""
    if path.suffix.lower() in {".csv", ".tsv"}:
        return read_table(path)
    if path.suffix.lower() == ".json":
        value = read_json(path)
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            holds = f"an object with {', '.join(map(str, value))}" if isinstance(value, dict) else "no list of objects"
            wanted = '[{"question": "…", "reference": "…", "contexts": ["…"]}]'
            raise InputError(f"{path}: holds {holds}; write a list of objects, one a question: {wanted}")
        rows = [Row(number, entry) for number, entry in enumerate(value, start=1)]
    else:
        rows = list(read_json_lines(path))
    if not rows:
        raise InputError(f"{path}: is empty; name a file with data in it")
    return tuple(dict.fromkeys(name for row in rows for name in row.fields)), rows


def texts_in(value: Any, where: str) -> tuple[str, ...]:
    """The texts of a cell, each once: one text, or a list as JSON, as Python prints it or as numpy does."""
    if isinstance(value, dict):
        value = value.get("text")  # as Hugging Face has SQuAD's answers
    if isinstance(value, str):
        value = (_listed(value.strip()) if value.lstrip().startswith("[") else None) or [value]
    if value is None or value != value:  # what pandas writes where there is nothing
        return ()
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = [str(value)]
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InputError(f"{where} is neither a text nor a list of texts; mend it")
    return tuple(dict.fromkeys(text for text in value if clean_text(text)))


def _listed(cell: str) -> list[str] | None:
    """The texts of a list: JSON, `['a', 'b']` or `['a' 'b']`; None where the cell only looks like one."""
    texts: list[Any] = []
    try:
        texts = json.loads(cell)
    except (ValueError, RecursionError):
        try:
            for token in tokenize.generate_tokens(io.StringIO(cell).readline):
                if token.type == tokenize.STRING:
                    texts.append(ast.literal_eval(token.string))
                elif token.string.strip(" \n[],"):
                    return None
        except (tokenize.TokenError, SyntaxError, ValueError, MemoryError, RecursionError):
            return None
    return texts if all(isinstance(text, str) for text in texts) else None


_QUESTION = ("question", "query", "user_input", "input")
_ANSWER = ("reference", "reference_answer", "ground_truth", "expected_output", "expected_answer", "answer")
"""First to last: where there are two, `answer` is what a system said."""
_CONTEXTS = ("reference_contexts", "ground_truth_contexts", "gold_contexts", "contexts", "passages", "evidence")
_ID = ("id", "_id", "question_id", "query_id")
_RAGAS = ("user_input", "reference_contexts")
_LABELS = {"persona_name": "persona", "query_style": "style", "query_length": "length", "synthesizer_name": "shape"}
"""Columns of Ragas, and what they are called in a golden's metadata."""
_HOP = re.compile(r"\A<\d+-hop>\s*")
"""What Ragas writes before each context of a query over several."""


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in ENDINGS and not path.is_dir()


def _is_ragas(path: Path) -> bool:
    return _is_table(path) and set(_RAGAS) <= set(read_rows(path)[0])


@importer(
    "table",
    f"a table of questions and contexts that ends in {', '.join(ENDINGS)}",
    recognises=_is_table,
    takes_documents=True,
)
@importer(
    "ragas", f"a test set of Ragas: a table with {' and '.join(_RAGAS)}", recognises=_is_ragas, takes_documents=True
)
def read_context_table(path: Path, builder: SetBuilder, documents: Sequence[Document] | None, **_: Any) -> None:
    """Add the rows of a table. Their contexts are looked for in `documents`, or become documents themselves.

    A context of Ragas is looked for first at the place that its id names. A sample of Ragas with an empty list of contexts and
    no reference is an unanswerable query.
    """
    texts = {document.id: document.text for document in documents or ()}
    add_questions(_questions(path, texts), builder, documents)


def _questions(path: Path, texts: Mapping[str, str]) -> Iterator[Question]:
    names, rows = read_rows(path)
    ragas = set(_RAGAS) <= set(names)
    question, contexts = _RAGAS if ragas else (_find_column(names, _QUESTION), _find_column(names, _CONTEXTS))
    parts = {"question": (question, _QUESTION), "contexts": (contexts, _CONTEXTS)}
    if missing := {part: spellings for part, (column, spellings) in parts.items() if not column}:
        said = "; ".join(f"no field holds the {part}: call one {', '.join(of)}" for part, of in missing.items())
        there = ", ".join(names) or "none"
        raise InputError(f"{path}: {said} (fields there: {there}). Or name {known_formats()}")
    answer, id_ = "reference" if ragas else _find_column(names, _ANSWER), _find_column(names, _ID)
    unit = "entry" if path.suffix.lower() == ".json" else "line"
    for line, fields in rows:
        at = f"{path}: {unit} {line}"
        query, given = fields.get(question), fields.get(id_)
        if not isinstance(query, str):
            mend = "conversations of several turns cannot be read" if query else "mend or delete it"
            raise InputError(f"{at} has no text in {question}; {mend}")
        answers = texts_in(fields.get(answer), f"{at}, {answer}")
        found = texts_in(fields.get(contexts), f"{at}, {contexts}")
        one = Question(
            where=f"{path.name}: {unit} {line}",
            source=(clean_text(str(given)) if isinstance(given, str | int) else "") or f"{path.name}:{line}",
            query=query,
            answers=answers,
            contexts=found,
        )
        if ragas:
            found = tuple(_HOP.sub("", context) for context in found)
            one = one._replace(
                contexts=found,
                metadata={name: fields[key] for key, name in _LABELS.items() if fields.get(key)},
                split=fields.get("split") or "test",
                places=_places(found, texts_in(fields.get("reference_context_ids"), f"{at}, ids"), texts),
                unanswerable=fields.get(contexts) in ([], "[]") and not answers,
            )
        yield one


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


def _find_column(names: tuple[str, ...], spellings: tuple[str, ...]) -> str:
    """The column with the first of these spellings, in the singular or plural, whatever its case, hyphens and blanks."""
    by_name = {_folded(name): name for name in reversed(names)}
    return next((by_name[_folded(name)] for name in spellings if _folded(name) in by_name), "")


def _folded(name: str) -> str:
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split()).removesuffix("s")
