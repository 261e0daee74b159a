"""Somebody else's system, by real HTTP, as a function, and as files."""

import json
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import ValidationError

from ragset.corpus import Corpus
from ragset.errors import InputError, ProviderError
from ragset.external import ask_system
from ragset.fusion import Hit
from ragset.grid import ExternalSystem
from ragset.models import Document
from tests.small_dataset import TEA, corpus_of, golden_of

GOLDEN = golden_of()
FIRST = TEA.text[:35]


def system(**fields: object) -> ExternalSystem:
    return ExternalSystem.model_validate({"name": "theirs", **fields})


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path / "corpus", TEA, Document.of("Water boils at 100 °C at sea level.", source="b.md"))


@pytest.fixture
def replying() -> Generator[Any]:
    """A server on loopback that answers every query with `said`."""

    class Handler(BaseHTTPRequestHandler):
        said: ClassVar[Any] = {}
        statuses: ClassVar[list[int]] = []
        """Of the next replies; 200 after them."""
        asked: ClassVar[list[Any]] = []

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            type(self).asked.append(json.loads(body))
            reply = type(self).said if isinstance(type(self).said, bytes) else json.dumps(type(self).said).encode()
            self.send_response(type(self).statuses.pop(0) if type(self).statuses else 200)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    Handler.asked, Handler.statuses = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    Handler.url = f"http://127.0.0.1:{server.server_address[1]}/"  # type: ignore[attr-defined]
    yield Handler
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_address_is_asked_and_its_passages_are_found_again(replying: Any, corpus: Corpus) -> None:
    replying.said = {
        "answer": "80 °C",
        "passages": [{"text": "nowhere in the corpus, this one", "score": 0.9}, {"text": FIRST}],
    }
    found = ask_system(system(http=replying.url), [GOLDEN], corpus)
    assert replying.asked == [{"query": GOLDEN.query}]
    assert found.answers == {GOLDEN.id: "80 °C"}
    lost, hit = found.run[GOLDEN.id]
    assert lost.id.startswith("unaligned-")
    assert hit.id == f"{TEA.id}:0-35"
    assert found.unaligned == 1


@pytest.mark.parametrize("said", [b"no json", [1], {"passages": 3}, {"passages": [{"no": "text"}]}])
def test_a_reply_of_another_form_is_an_error_that_says_which(replying: Any, corpus: Corpus, said: Any) -> None:
    replying.said = said
    with pytest.raises(ProviderError, match="theirs"):
        ask_system(system(http=replying.url), [GOLDEN], corpus)


def test_an_address_that_does_not_answer_is_an_error(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragset.external._PAUSE", 0.001)
    with pytest.raises(ProviderError, match=r"127\.0\.0\.1:9/ cannot be asked"):
        ask_system(system(http="http://127.0.0.1:9/"), [GOLDEN], corpus)
    with pytest.raises(InputError, match="must be an address"):
        ask_system(system(http="localhost:9"), [GOLDEN], corpus)


@pytest.mark.parametrize("statuses", [[500], [503, 502, 429]])
def test_a_fault_that_passes_is_asked_over(
    replying: Any, corpus: Corpus, statuses: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragset.external._PAUSE", 0.001)
    replying.said, replying.statuses = {"passages": [FIRST]}, [*statuses]
    assert ask_system(system(http=replying.url), [GOLDEN], corpus).run[GOLDEN.id]
    assert len(replying.asked) == len(statuses) + 1


@pytest.mark.parametrize(("status", "asked"), [(500, 4), (404, 1), (401, 1), (501, 1)])
def test_a_fault_that_stays_ends_after_a_few_tries_and_one_of_ours_at_once(
    replying: Any, corpus: Corpus, status: int, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragset.external._PAUSE", 0.001)
    replying.statuses = [status] * 100
    with pytest.raises(ProviderError, match=rf"theirs: .*cannot be asked.*status {status}"):
        ask_system(system(http=replying.url), [GOLDEN], corpus)
    assert len(replying.asked) == asked


def down(query: str) -> dict[str, Any]:
    raise RuntimeError("backend down")


def unready(query: str) -> dict[str, Any]:
    raise KeyError(query)


def silent(query: str) -> dict[str, Any]:
    raise AssertionError


def leaving(query: str) -> dict[str, Any]:
    raise SystemExit(3)


def wordy(query: str) -> dict[str, Any]:
    raise ValueError("first line\nsecond line " + "and so on " * 100)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("down", "RuntimeError: backend down"),
        ("unready", "KeyError: "),
        ("silent", "AssertionError"),
        ("leaving", "SystemExit: 3"),
        ("wordy", "ValueError: first line second line and so on"),
    ],
)
def test_a_function_that_fails_is_one_line_that_names_the_query(corpus: Corpus, name: str, said: str) -> None:
    with pytest.raises(ProviderError) as caught:
        ask_system(system(python=f"tests.ragset.test_external:{name}"), [GOLDEN], corpus)
    line = str(caught.value)
    assert line.startswith(f"system theirs: python 'tests.ragset.test_external:{name}' failed on query")
    assert GOLDEN.query[:40] in line
    assert said in line
    assert "\n" not in line
    assert len(line) < 600


@pytest.mark.parametrize("text", ["raise RuntimeError('no model file')", "import sys; sys.exit('no model file')"])
def test_a_module_that_fails_when_it_is_imported_is_an_error(
    corpus: Corpus, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_system.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=r"broken_system fails .*no model file"):
        ask_system(system(python="broken_system:answer"), [GOLDEN], corpus)


def answer(query: str) -> dict[str, Any]:
    return {"answer": None, "passages": [TEA.text, query]}


def test_a_function_is_called(corpus: Corpus) -> None:
    found = ask_system(system(python="tests.ragset.test_external:answer"), [GOLDEN], corpus)
    assert found.run[GOLDEN.id][0] == Hit(f"{TEA.id}:0-{len(TEA.text)}", 2.0)
    assert found.answers == {}


@pytest.mark.parametrize(
    "name", ["nowhere:answer", "tests.ragset.test_external:nothing", "json", "tests.ragset.test_external:FIRST"]
)
def test_a_function_that_is_not_there_is_an_error(name: str, corpus: Corpus) -> None:
    with pytest.raises(InputError, match="python:"):
        ask_system(system(python=name), [GOLDEN], corpus)


def test_a_trec_file_is_read_by_rank(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "run.trec"
    path.write_text(
        f"{GOLDEN.id} Q0 {TEA.id}:35-61 2 0.5 x\n{GOLDEN.id} Q0 {TEA.id}:0-35 1 0.9 x\nother Q0 d:0-1 1 1 x\n"
    )
    found = ask_system(system(runs=str(path)), [GOLDEN], corpus)
    assert found.run == {GOLDEN.id: [Hit(f"{TEA.id}:0-35", 0.9), Hit(f"{TEA.id}:35-61", 0.5)]}
    path.write_text("one two\n")
    with pytest.raises(InputError, match="line 1 is not"):
        ask_system(system(runs=str(path)), [GOLDEN], corpus)
    path.write_text("nobody Q0 d:0-1 1 1 x\n")
    with pytest.raises(InputError, match="none of its query ids"):
        ask_system(system(runs=str(path)), [GOLDEN], corpus)


def test_json_lines_go_by_query_or_id(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"query": GOLDEN.query, "answer": "80", "passages": [FIRST]}) + "\n\n")
    found = ask_system(system(runs=str(path)), [GOLDEN], corpus)
    assert found.run[GOLDEN.id][0].id == f"{TEA.id}:0-35"
    assert found.answers == {GOLDEN.id: "80"}
    path.write_text('{"query": "something else", "passages": []}\n')
    with pytest.raises(InputError, match="no line has"):
        ask_system(system(runs=str(path)), [GOLDEN], corpus)


def test_a_line_nested_thousands_of_levels_deep_is_named(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("\n" + '{"a": ' * 5_000 + "\n")
    with pytest.raises(InputError, match=r"run\.jsonl: line 2: "):
        ask_system(system(runs=str(path)), [GOLDEN], corpus)


def test_exactly_one_way_to_ask_is_given() -> None:
    for fields in ({}, {"http": "http://a/", "runs": "b.trec"}):
        with pytest.raises(ValidationError, match="exactly one of http, python, runs"):
            system(**fields)
