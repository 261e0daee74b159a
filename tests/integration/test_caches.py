"""What a second run takes from the first: real processes, real Prefect, real Milvus Lite, HTTP on loopback."""

import json
import shutil
import socket
import time
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest

from ragset.evaluation.results.folder import read_results
from ragset.models import Document
from tests.fake_openai import Fake, fake_openai
from tests.integration.conftest import ROOT, Command, asked, url
from tests.integration.milvus import free_port, served
from tests.integration.prefect import ask_prefect
from tests.small_dataset import corpus_of, golden_of, write_small

pytestmark = pytest.mark.slow

GRID = """
grid:
  chunking: [{strategy: sentence, size: 16}]
  retrieval: [bm25]
  reranker: ["llm:ranking-model"]
  reader: [{model: reader-model}]
"""


SENTENCES = (
    "Green tea turns bitter above a heat of eighty degrees.",
    "Black tea wants boiling water and takes it very well.",
    "A cup of either cools to a drinkable heat in minutes.",
)
TEA = Document.of(" ".join(SENTENCES), source="tea.md", title="Tea")
QUERY = "At which heat does green tea turn bitter?"


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """One golden, whose evidence is the first of three sentences; each is a chunk."""
    folder = tmp_path / "dataset"
    golden = golden_of(QUERY, "Above eighty degrees.", document=TEA, evidence=((0, len(SENTENCES[0])),))
    write_small(folder, corpus_of(tmp_path / "given", TEA), [golden])
    return folder


def config(tmp_path: Path, text: str) -> Path:
    place = tmp_path / "config.yaml"
    place.write_text(text)
    return place


def states(command: Command, name: str) -> set[str]:
    """How those of the last run's tasks ended whose name begins so, such as Completed or Cached."""
    api = command.env["PREFECT_API_URL"]
    runs = ask_prefect(api, "flow_runs/filter", {"sort": "START_TIME_DESC", "limit": 1})
    query = {"flow_runs": {"id": {"any_": [runs[0]["id"]]}}}
    tasks = ask_prefect(api, "task_runs/filter", query)
    return {task["state_name"] for task in tasks if task["name"].startswith(name)}


def scores(folder: Path) -> dict[str, float | None]:
    return {row.metric: row.mean for row in read_results(folder).benchmark.standings}


def test_another_server_is_asked_though_its_models_have_the_same_names(
    command: Command, fake: Fake, dataset: Path, tmp_path: Path
) -> None:
    grid = config(tmp_path, GRID)
    arguments = ["benchmark", str(dataset), "--config", str(grid), "--critic", "critic-model", "--out"]
    assert command.run(*arguments, str(tmp_path / "a"), **url(fake)).code == 0
    with fake_openai(seed=1) as other:
        ended = command.run(*arguments, str(tmp_path / "b"), **url(other))
        assert ended.code == 0, ended.err
        models = {entry["model"] for entry in other.log() if entry["reply"] != "Ready"}
        assert len(asked(other)) == len(asked(fake))
    assert models == {"ranking-model", "reader-model", "critic-model"}


def test_evidence_corrected_by_hand_gives_new_scores(command: Command, dataset: Path, tmp_path: Path) -> None:
    grid = config(tmp_path, "grid: {chunking: [{strategy: sentence, size: 16}], retrieval: [bm25]}")
    arguments = ["benchmark", str(dataset), "--config", str(grid), "--out"]
    assert command.run(*arguments, str(tmp_path / "before")).code == 0
    found = scores(tmp_path / "before")["hit_rate@1"]
    goldens = dataset / "goldens.jsonl"
    golden = json.loads(goldens.read_text())
    third = TEA.text.index(SENTENCES[2])
    golden["evidence"] = [{**golden["evidence"][0], "start": third, "end": third + len(SENTENCES[2])}]
    goldens.write_text(json.dumps(golden) + "\n")
    ended = command.run(*arguments, str(tmp_path / "after"))
    assert ended.code == 0, ended.err
    assert (found, scores(tmp_path / "after")["hit_rate@1"]) == (1.0, 0.0)
    # what was retrieved is the same
    assert states(command, "retrieve") == {"Cached"}


def test_scores_of_somebody_elses_system_are_kept(command: Command, dataset: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs.jsonl"
    runs.write_text(json.dumps({"query": QUERY, "passages": [SENTENCES[0]]}))
    given = config(tmp_path, f"grid: null\nsystems: [{{name: theirs, runs: {runs}}}]\n")
    arguments = ["benchmark", str(dataset), "--config", str(given), "--out", str(tmp_path / "out")]
    for state in ("Completed", "Cached"):
        ended = command.run(*arguments)
        assert ended.code == 0, ended.err
        assert states(command, "score") == {state}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the code that commands are made of."""
    folder = tmp_path / "checkout"
    for name in ("ragset", "tasks", "flows", "prompts"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


@pytest.mark.service
def test_a_change_of_the_code_makes_results_anew_and_embeds_nothing_again(
    command: Command, fake: Fake, dataset: Path, checkout: Path, tmp_path: Path
) -> None:
    grid = GRID.replace("bm25", "dense").replace("grid:", "grid:\n  embedding: [{model: embedding-model}]")
    given = config(tmp_path, grid.replace("reader-model", "offline"))
    arguments = ["benchmark", str(dataset), "--config", str(given), "--out"]

    def measured(name: str) -> dict[str, float | None]:
        ended = command.run(*arguments, str(tmp_path / name), cwd=checkout, real=True, **url(fake))
        assert ended.code == 0, ended.err
        return scores(tmp_path / name)

    def all_states() -> set[str]:
        cached = ("retrieve", "rerank", "read", "score")
        return set.union(*(states(command, f"{name} sentence-16") for name in cached))

    def requests() -> list[Any]:
        return [entry["path"] for entry in fake.log() if entry["reply"] != "Ready"]

    first = measured("first")
    assert first["attempted"] == 1.0
    made = requests()
    rule = checkout / "ragset" / "evaluation" / "metrics" / "builtin.py"
    text = rule.read_text()
    assert "return float(bool(answer))" in text
    rule.write_text(text.replace("return float(bool(answer))", "return 0.25"))
    assert measured("changed") == {**first, "attempted": 0.25}
    assert all_states() == {"Completed"}
    # another rendering of a prompt is another question
    renderer = checkout / "ragset" / "llm" / "ask.py"
    renderer.write_text(renderer.read_text() + "\n# rendered otherwise\n")
    measured("rendered")
    assert all_states() == {"Completed"}
    # the journal and the index have what was paid for
    assert requests() == made


class Theirs(BaseHTTPRequestHandler):
    """Somebody else's system, which counts how often each of its addresses was asked."""

    asked: ClassVar[Counter[str]] = Counter()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        Theirs.asked[self.path] += 1
        busy = self.path == "/busy" and Theirs.asked[self.path] <= 4
        self.send_response(503 if busy else 200)
        self.end_headers()
        self.wfile.write(json.dumps({"passages": [SENTENCES[0]]}).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        del format, args


@pytest.fixture
def theirs() -> Generator[str]:
    Theirs.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Theirs)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_system_is_asked_in_every_run_unless_its_replies_may_be_reused(
    command: Command, theirs: str, dataset: Path, tmp_path: Path
) -> None:
    systems = [
        {"name": name, "http": f"{theirs}/{name}", "reuse_minutes": minutes}
        for name, minutes in (("always", 0), ("expired", 0.01), ("reused", 60))
    ]
    # whoever was too busy in all tries of the first call is asked once more by the task
    systems.append({"name": "busy", "http": f"{theirs}/busy", "reuse_minutes": 60})
    given = config(tmp_path, json.dumps({"grid": None, "systems": systems}))
    for _ in range(2):
        ended = command.run("benchmark", str(dataset), "--config", str(given), "--out", str(tmp_path / "out"))
        assert ended.code == 0, ended.err
    assert Theirs.asked == {"/always": 2, "/expired": 2, "/reused": 1, "/busy": 5}
    assert read_results(tmp_path / "out").benchmark.primary


@pytest.fixture
def milvus(tmp_path: Path) -> Generator[int]:
    """The port of a Milvus server."""
    with served(tmp_path / "m.db") as port:
        yield port


def forward(port: int, to: int) -> socket.socket:
    """Let `port` be that of the server at the port `to`, until what is returned is closed."""
    listening = socket.create_server(("127.0.0.1", port))

    def pump(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(65_536):
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                server = socket.create_connection(("127.0.0.1", to))
                for pair in ((client, server), (server, client)):
                    Thread(target=pump, args=pair, daemon=True).start()

    Thread(target=accept, daemon=True).start()
    return listening


def test_a_milvus_that_is_away_for_a_moment_ends_no_run(
    command: Command, milvus: int, dataset: Path, tmp_path: Path
) -> None:
    grid = config(tmp_path, "grid: {chunking: [{strategy: sentence, size: 16}], retrieval: [bm25]}")
    port = free_port()
    arguments = ["benchmark", str(dataset), "--config", str(grid), "--out", str(tmp_path / "out")]
    process = command.start(*arguments, MILVUS_URI=f"http://127.0.0.1:{port}")
    query = {"task_runs": {"name": {"like_": "index"}, "state": {"name": {"any_": ["AwaitingRetry"]}}}}
    while process.poll() is None:
        if ask_prefect(command.env["PREFECT_API_URL"], "task_runs/filter", query):
            break
        time.sleep(0.1)
    listening = forward(port, milvus)
    out, err = process.communicate(timeout=400)
    listening.close()
    assert process.returncode == 0, err
    assert scores(tmp_path / "out")["hit_rate@1"] == 1.0, out
