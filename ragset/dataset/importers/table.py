"""Tables with a question, an answer and the contexts that hold it: CSV, JSON Lines, or a JSON list."""

import ast
import io
import json
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ragset.dataset.importers.contexts import Lookup, find_contexts
from ragset.dataset.importers.files import Row, read_json, read_json_lines, read_table
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.registry import importer
from ragset.documents import clean_text
from ragset.errors import InputError
from ragset.models import Document, Span

_ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json")
_QUESTION = ("question", "query", "user_input", "input")
_ANSWER = ("reference", "reference_answer", "ground_truth", "expected_output", "expected_answer", "answer")
"""First to last: where there are two, `answer` is what a system said."""
_CONTEXTS = ("reference_contexts", "ground_truth_contexts", "gold_contexts", "contexts", "passages", "evidence")
_ID = ("id", "_id", "question_id", "query_id")


class _Question(NamedTuple):
    where: str
    source: str
    query: str
    answers: tuple[str, ...]
    contexts: tuple[str, ...]


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in _ENDINGS and not path.is_dir()


_IS = f"a table of questions and contexts that ends in {', '.join(_ENDINGS)}"


@importer("table", _IS, recognises=_is_table, takes_documents=True)
def read_context_table(path: Path, builder: SetBuilder, documents: Sequence[Document] | None, **_: Any) -> None:
    """Add the rows of a table. Their contexts are looked for in `documents`, or become documents themselves."""
    every = [*_questions(path)]
    questions = [question for question in every if question.contexts]
    for question in every:
        if not question.contexts:
            builder.report(question.where, "there is no context", question.query)
    sources = {context: question.source for question in reversed(questions) for context in question.contexts}
    if documents is None:
        found = {context: _own_document(context, sources[context], builder) for context in reversed(sources)}
    else:
        found = find_contexts(tuple(sources), documents)
    for question in questions:
        lost = [context for context in question.contexts if not found[context].spans]
        for context in lost:
            builder.report(question.where, found[context].reason, context)
        if lost:
            continue  # with part of its evidence it would ask for less than its authors did
        answers = [clean_text(answer) for answer in question.answers]
        builder.add_golden(
            question.query,
            answers[0] if answers else "",
            [span for context in question.contexts for span in found[context].spans],
            where=question.where,
            source=question.source,
            metadata={"answers": answers} if answers[1:] else None,
        )


def _own_document(context: str, source: str, builder: SetBuilder) -> Lookup:
    document = builder.add_document(context, source=source)
    assert document is not None  # `_texts` leaves empty contexts out
    return Lookup((Span(doc_id=document.id, start=0, end=len(document.text)),))


def _questions(path: Path) -> Iterator[_Question]:
    names, rows = _rows(path)
    question, contexts = _find_column(names, _QUESTION), _find_column(names, _CONTEXTS)
    for column, part, spellings in ((question, "questions", _QUESTION), (contexts, "contexts", _CONTEXTS)):
        if not column:
            raise InputError(f"{path}: there is no column of {part}; call it one of {', '.join(spellings)}")
    answer, id_ = _find_column(names, _ANSWER), _find_column(names, _ID)
    unit = "entry" if path.suffix.lower() == ".json" else "line"
    for line, fields in rows:
        at = f"{path}: {unit} {line}"
        query, given = fields.get(question), fields.get(id_)
        if not isinstance(query, str):
            raise InputError(f"{at} has no text in {question}; mend or delete it")
        source = clean_text(str(given)) if isinstance(given, str | int) else ""
        yield _Question(
            where=f"{path.name}: {unit} {line}",
            source=source or f"{path.name}:{line}",
            query=query,
            answers=_texts(fields.get(answer), f"{at}, {answer}"),
            contexts=_texts(fields.get(contexts), f"{at}, {contexts}"),
        )


def _rows(path: Path) -> tuple[tuple[str, ...], Iterable[Row]]:
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


def _find_column(names: tuple[str, ...], spellings: tuple[str, ...]) -> str:
    """The column with the first of these spellings, in the singular or plural, whatever its case, hyphens and blanks."""
    by_name = {_folded(name): name for name in reversed(names)}
    return next((by_name[_folded(name)] for name in spellings if _folded(name) in by_name), "")


def _folded(name: str) -> str:
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split()).removesuffix("s")


def _texts(value: Any, where: str) -> tuple[str, ...]:
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
