"""What a run of the service shows when it goes wrong, and what it never shows."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ragset.dataset import read_dataset
from tests.fake_openai import Fake
from tests.integration.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("service")]

KEY = "sk-planted-4f1c9e72b8"
ERROR = 40


def first_error(service: Service, run: str) -> str:
    """Of its log; the lines reach the server a moment after the run has ended."""
    query = {"logs": {"flow_run_id": {"any_": [run]}, "level": {"ge_": ERROR}}, "sort": "TIMESTAMP_ASC"}
    return service.wait(lambda: service.post("logs/filter", query), 20)[0]["message"]


def test_a_failed_run_says_first_what_is_wrong_and_what_to_do(service: Service) -> None:
    # Prefect's form looks at one field at a time, so this one comes through.
    run = service.ended(service.start("index", chunking={"strategy": "token", "size": 64, "overlap": 64}))
    assert run["state_type"] == "FAILED"
    told = "chunking: overlap (64) must be smaller than size (64)"
    assert first_error(service, run["id"]) == told
    assert told in run["state"]["message"]

    creating = f"{service.api}/deployments/{run['deployment_id']}/create_flow_run"
    refused = httpx.post(creating, json={"parameters": {"chunking": {"size": 5}}})
    assert refused.status_code == 409
    assert "size" in refused.text


@pytest.fixture
def planted(service: Service, fake: Fake) -> Generator[None]:
    """The model server wants a key, and only a Secret block of Prefect holds it."""
    kind = service.get("block_types/slug/secret")["id"]
    (schema,) = service.post("block_schemas/filter", {"block_schemas": {"block_type_id": {"any_": [kind]}}})[:1]
    block = {"name": "openai-api-key", "data": {"value": KEY}, "block_type_id": kind, "block_schema_id": schema["id"]}
    made = service.post("block_documents/", block)
    fake.set(key=KEY)
    yield
    httpx.delete(f"{service.api}/block_documents/{made['id']}").raise_for_status()


def test_a_key_from_a_secret_block_is_used_and_stands_nowhere(
    service: Service, fake: Fake, planted: None, corpus: Path, tmp_path: Path
) -> None:
    parameters: dict[str, Any] = {
        "documents": {"sources": [str(corpus)]},
        "n": 3,
        "generator": {"model": "guarded"},
        "out": str(service.out / "guarded"),
    }
    runs = [service.run("single-chunk", **parameters)["id"]]
    assert len(read_dataset(service.out / "guarded").goldens) == 3

    fake.set(key="another")
    run = service.ended(service.start("single-chunk", **{**parameters, "generator": {"model": "refused"}}))
    assert run["state_type"] == "FAILED"
    assert "set OPENAI_API_KEY" in first_error(service, run["id"])
    runs.append(run["id"])

    places = {path for folder in (service.home, service.out) for path in folder.rglob("*") if path.is_file()}
    assert any(path.suffix == ".db" and "service" in path.parts for path in places)
    assert {path for path in places if KEY.encode() in path.read_bytes()} == set()
    for run_id in runs:
        told = [
            service.get(f"flow_runs/{run_id}"),
            service.post("logs/filter", {"logs": {"flow_run_id": {"any_": [run_id]}}}),
            service.post("artifacts/filter", {"artifacts": {"flow_run_id": {"any_": [run_id]}}}),
            service.post("task_runs/filter", {"flow_runs": {"id": {"any_": [run_id]}}}),
        ]
        assert all(told[:3])
        assert KEY not in repr(told)
