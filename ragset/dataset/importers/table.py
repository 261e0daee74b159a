"""Tables with a question, an answer and the contexts that hold it: CSV, JSON Lines, or a JSON list."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ragset.dataset.importers.cells import ENDINGS, read_rows, texts_in
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.questions import Question, add_questions
from ragset.dataset.importers.registry import importer, known_formats
from ragset.documents import clean_text
from ragset.errors import InputError
from ragset.models import Document

_QUESTION = ("question", "query", "user_input", "input")
_ANSWER = ("reference", "reference_answer", "ground_truth", "expected_output", "expected_answer", "answer")
"""First to last: where there are two, `answer` is what a system said."""
_CONTEXTS = ("reference_contexts", "ground_truth_contexts", "gold_contexts", "contexts", "passages", "evidence")
_ID = ("id", "_id", "question_id", "query_id")


def _is_table(path: Path) -> bool:
    return path.suffix.lower() in ENDINGS and not path.is_dir()


_IS = f"a table of questions and contexts that ends in {', '.join(ENDINGS)}"


@importer("table", _IS, recognises=_is_table, takes_documents=True)
def read_context_table(path: Path, builder: SetBuilder, documents: Sequence[Document] | None, **_: Any) -> None:
    """Add the rows of a table. Their contexts are looked for in `documents`, or become documents themselves."""
    add_questions(_questions(path), builder, documents)


def _questions(path: Path) -> Iterator[Question]:
    names, rows = read_rows(path)
    question, contexts = _find_column(names, _QUESTION), _find_column(names, _CONTEXTS)
    parts = {"question": (question, _QUESTION), "contexts": (contexts, _CONTEXTS)}
    if missing := {part: spellings for part, (column, spellings) in parts.items() if not column}:
        said = "; ".join(f"no field holds the {part}: call one {', '.join(of)}" for part, of in missing.items())
        there = ", ".join(names) or "none"
        raise InputError(f"{path}: {said} (fields there: {there}). Or name {known_formats()}")
    answer, id_ = _find_column(names, _ANSWER), _find_column(names, _ID)
    unit = "entry" if path.suffix.lower() == ".json" else "line"
    for line, fields in rows:
        at = f"{path}: {unit} {line}"
        query, given = fields.get(question), fields.get(id_)
        if not isinstance(query, str):
            raise InputError(f"{at} has no text in {question}; mend or delete it")
        source = clean_text(str(given)) if isinstance(given, str | int) else ""
        yield Question(
            where=f"{path.name}: {unit} {line}",
            source=source or f"{path.name}:{line}",
            query=query,
            answers=texts_in(fields.get(answer), f"{at}, {answer}"),
            contexts=texts_in(fields.get(contexts), f"{at}, {contexts}"),
        )


def _find_column(names: tuple[str, ...], spellings: tuple[str, ...]) -> str:
    """The column with the first of these spellings, in the singular or plural, whatever its case, hyphens and blanks."""
    by_name = {_folded(name): name for name in reversed(names)}
    return next((by_name[_folded(name)] for name in spellings if _folded(name) in by_name), "")


def _folded(name: str) -> str:
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split()).removesuffix("s")
