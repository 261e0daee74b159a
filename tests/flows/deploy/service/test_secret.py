import json
import os
from pathlib import Path

import pytest

from flows.deploy.service.secret import SENT, read_secret, secret_file, use_secret
from ragset.errors import InputError

API = "http://127.0.0.1:4200/api"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(SENT, raising=False)
    folder = tmp_path / "service"
    folder.mkdir()
    (folder / "service.json").write_text(json.dumps({"where": {"api": API}}))
    return folder


def test_a_secret_is_made_once_for_this_user_alone(service: Path) -> None:
    previous = os.umask(0)
    try:
        secret = read_secret(service)
    finally:
        os.umask(previous)
    assert secret_file(service).stat().st_mode & 0o777 == 0o600
    assert read_secret(service) == secret
    assert len(secret.removeprefix("ragset:")) == 43  # 32 bytes, 6 bits a letter


def test_a_secret_that_others_can_read_is_not_used(service: Path) -> None:
    read_secret(service)
    secret_file(service).chmod(0o640)
    with pytest.raises(InputError, match=r"secret: other users can read .*delete the file and serve again"):
        read_secret(service)


def test_only_the_server_of_the_service_is_sent_its_secret(
    service: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = read_secret(service)
    for other in ("http://127.0.0.1:4300/api", "http://evil.example:4200/api", f"{API}/more"):
        use_secret(other, tmp_path)
        assert SENT not in os.environ
    monkeypatch.setenv(SENT, "mine:own")
    use_secret(API, tmp_path)
    assert os.environ[SENT] == "mine:own"
    monkeypatch.delenv(SENT)
    use_secret(f"{API}/", tmp_path)
    assert os.environ[SENT] == secret


def test_where_nothing_is_served_there_is_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SENT, raising=False)
    use_secret(API, tmp_path)
    assert SENT not in os.environ
