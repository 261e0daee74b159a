"""Rows of a table in CSV, JSON Lines or a JSON list, and the texts in a cell."""

import ast
import io
import json
import tokenize
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ragset.dataset.importers.files import Row, read_json, read_json_lines, read_table
from ragset.documents import clean_text
from ragset.errors import InputError

ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".json")


def read_rows(path: Path) -> tuple[tuple[str, ...], Iterable[Row]]:
    """The names of the columns, and the rows."""
    if path.suffix.lower() in {".csv", ".tsv"}:
        return read_table(path)
    if path.suffix.lower() == ".json":
        value = read_json(path)
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            holds = f"an object with {', '.join(map(str, value))}" if isinstance(value, dict) else "no list of objects"
            raise InputError(
                f"{path}: holds {holds}; write a list of objects, one a question: "
                '[{"question": "…", "reference": "…", "contexts": ["…"]}]'
            )
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
