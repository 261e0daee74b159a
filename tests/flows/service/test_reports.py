import http.client
import threading
from collections.abc import Generator
from email.message import Message
from functools import partial
from http.server import ThreadingHTTPServer

import pytest

from flows.service.reports import Reports


class Quiet(Reports):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Generator[int]:
    folder = tmp_path_factory.mktemp("reports")
    (folder / "secret.html").write_text("outside")
    served = folder / "out"
    (served / "demo").mkdir(parents=True)
    (served / "demo" / "report.html").write_text("<p>inside")
    (served / "demo" / ".env").write_text("KEY=1")
    (served / "way-out").symlink_to(folder)
    (served / "link.html").symlink_to(served / "demo" / "report.html")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def ask(port: int, path: str, method: str = "GET", host: str | None = None) -> tuple[int, str, Message]:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request(method, path, headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body, answer.headers


def test_a_report_is_served_as_a_page_that_is_not_kept(port: int) -> None:
    status, body, headers = ask(port, "/demo/report.html")
    assert (status, body) == (200, "<p>inside")
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-cache"


def test_a_link_within_the_folder_is_followed(port: int) -> None:
    assert ask(port, "/link.html")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.html",
        "/%2e%2e/secret.html",
        "/demo/../../secret.html",
        "/way-out/secret.html",
        "/way-out/",
        "/demo/.env",
        "//etc/passwd",
    ],
)
def test_nothing_outside_the_folder_and_nothing_hidden_is_served(port: int, path: str) -> None:
    status, body, _ = ask(port, path)
    assert status == 404
    assert "outside" not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_can_be_written(port: int, method: str) -> None:
    assert ask(port, "/demo/report.html", method)[0] == 501


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example:4201", "[::1"])
def test_a_name_that_is_not_this_machines_is_refused(port: int, host: str) -> None:
    assert ask(port, "/demo/report.html", host=host)[0] == 403


def test_localhost_is_this_machine(port: int) -> None:
    assert ask(port, "/demo/report.html", host=f"localhost:{port}")[0] == 200
