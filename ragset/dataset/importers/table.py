"""Tables with a question, an answer and the contexts that it stands in: CSV, JSON Lines, or a JSON list."""

import ast
import io
import json
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ragset.dataset.importers.files import Row, read_json, read_json_lines, read_table
from ragset.dataset.importers.finder import Lookup, find_contexts
from ragset.dataset.importers.gathering import Gathering
from ragset.documents import clean_text
from ragset.errors import InputError
from ragset.models import Document, Span

ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json")
QUESTION = ("question", "query", "user_input", "input")
ANSWER = (
    "reference",
    "reference_answer",
    "ground_truth",
    "ground_truths",
    "expected_output",
    "expected_answer",
    "answer",
    "answers",
)
"""First to last: where there are two, `answer` is what a system said."""
CONTEXTS = (
    "reference_contexts",
    "reference_context",
    "ground_truth_contexts",
    "ground_truth_context",
    "gold_contexts",
    "gold_context",
    "contexts",
    "context",
    "passages",
    "passage",
)
ID = ("id", "_id", "question_id", "query_id")


class _Columns(NamedTuple):
    question: str
    contexts: str
    answer: str | None
    id: str | None


class _Question(NamedTuple):
    where: str
    source: str
    query: str
    answers: tuple[str, ...]
    contexts: tuple[str, ...]


def read_context_table(path: Path, gathering: Gathering, documents: Sequence[Document] | None) -> None:
    """Gather the rows of a table; their contexts are looked for in `documents`, or become documents themselves.

    Raises:
        InputError: a column is missing, or a line cannot be read.
    """
    questions = [question for question in _questions(path) if _has_contexts(question, gathering)]
    found: Mapping[str, Lookup]
    if documents is None:
        found = {
            context: _own_document(context, question.source, gathering)
            for question in questions
            for context in question.contexts
        }
    else:
        contexts = dict.fromkeys(context for question in questions for context in question.contexts)
        found = find_contexts(tuple(contexts), documents)
    for question in questions:
        lost = [context for context in question.contexts if not found[context].spans]
        for context in lost:
            gathering.report(question.where, found[context].reason, context)
        if lost:
            continue  # with part of its evidence it would ask for less than its authors did
        spans = [span for context in question.contexts for span in found[context].spans]
        gathering.add_golden(
            question.query,
            question.answers[0] if question.answers else "",
            spans,
            where=question.where,
            source=question.source,
            metadata={"answers": [clean_text(answer) for answer in question.answers]} if question.answers[1:] else None,
        )


def _own_document(context: str, source: str, gathering: Gathering) -> Lookup:
    document = gathering.add_document(context, source=source)
    if document is None:
        return Lookup((), "the context is empty")
    return Lookup((Span(doc_id=document.id, start=0, end=len(document.text)),))


def _has_contexts(question: _Question, gathering: Gathering) -> bool:
    if not question.contexts:
        gathering.report(question.where, "there is no context", question.query)
    return bool(question.contexts)


def _questions(path: Path) -> Iterable[_Question]:
    names, rows = _rows(path)
    columns = _columns(path, names)
    unit = "entry" if path.suffix.lower() == ".json" else "line"
    for line, fields in rows:
        at = f"{path}: {unit} {line}"
        query = fields.get(columns.question)
        if not isinstance(query, str):
            raise InputError(f"{at} has no text in {columns.question}; mend or delete it")
        given = fields.get(columns.id) if columns.id else None
        source = clean_text(str(given)) if isinstance(given, str | int) else ""
        yield _Question(
            where=f"{path.name}: {unit} {line}",
            source=source or f"{path.name}:{line}",
            query=query,
            answers=_texts(fields.get(columns.answer or ""), f"{at}, {columns.answer}"),
            contexts=_texts(fields.get(columns.contexts), f"{at}, {columns.contexts}"),
        )


def _rows(path: Path) -> tuple[tuple[str, ...], Iterable[Row]]:
    """The names of all columns, and the rows."""
    if path.suffix.lower() in {".csv", ".tsv"}:
        return read_table(path)
    if path.suffix.lower() == ".json":
        value = read_json(path)
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise InputError(f"{path}: is neither a JSON list of objects nor in SQuAD's format; save it as JSON Lines")
        rows = [Row(number, entry) for number, entry in enumerate(value, start=1)]
    else:
        rows = list(read_json_lines(path))
    if not rows:
        raise InputError(f"{path}: is empty; name a file with data in it")
    return tuple(dict.fromkeys(name for row in rows for name in row.fields)), rows


def _columns(path: Path, names: tuple[str, ...]) -> _Columns:
    by_name = {"_".join(name.lower().replace("-", " ").replace("_", " ").split()): name for name in reversed(names)}
    # An `_id` loses its first sign above.
    found = {
        part: next((by_name[name.strip("_")] for name in spellings if name.strip("_") in by_name), None)
        for part, spellings in (("question", QUESTION), ("contexts", CONTEXTS), ("answer", ANSWER), ("id", ID))
    }
    question, contexts = found["question"], found["contexts"]
    for part, column, spellings in (("questions", question, QUESTION), ("contexts", contexts, CONTEXTS)):
        if column is None:
            raise InputError(f"{path}: there is no column of {part}; call it one of {', '.join(spellings)}")
    assert question is not None
    assert contexts is not None
    return _Columns(question, contexts, found["answer"], found["id"])


def _texts(value: Any, where: str) -> tuple[str, ...]:
    """The texts of a cell, each once: one text, a list of them as JSON or as Python or numpy prints it."""
    if isinstance(value, dict):
        value = value.get("text")  # as Hugging Face has SQuAD's answers
    if isinstance(value, str):
        listed = _listed(value.strip()) if value.lstrip().startswith("[") else None
        value = [value] if listed is None else listed
    if value is None or value != value:  # what pandas writes where there is nothing
        return ()
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = [str(value)]
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InputError(f"{where} is neither a text nor a list of texts; mend it")
    return tuple(dict.fromkeys(text for text in value if clean_text(text)))


def _listed(cell: str) -> list[str] | None:
    """The texts of a list; None where the cell only looks like one."""
    try:
        value = json.loads(cell)
    except (ValueError, RecursionError):
        return _printed(cell)
    return value if all(isinstance(text, str) for text in value) else None


def _printed(cell: str) -> list[str] | None:
    """Of `['a', 'b']` or `['a' 'b']`; token by token, as Python would read the second as one text."""
    texts: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(cell).readline):
            if token.type == tokenize.STRING:
                text = ast.literal_eval(token.string)
                if not isinstance(text, str):
                    return None
                texts.append(text)
            elif token.type == tokenize.OP and token.string in "[],":
                continue
            elif token.string.strip():
                return None
    except (tokenize.TokenError, SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return texts
