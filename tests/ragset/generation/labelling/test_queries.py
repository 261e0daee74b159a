"""Queries of one's own, as people have them in files."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.errors import InputError
from ragset.generation.labelling.queries import LONGEST, AskedQueries, AskedQuery, folded, read_queries

TEXTS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30).filter(folded)


def file(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def lines(*records: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


def queries(path: Path, field: str = "") -> list[tuple[str, int]]:
    return [(one.query, one.weight) for one in read_queries(path, field).queries]


def test_a_line_of_text_is_a_query_and_a_repeated_one_weighs_more(tmp_path: Path) -> None:
    path = file(tmp_path, "log.txt", 'How hot is tea?\n\nhow  hot is tea\n"green tea" price\n')
    assert queries(path) == [("How hot is tea?", 2), ('"green tea" price', 1)]
    assert read_queries(path).records == 3


def test_a_table_has_ids_and_counts(tmp_path: Path) -> None:
    path = file(tmp_path, "log.csv", "id,Question,count\n7,How hot?,3\n9,how hot,2\n11,Who?,\n")
    asked = read_queries(path).queries
    assert [(one.query, one.weight, one.ids) for one in asked] == [("How hot?", 5, ("7", "9")), ("Who?", 1, ("11",))]


def test_a_field_can_be_named(tmp_path: Path) -> None:
    path = file(tmp_path, "log.jsonl", lines({"query": "no", "a": {"b": "yes"}}))
    assert queries(path, "a.b") == [("yes", 1)]


@pytest.mark.parametrize(
    "logged",
    [
        "What is tea?",
        json.dumps("What is tea?"),
        {"query": "What is tea?"},
        json.dumps({"input": {"question": "What is tea?"}}),
        [{"role": "system", "content": "Be short."}, {"role": "user", "content": "What is tea?"}],
        {"messages": [{"type": "human", "content": "Hi."}, {"type": "human", "content": "What is tea?"}]},
        [{"role": "user", "content": [{"type": "text", "text": "What is tea?"}]}],
        [{"role": "user", "content": [{"type": "input_text", "text": "What is tea?"}]}],
        {"args": ["What is tea?"], "kwargs": {}},
        {"args": [], "kwargs": {"question": "What is tea?"}},
        {"retriever": {"query": "What is tea?"}},
        {"messages": [[{"type": "constructor", "kwargs": {"type": "human", "content": "What is tea?"}}]]},
    ],
)
def test_the_query_is_found_in_what_an_application_was_called_with(tmp_path: Path, logged: Any) -> None:
    # As Langfuse exports traces: a JSON list, the input as it was logged.
    traces = [{"id": "t1", "name": "chat", "input": logged, "output": "A drink."}]
    (asked,) = read_queries(file(tmp_path, "traces.json", traces)).queries
    assert (asked.query, asked.ids) == ("What is tea?", ("t1",))


def test_of_the_spans_of_phoenix_only_the_outermost_are_asked_by_people(tmp_path: Path) -> None:
    spans = lines(
        {"context.span_id": "a", "parent_id": None, "attributes.input.value": "What is tea?"},
        {"context.span_id": "b", "parent_id": "a", "attributes.input.value": "tea definition"},
        {"context": {"span_id": "c"}, "parent_id": None, "attributes": {"input": {"value": "Who drinks it?"}}},
    )
    asked = read_queries(file(tmp_path, "spans.jsonl", spans))
    assert [(one.query, one.ids) for one in asked.queries] == [("What is tea?", ("a",)), ("Who drinks it?", ("c",))]
    assert [(one.reason, one.detail) for one in asked.rejects] == [("inner_span", "record 2")]


def test_a_dataset_of_phoenix_as_a_table_has_a_column_for_each_input(tmp_path: Path) -> None:
    table = "id,node_id,input.question,input.top_k,output.answer\nx,RGF0YQ==,What is tea?,3,A drink.\n"
    (asked,) = read_queries(file(tmp_path, "dataset.csv", table)).queries
    assert (asked.query, asked.ids) == ("What is tea?", ("x",))


def test_a_record_without_a_query_is_a_reject_with_its_number(tmp_path: Path) -> None:
    path = file(tmp_path, "log.jsonl", lines({"query": "Who?"}, {"query": None}, {"query": "x" * (LONGEST + 1)}))
    rejects = read_queries(path).rejects
    assert [(one.reason, one.detail) for one in rejects] == [("no_query", "record 2"), ("too_long", "record 3")]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.csv", "name,city\nx,y\n", r"a\.csv: no record holds a query; name the field.*there are city, name"),
        ("a.json", {"what": "this"}, r"a\.json: is no list of records"),
        ("a.jsonl", "{\n", r"a\.jsonl: line 1 is not JSON"),
        ("a.txt", "", r"a\.txt: is empty"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, name: str, content: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_queries(file(tmp_path, name, content))


def test_queries_that_were_asked_often_are_drawn_more_easily_and_stay_in_order() -> None:
    queries = tuple(AskedQuery(query=str(n), weight=50 if n % 10 == 0 else 1) for n in range(100))
    asked = AskedQueries(queries=queries, records=590)
    drawn = asked.drawn(20, seed=0)
    places = [int(one.query) for one in drawn.queries]
    assert places == sorted(places)
    assert len(set(places)) == 20
    assert sum(place % 10 == 0 for place in places) >= 9
    assert (drawn.not_drawn, drawn.repeated) == (80, 490)
    assert asked.drawn(20, seed=0) == drawn
    assert asked.drawn(200, seed=1) == asked


@given(st.lists(TEXTS, min_size=1, max_size=20))
def test_weights_count_every_record_once(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    path = file(tmp_path_factory.mktemp("q"), "log.jsonl", lines(*({"query": json.dumps(text)} for text in texts)))
    asked = read_queries(path)
    assert sum(one.weight for one in asked.queries) + len(asked.rejects) == len(texts)
    assert len({folded(one.query) for one in asked.queries}) == len(asked.queries)
