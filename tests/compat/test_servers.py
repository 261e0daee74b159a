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

import pytest

from ragset.models import Golden
from tests.compat.environments import environment, read_back
from tests.compat.langfuse_server import KEYS, LangfuseServer
from tests.export_sample import SAMPLE, write_sample

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


def test_phoenix(tmp_path: Path) -> None:
    dataset, port = write_sample(tmp_path), free_port()
    variables = {
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(free_port()),
        "PHOENIX_WORKING_DIR": str(tmp_path),
    }
    command = [environment("phoenix") / "bin" / "phoenix", "serve"]
    address = f"http://127.0.0.1:{port}"
    with served(command, address, tmp_path / "log", **variables, PHOENIX_TELEMETRY_ENABLED="false"):
        read = read_back("phoenix", dataset, "drinks", PHOENIX_COLLECTOR_ENDPOINT=address)
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
