"""Files of runs and of chunks."""

import json
from pathlib import Path

import pytest

from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.systems import ask_system
from ragset.models import Document
from ragset.retrieval.fusion import Hit
from tests.small_dataset import TEA, corpus_of, golden_of

GOLDEN = golden_of()
OTHER = golden_of("For how long is tea steeped?", evidence=((36, 61),))
FIRST = TEA.text[:35]


def system(**fields: object) -> ExternalSystem:
    return ExternalSystem.model_validate({"name": "theirs", **fields})


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path / "corpus", TEA, Document.of("Water boils at 100 °C at sea level.", source="b.md"))


def test_a_trec_file_is_read_by_rank(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "run.trec"
    path.write_text(
        f"{GOLDEN.id} Q0 {TEA.id}:35-61 2 0.5 x\n{GOLDEN.id} Q0 {TEA.id}:0-35 1 0.9 x\nother Q0 d:0-1 1 1 x\n"
    )
    found = ask_system(system(runs=str(path)), [GOLDEN], corpus)
    assert found.hits == {GOLDEN.id: (Hit(f"{TEA.id}:0-35", 0.9), Hit(f"{TEA.id}:35-61", 0.5))}
    path.write_text("one two\n")
    with pytest.raises(InputError, match="line 1 is not"):
        ask_system(system(runs=str(path)), [GOLDEN], corpus)
    path.write_text("nobody Q0 d:0-1 1 1 x\n")
    with pytest.raises(InputError, match="covers none of the 1 goldens"):
        ask_system(system(runs=str(path)), [GOLDEN], corpus)


def test_json_lines_go_by_query_or_id(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"query": GOLDEN.query, "answer": "80", "passages": [FIRST]}) + "\n\n")
    found = ask_system(system(runs=str(path)), [GOLDEN], corpus)
    assert found.hits[GOLDEN.id][0].id == f"{TEA.id}:0-35"
    assert found.answers == {GOLDEN.id: "80"}
    path.write_text('{"query": "something else", "passages": []}\n')
    with pytest.raises(InputError, match="covers none of the 1 goldens"):
        ask_system(system(runs=str(path)), [GOLDEN], corpus)


def test_a_line_nested_thousands_of_levels_deep_is_named(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("\n" + '{"a": ' * 5_000 + "\n")
    with pytest.raises(InputError, match=r"run\.jsonl: line 2: "):
        ask_system(system(runs=str(path)), [GOLDEN], corpus)


def asked(path: Path, corpus: Corpus, *lines: object, **fields: object) -> RetrievalResult:
    path.write_text("\n".join(map(json.dumps, lines)))
    return ask_system(system(runs=str(path), **fields), [GOLDEN, OTHER], corpus)


def test_a_file_that_lacks_goldens_says_so_and_names_what_no_golden_has(tmp_path: Path, corpus: Corpus) -> None:
    found = asked(
        tmp_path / "run.jsonl", corpus, {"id": GOLDEN.id, "passages": [FIRST]}, {"id": "g-gone", "passages": []}
    )
    assert (found.external.queries, found.external.answered) == (2, 1)
    assert (found.external.unknown, found.external.unknown_count) == (("g-gone",), 1)
    covers, unknown = found.external.notices
    assert covers.startswith("covers 1 of 2 goldens: the other 1 count 0 at worst and 1 at best")
    assert unknown == "1 of its queries are of no golden: g-gone"


def test_a_query_that_two_goldens_ask_is_answered_for_both(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"query": GOLDEN.query, "passages": [FIRST]}))
    twin = golden_of(evidence=((36, 61),))
    assert set(ask_system(system(runs=str(path)), [GOLDEN, twin], corpus).hits) == {GOLDEN.id, twin.id}


CHUNKS = (
    {"id": "7", "text": "Green tea turns bitter above 80 °C."},
    {"id": 8, "document": "tea.md", "start": 36, "end": 61},
)


def test_ids_of_its_own_chunks_stand_for_what_the_file_of_chunks_says(tmp_path: Path, corpus: Corpus) -> None:
    chunks = tmp_path / "chunks.jsonl"
    chunks.write_text("\n".join(map(json.dumps, CHUNKS)))
    line = {"id": GOLDEN.id, "passages": [{"id": "8"}, {"id": 7}, {"id": "9"}]}
    found = asked(tmp_path / "run.jsonl", corpus, line, chunks=str(chunks))
    ids = [hit.id for hit in found.hits[GOLDEN.id]]
    assert ids[:2] == [f"{TEA.id}:36-61", f"{TEA.id}:0-35"]
    assert [one.reason for one in found.external.examples] == ["the file of chunks has no id '9'"]
    trec = tmp_path / "run.trec"
    trec.write_text(f"{GOLDEN.id} Q0 7 1 0.5 x\n{GOLDEN.id} Q0 8 2 0.4 x\n")
    found = ask_system(system(runs=str(trec), chunks=str(chunks)), [GOLDEN], corpus)
    assert [hit.id for hit in found.hits[GOLDEN.id]] == [f"{TEA.id}:0-35", f"{TEA.id}:36-61"]


@pytest.mark.parametrize("line", ["7", '{"text": "no id"}', '{"id": "7"}', "{"])
def test_a_line_of_chunks_of_another_form_is_an_error_that_names_it(tmp_path: Path, corpus: Corpus, line: str) -> None:
    chunks = tmp_path / "chunks.jsonl"
    chunks.write_text(line)
    with pytest.raises(InputError, match=r"chunks\.jsonl: line 1: "):
        asked(tmp_path / "run.jsonl", corpus, {"id": GOLDEN.id, "passages": []}, chunks=str(chunks))
