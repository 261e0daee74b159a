"""Uploads through the clients of other tools: MLflow and Phoenix to their own servers, Langfuse to its API as its client has it."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ragset.llm.ask import ask
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import AnswerVerdict
from ragset.llm.tracing import about
from ragset.llm.tracing.export import send_spans
from ragset.models import Golden
from tests.clients import client_of
from tests.compat.environments import environment, read_back
from tests.compat.langfuse_server import KEYS, LangfuseServer
from tests.export_sample import SAMPLE, write_sample
from tests.fake_openai import fake_openai
from tests.otlp_receiver import tracing

pytestmark = pytest.mark.compat


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def served(command: list[object], address: str, log: Path, **variables: str) -> Iterator[str]:
    """The address, as soon as a server answers there."""
    with log.open("wb") as out:
        server = subprocess.Popen(
            [*map(str, command)],
            stdout=out,
            stderr=out,
            cwd=log.parent,
            env={**os.environ, **variables},
            start_new_session=True,
        )
        try:
            for _ in range(600):
                try:
                    urllib.request.urlopen(address, timeout=5).close()
                    break
                except OSError:
                    assert server.poll() is None, log.read_text()[-3000:]
                    time.sleep(0.2)
            yield address
        finally:
            os.killpg(server.pid, signal.SIGKILL)  # with the workers that it started
            server.wait()


def evidence(golden: Golden) -> int:
    return sum(span.end - span.start for span in golden.evidence)


def test_mlflow(tmp_path: Path) -> None:
    dataset, port = write_sample(tmp_path), free_port()
    mlflow = environment("mlflow") / "bin" / "mlflow"
    command = [mlflow, "server", "--backend-store-uri", f"sqlite:///{tmp_path}/m.db", "--port", port, "--workers", 1]
    with served(command, f"http://127.0.0.1:{port}", tmp_path / "log") as address:
        read = read_back("mlflow", dataset, "drinks", MLFLOW_TRACKING_URI=address)
    # A record for each query, though it was uploaded twice; the last golden repeats the query of the first.
    found = {one["tags"]["id"]: one for one in read["records"]}
    assert sorted(found) == sorted(golden.id for golden in SAMPLE[:4])
    assert read["lost"]["queries that another golden asks too"] == 1
    for golden in SAMPLE[:4]:
        one = found[golden.id]
        assert one["inputs"] == {"query": golden.query}
        assert one["expectations"].get("expected_response") == golden.answer
        assert sum(map(len, one["expectations"]["contexts"])) == evidence(golden)
        assert (one["tags"]["split"], one["tags"]["kind"]) == (golden.split, golden.kind)
    assert json.loads(found[SAMPLE[1].id]["tags"]["grades"]) == [2, 1]
    assert read["tags"]["made_by"] == "ragset"


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of Phoenix's own server, whose environment is its own: it wants a newer SQLAlchemy than Prefect."""
    folder, port = tmp_path_factory.mktemp("phoenix"), free_port()
    variables = {
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(free_port()),
        "PHOENIX_WORKING_DIR": str(folder),
    }
    command = [environment("phoenix_server") / "bin" / "phoenix", "serve"]
    address = f"http://127.0.0.1:{port}"
    with served(command, address, folder / "log", **variables, PHOENIX_TELEMETRY_ENABLED="false"):
        yield address


def phoenix_spans(address: str, wanted: int) -> list[Any]:
    """All spans that Phoenix has, as soon as there are so many: it writes them a little later."""
    node = "name spanKind tokenCountTotal spanId parentId attributes"
    query = f"{{projects{{edges{{node{{spans(first:9){{edges{{node{{{node}}}}}}}}}}}}}}}"
    body = json.dumps({"query": query}).encode()
    found: list[Any] = []
    for _ in range(50):
        request = urllib.request.Request(f"{address}/graphql", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as reply:
            projects = json.load(reply)["data"]["projects"]["edges"]
        found = [edge["node"] for project in projects for edge in project["node"]["spans"]["edges"]]
        if len(found) == wanted:
            break
        time.sleep(0.1)
    return found


async def test_phoenix_shows_what_a_judgement_asked_and_took(phoenix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"query": "How hot?", "reference": "Up to 80 °C.", "answer": "Not too hot."}
    with fake_openai() as fake, tracing(monkeypatch, phoenix):
        async with client_of(fake) as client:
            with about("How hot?", golden="g-1"):
                await ask(client, load_prompt("judge_answer"), AnswerVerdict, asked, stage="judge_answer")
        send_spans()
    found = phoenix_spans(phoenix, 2)
    (call,) = (one for one in found if one["spanKind"] == "llm")
    (judged,) = (one for one in found if one["spanKind"] == "evaluator")
    assert call["parentId"] == judged["spanId"]
    assert (call["name"], judged["name"]) == ("chat test-model", "judge_answer")
    assert call["tokenCountTotal"] > 0
    assert json.loads(call["attributes"])["ragset"]["golden"]["id"] == "g-1"
    assert "correctness" in json.loads(judged["attributes"])["output"]["value"]
    assert "80 °C" not in json.dumps(found, ensure_ascii=False)


def test_phoenix(tmp_path: Path, phoenix: str) -> None:
    dataset = write_sample(tmp_path)
    read = read_back("phoenix", dataset, "drinks", PHOENIX_COLLECTOR_ENDPOINT=phoenix)
    assert [one["id"] for one in read["examples"]] == [golden.id for golden in SAMPLE]
    assert [one["input"] for one in read["examples"]] == [{"query": golden.query} for golden in SAMPLE]
    assert [one["output"]["answer"] for one in read["examples"]] == [golden.answer for golden in SAMPLE]
    assert [sum(map(len, one["output"]["contexts"])) for one in read["examples"]] == [*map(evidence, SAMPLE)]
    assert [one["metadata"]["kind"] for one in read["examples"]] == [golden.kind for golden in SAMPLE]
    assert read["train"] == 1
    assert read["lost"] == {"documents": 3}


def test_langfuse(tmp_path: Path) -> None:
    dataset, server = write_sample(tmp_path), LangfuseServer(busy=3)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    try:
        read = read_back("langfuse", dataset, "drinks", LANGFUSE_BASE_URL=address, **KEYS)
    finally:
        server.shutdown()
        server.server_close()
    items = {one["metadata"]["id"]: one for one in read["items"]}
    assert len(read["items"]) == len(SAMPLE)
    for golden in SAMPLE:
        one = items[golden.id]
        assert one["id"] == f"drinks-v1-{golden.id}"
        assert (one["input"], one["expected_output"]["answer"]) == ({"query": golden.query}, golden.answer)
        assert sum(map(len, one["expected_output"]["contexts"])) == evidence(golden)
        assert one["metadata"]["split"] == golden.split
    assert "5 goldens" in read["description"]
