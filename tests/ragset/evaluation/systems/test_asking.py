"""Other systems, asked by real HTTP and as functions."""

import json
import threading
import time
from collections.abc import Generator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import ValidationError

from ragset.documents.corpus import Corpus
from ragset.errors import InputError, ProviderError
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.systems import ask_system
from ragset.models import Document
from ragset.retrieval.fusion import Hit
from tests.small_dataset import TEA, corpus_of, golden_of, in_conversation

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
        seconds: ClassVar[float] = 0
        """Before each reply."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            type(self).asked.append(json.loads(body))
            time.sleep(type(self).seconds)
            reply = type(self).said if isinstance(type(self).said, bytes) else json.dumps(type(self).said).encode()
            self.send_response(type(self).statuses.pop(0) if type(self).statuses else 200)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            with suppress(BrokenPipeError):  # whoever asked may be gone
                self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    Handler.asked, Handler.statuses, Handler.seconds = [], [], 0
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
    lost, hit = found.hits[GOLDEN.id]
    assert lost.id.startswith("unaligned-")
    assert hit.id == f"{TEA.id}:0-35"
    assert (found.external.passages, found.external.unaligned, found.external.unaligned_queries) == (2, 1, 1)
    [example] = found.external.examples
    assert (example.golden, example.text) == (GOLDEN.id, "nowhere in the corpus, this one")
    assert found.texts[hit.id] == FIRST


def test_an_address_is_sent_what_was_said_before_where_the_benchmark_says_so(replying: Any, corpus: Corpus) -> None:
    replying.said = {"passages": []}
    said, long = in_conversation(GOLDEN), golden_of("How long?", evidence=((36, 61),))
    ask_system(system(http=replying.url, max_concurrency=1), [said, long], corpus, form="history")
    ask_system(system(http=replying.url, max_concurrency=1), [said], corpus, form="question")
    history = [
        {"role": "user", "content": "How long is green tea steeped?"},
        {"role": "assistant", "content": "Two minutes."},
    ]
    assert replying.asked == [
        {"query": "And how hot?", "history": history},
        {"query": "How long?"},
        {"query": "And how hot?"},
    ]


@pytest.mark.parametrize("said", [b"no json", [1], {"passages": 3}, {"passages": [{"no": "text"}]}])
def test_a_reply_of_another_form_is_an_error_that_says_which(replying: Any, corpus: Corpus, said: Any) -> None:
    replying.said = said
    with pytest.raises(ProviderError, match="theirs"):
        ask_system(system(http=replying.url), [GOLDEN], corpus)


def test_an_address_that_does_not_answer_is_an_error(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragset.evaluation.systems.asking._PAUSE", 0.001)
    with pytest.raises(ProviderError, match=r"127\.0\.0\.1:9/ cannot be asked"):
        ask_system(system(http="http://127.0.0.1:9/"), [GOLDEN], corpus)
    with pytest.raises(InputError, match="must be an address"):
        ask_system(system(http="localhost:9"), [GOLDEN], corpus)


@pytest.mark.parametrize("statuses", [[500], [503, 502, 429]])
def test_a_fault_that_passes_is_asked_over(
    replying: Any, corpus: Corpus, statuses: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragset.evaluation.systems.asking._PAUSE", 0.001)
    replying.said, replying.statuses = {"passages": [FIRST]}, [*statuses]
    assert ask_system(system(http=replying.url), [GOLDEN], corpus).hits[GOLDEN.id]
    assert len(replying.asked) == len(statuses) + 1


@pytest.mark.parametrize(("status", "asked"), [(500, 4), (404, 1), (401, 1), (501, 1)])
def test_a_fault_that_stays_ends_after_a_few_tries_and_one_of_ours_at_once(
    replying: Any, corpus: Corpus, status: int, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragset.evaluation.systems.asking._PAUSE", 0.001)
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
        ask_system(system(python=f"tests.ragset.evaluation.systems.test_asking:{name}"), [GOLDEN], corpus)
    line = str(caught.value)
    assert line.startswith("system theirs: failed on 1 of 1 queries, more than max_failures (0.1) allows: on query")
    assert f"python 'tests.ragset.evaluation.systems.test_asking:{name}' failed" in line
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
    found = ask_system(system(python="tests.ragset.evaluation.systems.test_asking:answer"), [GOLDEN], corpus)
    assert found.hits[GOLDEN.id][0] == Hit(f"{TEA.id}:0-{len(TEA.text)}", 2.0)
    assert found.answers == {}


@pytest.mark.parametrize(
    "name",
    [
        "nowhere:answer",
        "tests.ragset.evaluation.systems.test_asking:nothing",
        "json",
        "tests.ragset.external.test_asking:FIRST",
    ],
)
def test_a_function_that_is_not_there_is_an_error(name: str, corpus: Corpus) -> None:
    with pytest.raises(InputError, match="python:"):
        ask_system(system(python=name), [GOLDEN], corpus)


def test_exactly_one_way_to_ask_is_given() -> None:
    for fields in ({}, {"http": "http://a/", "runs": "b.trec"}):
        with pytest.raises(ValidationError, match="exactly one of http, python"):
            system(**fields)


MANY = [golden_of(f"How hot may tea number {number} be?") for number in range(20)]


def sometimes(query: str) -> dict[str, Any]:
    number = int(query.split()[5])
    if number < 2:
        raise RuntimeError(f"shard {number} is down")
    return {"passages": [FIRST]}


def test_a_failing_query_counts_nothing_and_is_named(corpus: Corpus) -> None:
    found = ask_system(system(python="tests.ragset.evaluation.systems.test_asking:sometimes"), MANY, corpus)
    # 2 of 20 are the 10 % that may fail
    assert [(one.golden, one.query) for one in found.external.failed] == [(one.id, one.query) for one in MANY[:2]]
    assert "RuntimeError: shard 0 is down" in found.external.failed[0].reason
    assert (found.external.queries, found.external.answered) == (20, 18)
    assert set(found.hits) == {one.id for one in MANY[2:]}
    assert any("failed on 2 of 20 queries" in notice for notice in found.external.notices)


@pytest.mark.parametrize("most", [0.09, 1, 0])
def test_more_failing_queries_than_the_limit_end_the_run_with_the_first_quoted(corpus: Corpus, most: float) -> None:
    with pytest.raises(
        ProviderError, match=rf"more than max_failures \({most:g}\) allows: on query .*shard [01] is down"
    ):
        ask_system(
            system(python="tests.ragset.evaluation.systems.test_asking:sometimes", max_failures=most), MANY, corpus
        )


@pytest.mark.parametrize("said", [b"no json", [1], {"passages": [3]}])
def test_a_malformed_reply_within_the_limit_is_a_failed_query(replying: Any, corpus: Corpus, said: Any) -> None:
    replying.said = said
    found = ask_system(system(http=replying.url, max_failures=1), [GOLDEN], corpus)
    assert [one.golden for one in found.external.failed] == [GOLDEN.id]
    assert found.hits == {}


def test_a_slow_reply_is_a_failed_query(replying: Any, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ragset.evaluation.systems.asking._PAUSE", 0.001)
    replying.seconds = 0.5
    found = ask_system(system(http=replying.url, max_failures=1, timeout=0.05), [GOLDEN], corpus)
    assert "timed out" in found.external.failed[0].reason


def slow_first(query: str) -> dict[str, Any]:
    time.sleep(0.2 if query == GOLDEN.query else 0.0)
    return {"passages": [FIRST]}


def test_the_run_is_in_the_order_of_the_goldens_whoever_is_answered_first(corpus: Corpus) -> None:
    other = golden_of("How long is it steeped?")
    found = ask_system(system(python=f"{__name__}:slow_first"), [GOLDEN, other], corpus)
    assert list(found.hits) == [GOLDEN.id, other.id]


def test_a_module_that_is_not_found_is_to_be_named_in_pythonpath(corpus: Corpus) -> None:
    with pytest.raises(InputError, match=r"no module nowhere on the path of Python; .* PYTHONPATH"):
        ask_system(system(python="nowhere:answer"), [GOLDEN], corpus)
