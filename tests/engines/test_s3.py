"""Storage on S3: a real server, over HTTP; each machine is a RAGSET_HOME of its own."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fsspec.core import url_to_fs
from moto.server import ThreadedMotoServer

from ragset.errors import StorageUnavailable
from ragset.storage import local_copy, send_copy
from tests.fake_openai import Fake
from tests.homes import other_home
from tests.integration.conftest import Command, asked, url

pytestmark = [pytest.mark.engines, pytest.mark.xdist_group("s3")]

KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}


@pytest.fixture(scope="module")
def server() -> Generator[str]:
    started = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    yield f"http://{host}:{port}"
    started.stop()


@pytest.fixture
def s3(server: str, monkeypatch: pytest.MonkeyPatch) -> Generator[Any]:
    """The file system of an empty bucket, `bucket`, whose address and keys are in the environment."""
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": server}.items():
        monkeypatch.setenv(name, value)
    httpx.post(f"{server}/moto-api/reset")
    type(url_to_fs("s3://bucket")[0]).clear_instance_cache()
    system = url_to_fs("s3://bucket", use_listings_cache=False)[0]
    system.mkdir("bucket")
    yield system
    httpx.post(f"{server}/moto-api/reset-auth", content="inf")


def test_what_one_machine_makes_on_s3_another_goes_on_with(
    command: Command, fake: Fake, s3: Any, corpus: Path, tmp_path: Path, server: str
) -> None:
    s3.put(f"{corpus}/", "bucket/docs/", recursive=True)
    shared: dict[str, Any] = {**KEYS, **url(fake), "AWS_ENDPOINT_URL": server, "RAGSET_STORAGE": "s3://bucket/ragset"}
    make = ["single-chunk", "s3://bucket/docs", "--chunk-size", "100", "--model", "test-model", "--n", "4"]
    first = command.run(*make, "--out", "s3://bucket/sets/demo", "--json", **shared)
    assert first.code == 0, first.err
    assert first.json["folder"] == "s3://bucket/sets/demo"
    made, calls = s3.cat_file("bucket/sets/demo/current.json"), len(asked(fake))

    # another machine: results of tasks come from the bucket, and the same dataset is there already
    other = command.beside(tmp_path / "other")
    again = other.run(*make, "--out", "s3://bucket/sets/demo", "--json", **shared)
    assert again.code == 0, again.err
    # the journal, which is not shared here, would have known that the model answers
    assert (again.json["this_run"]["calls"], len(asked(fake))) == (1, calls + 1)
    assert s3.cat_file("bucket/sets/demo/current.json") == made

    # a third measures it, with a token of its own and nothing else shared, and reads and exports what is there
    third = command.beside(tmp_path / "third")
    alone: dict[str, Any] = {name: value for name, value in shared.items() if name != "RAGSET_STORAGE"}
    config = tmp_path / "grid.yaml"
    config.write_text(json.dumps({"grid": {"retrieval": ["bm25"]}}))
    results = "s3://bucket/results/first"
    measured = third.run("benchmark", "s3://bucket/sets/demo", "--config", str(config), "--out", results, **alone)
    assert measured.code == 0, measured.err
    assert third.run("compare", results, results, **alone).code == 0
    exported = third.run("export", "s3://bucket/sets/demo", "--to", "beir", "--json", **alone)
    assert exported.code == 0, exported.err
    assert s3.exists("bucket/sets/demo-beir/current.json")
    shown = third.run("show", "s3://bucket/sets/demo", "--json", **alone)
    assert shown.json["kept"] == 4


def test_wrong_keys_and_a_server_that_is_gone_are_said_before_anything_is_asked(
    command: Command, s3: Any, server: str, corpus: Path
) -> None:
    make = ["single-chunk", str(corpus), "--n", "2", "--out", "s3://bucket/sets/demo"]
    there: dict[str, Any] = {**KEYS, "AWS_ENDPOINT_URL": server}
    missing = command.run("show", "s3://bucket/sets/none", **there)
    assert missing.code == 2
    assert "s3://bucket/sets/none: there is no such file" in missing.err
    httpx.post(f"{server}/moto-api/reset-auth", content="0")  # from now on keys are checked
    refused = command.run(*make, **there)
    assert refused.code == 2
    assert "s3://bucket/sets/demo: access is refused" in refused.err
    assert "AWS_ACCESS_KEY_ID" in refused.err
    there["AWS_ENDPOINT_URL"] = "http://127.0.0.1:9"
    gone = command.run(*make, **there)
    assert gone.code == 3
    assert "s3://bucket/sets/demo: its server cannot be reached" in gone.err
    for ended in (missing, refused, gone):
        assert "Traceback" not in ended.err
        assert "secret" not in ended.out + ended.err.replace("AWS_SECRET_ACCESS_KEY", "")
    assert s3 is not None


def test_an_upload_that_breaks_off_leaves_the_version_before_whole(s3: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(text: str) -> None:
        folder = local_copy("s3://bucket/sets/demo", to_write=True)
        folder.mkdir(exist_ok=True)
        for name in ("corpus", "goldens"):
            (folder / name).write_text(f"{name} {text}")
        (folder / "always").write_text("the same")
        send_copy(folder)

    def read() -> set[str]:
        with other_home():
            return {file.read_text() for file in local_copy("s3://bucket/sets/demo").iterdir()}

    with other_home():
        write("first")
        put = s3.put_file

        def fail(here: str, there: str, **options: Any) -> None:
            if "goldens" in there:
                raise TimeoutError
            put(here, there, **options)

        with monkeypatch.context() as patch:
            patch.setattr(s3, "put_file", fail)
            with pytest.raises(StorageUnavailable, match="run the same command again"):
                write("second")
        assert read() == {"corpus first", "goldens first", "the same"}
        send_copy(local_copy("s3://bucket/sets/demo"))
    assert read() == {"corpus second", "goldens second", "the same"}
