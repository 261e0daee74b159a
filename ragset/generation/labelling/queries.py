"""Queries of one's own: read from text, CSV, JSON or an export of Langfuse or Phoenix, each query once with its weight."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Self, cast

from ragset.dataset.importers.files import read_json, read_json_lines, read_table, read_text
from ragset.errors import InputError
from ragset.models import Model, Reject

STAGE = "read"
LONGEST = 2_000
_TO_SPACES = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")
FIELDS = (
    *("query", "question", "user_input", "user_query", "input", "inputs", "attributes.input.value"),
    *("prompt", "text"),
)
"""Names of the field that holds the query, the first that a record has."""
_INSIDE = (
    *("query", "question", "user_input", "input", "inputs", "value", "content", "text", "prompt", "messages"),
    *("query_str", "query_bundle", "kwargs", "args"),
)
"""Of an object in that field, as Langfuse and Phoenix log what an application was called with."""
_IDS = ("id", "_id", "query_id", "qid", "example_id", "context.span_id", "span_id")
_WEIGHTS = ("weight", "count", "frequency")
_PARENTS = ("parent_id", "parentObservationId", "parent_observation_id")
_LISTS = ("data", "examples", "items", "traces", "observations")


class AskedQuery(Model):
    """A query that people asked."""

    query: str
    weight: int = 1
    """How often it was asked."""
    ids: tuple[str, ...] = ()
    """Those of its records."""


class AskedQueries(Model):
    """The distinct queries of a file, in its order."""

    queries: tuple[AskedQuery, ...]
    records: int
    rejects: tuple[Reject, ...] = ()
    """Records without a query that can be used."""
    not_drawn: int = 0
    """Distinct queries that were left out."""

    @property
    def repeated(self) -> int:
        """Records with the query of an earlier one."""
        return self.records - len(self.rejects) - len(self.queries) - self.not_drawn

    def drawn(self, n: int, seed: int) -> Self:
        """With `n` of its queries, in their order; one that was asked twice as often is drawn twice as easily.

        Efraimidis and Spirakis, "Weighted random sampling with a reservoir" (2006).
        """
        random = Random(seed)  # noqa: S311
        keys = [random.random() ** (1 / one.weight) for one in self.queries]
        places = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)[:n]
        queries = tuple(self.queries[place] for place in sorted(places))
        return self.model_copy(update={"queries": queries, "not_drawn": len(self.queries) - len(queries)})


def read_queries(path: Path, field: str = "") -> AskedQueries:
    """The queries of a file; those that differ by case, white space or a final mark alone are one.

    `.csv`, `.tsv`, `.jsonl` and `.json` hold records with the query in `field` (empty: the first of `FIELDS` that there is);
    any other file holds a query a line. Where records are spans of traces, those within another one are left out.

    Raises:
        InputError: it cannot be read, or no record of it holds a query.
    """
    found: dict[str, AskedQuery] = {}
    rejects: list[Reject] = []
    records = 0
    for number, fields in _records(path):
        records += 1
        query = _query_of(fields, field or ("query" if _is_text(path) else ""), logged=not _is_text(path))
        fault = "inner_span" if _first(fields, _PARENTS) else "" if query else "no_query"
        fault = fault or ("too_long" if len(query) > LONGEST else "")
        if fault:
            rejects.append(Reject(stage=STAGE, reason=fault, detail=f"record {number}", query=query[:200]))
            continue
        key, id_, weight = folded(query), _first(fields, _IDS), str(_first(fields, _WEIGHTS))
        known = found.get(key, AskedQuery(query=query, weight=0))
        ids = known.ids if id_ is None else (*known.ids, str(id_))
        found[key] = AskedQuery(
            query=known.query, weight=known.weight + max(1, int(weight) if weight.isdecimal() else 1), ids=ids
        )
    if not found:
        if long := next((one for one in rejects if one.reason == "too_long"), None):
            raise InputError(f"{path}: {long.detail} is longer than a query may be, {LONGEST:,} characters")
        names = sorted({name for _, fields in _records(path) for name in fields})[:20]
        mend = (
            f"name the field that holds it `query` (or for `label` with --field); there are {', '.join(names)}"
            if names
            else "write one a line"
        )
        raise InputError(f"{path}: no record holds a query{f' in {field!r}' if field else ''}; {mend}")
    return AskedQueries(queries=tuple(found.values()), records=records, rejects=tuple(rejects))


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Number and fields of each record; a line of text has the field `query`."""
    match path.suffix.lower():
        case ".csv" | ".tsv":
            yield from ((row.line, row.fields) for row in read_table(path)[1])
        case ".jsonl" | ".ndjson":
            yield from ((row.line, row.fields) for row in read_json_lines(path))
        case ".json":
            value = read_json(path)
            if isinstance(value, Mapping):
                value = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), value)
            if not isinstance(value, list):
                raise InputError(f"{path}: is no list of records; export it as a list, or as JSON Lines")
            for number, one in enumerate(cast("list[Any]", value), start=1):
                yield number, one if isinstance(one, Mapping) else {"query": one}
        case _:
            for number, line in enumerate(read_text(path).splitlines(), start=1):
                if line.strip():
                    yield number, {"query": line}


def _is_text(path: Path) -> bool:
    return path.suffix.lower() not in {".csv", ".tsv", ".jsonl", ".ndjson", ".json"}


def _query_of(fields: Mapping[str, Any], field: str, *, logged: bool) -> str:
    """The query of a record in one line; empty where it has none. A value that was `logged` may be more than the query."""
    if flat := {name.removeprefix("input."): value for name, value in fields.items() if name.startswith("input.")}:
        fields = {"input": flat, **fields}  # as Phoenix writes the input of a dataset's example into a table
    value = _at(fields, field) if field else _first(fields, FIELDS)
    return one_line(_text(value) if logged else str(value))


def _text(value: Any) -> str:
    """The text of a value as it is logged: a text, JSON in a text, an object with one, or the last message of a user."""
    if isinstance(value, str):
        if value.lstrip()[:1] in {"{", "[", '"'}:
            try:
                return _text(json.loads(value))
            except (ValueError, RecursionError):
                return value
        return value
    if isinstance(value, list):
        return _text_of_list(cast("list[Any]", value))
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        names = [name for name in _INSIDE if name in fields] or (list(fields) if len(fields) == 1 else [])
        return next(filter(None, (_text(fields[name]) for name in names)), "")
    return ""


def _text_of_list(values: list[Any]) -> str:
    """Of messages the last one of a user, of the parts of a message the texts, of arguments the first."""
    messages = [cast("Mapping[str, Any]", one) for one in values if isinstance(one, Mapping)]
    if asked := [one for one in messages if _role(one) in {"user", "human"}]:
        return _text(asked[-1])
    if parts := [one for one in messages if one.get("type") in {"text", "input_text"}]:
        return " ".join(filter(None, map(_text, parts)))
    return next(filter(None, (_text(one) for one in values if isinstance(one, str | list))), "")


def _role(message: Mapping[str, Any]) -> Any:
    """Who says a message; LangChain writes a serialised one as a constructor with its arguments."""
    inner = message.get("kwargs")
    said = cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else message
    return said.get("role", said.get("type"))


def _first(fields: Mapping[str, Any], names: Iterable[str]) -> Any:
    """The value of the first of the names that has one; None where none has."""
    return next((value for name in names if (value := _at(fields, name)) not in (None, "", [], {})), None)


def _at(fields: Mapping[str, Any], name: str) -> Any:
    """The value of a field: by its name in any case, or by the path of a nested one, as in `attributes.input.value`."""
    for key, value in fields.items():
        if key.casefold() == name.casefold():
            return value
    head, _, rest = name.partition(".")
    inner = next((value for key, value in fields.items() if key.casefold() == head.casefold()), None) if rest else None
    return _at(cast("Mapping[str, Any]", inner), rest) if isinstance(inner, Mapping) else None


def folded(query: str) -> str:
    """By which queries are told apart: case, white space and a mark at the end make no difference."""
    return re.sub(r"[\s?!.。？！]+$", "", one_line(query)).casefold()


def one_line(query: str) -> str:
    """A query in NFC, with one space for white space and control characters."""
    spaced = " ".join(query.translate(_TO_SPACES).split())
    # Halves of surrogate pairs, which JSON can name and no request can hold, become question marks.
    return unicodedata.normalize("NFC", spaced).encode(errors="replace").decode()
