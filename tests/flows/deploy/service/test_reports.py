import http.client
import re
import socket
import threading
from collections.abc import Generator
from email.message import Message

import pytest
import uvicorn

from flows.deploy.service.reports import reports
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.records import Review
from tests.small_dataset import corpus_of, golden_of, write_small


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Generator[int]:
    folder = tmp_path_factory.mktemp("reports")
    (folder / "secret.html").write_text("outside")
    served = folder / "out"
    (served / "demo").mkdir(parents=True)
    (served / "demo" / "report.html").write_text("<p>inside")
    (served / "demo" / ".env").write_text("KEY=1")
    (served / ".git").mkdir()
    (served / ".git" / "config").write_text("hidden")
    (served / "way-out").symlink_to(folder)
    (served / "a & b").mkdir()
    (served / "a & b" / "index.html").symlink_to(folder / "secret.html")
    (served / "to-hidden.html").symlink_to(served / "demo" / ".env")
    (served / "link.html").symlink_to(served / "demo" / "report.html")
    (served / "rows.jsonl").write_text("{}")
    write_small(served / "sets" / "teas", corpus_of(folder), [golden_of()])
    write_small(
        served / "sets" / "judged",
        corpus_of(folder),
        [golden_of()],
        report="<h1>Teas</h1><!-- review --><!-- /review -->",
    )
    ReviewFile(served / "sets" / "judged").append(
        Review.of("Ada", golden_of().id, "golden", "golden@1", verdict="good")
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(reports(served, folder / "home"), log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [free]})
        thread.start()
        while not server.started:
            assert thread.is_alive()
        yield free.getsockname()[1]
        server.should_exit = True
        thread.join()


def ask(
    port: int, path: str, method: str = "GET", host: str | None = None, origin: str | None = None
) -> tuple[int, str, Message]:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Host": host or f"127.0.0.1:{port}", **({"Origin": origin} if origin else {})}
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body, answer.headers


def test_a_report_is_served_with_what_was_judged_since_it_was_written(port: int) -> None:
    _, body, _ = ask(port, "/sets/judged/report.html")
    assert body.startswith("<h1>Teas</h1>")
    assert "1 person judged 1 golden" in body


def test_a_report_is_served_as_a_page_that_is_not_kept(port: int) -> None:
    status, body, headers = ask(port, "/demo/report.html")
    assert (status, body) == (200, "<p>inside")
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-cache"


def test_rows_are_shown_as_text_and_nobody_takes_them_for_a_page(port: int) -> None:
    headers = ask(port, "/rows.jsonl")[2]
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_folder_is_found_without_the_slash_at_its_end(port: int) -> None:
    for path in ("/demo", "//demo"):
        status, _, headers = ask(port, path)
        assert (status, headers["Location"]) == (307, "./demo/")


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
        "/%2e%2e%2fsecret.html",
        "/..%5csecret.html",
        "/demo/%00",
        "/.git/config",
        "/.git/",
        "/to-hidden.html",
        "/a%20&%20b/",
        "/a%20&%20b/index.html",
    ],
)
def test_nothing_outside_the_folder_and_nothing_hidden_is_served(port: int, path: str) -> None:
    status, body, _ = ask(port, path)
    assert status == 404
    assert "outside" not in body


def test_the_listing_names_neither_hidden_files_nor_links(port: int) -> None:
    status, page, headers = ask(port, "/")
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert re.findall(r'<a href="\./([^"]*)">', page) == ["a%20%26%20b/", "demo/", "sets/", "rows.jsonl"]
    assert "a &amp; b/" in page
    assert re.findall(r'<a href="\./([^"]*)">', ask(port, "/demo/")[1]) == ["report.html"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_can_be_written(port: int, method: str) -> None:
    assert ask(port, "/demo/report.html", method)[0] == 405


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example:4201", "[::1"])
def test_a_name_that_is_not_this_machines_is_refused(port: int, host: str) -> None:
    assert ask(port, "/demo/report.html", host=host)[0] == 403


def test_a_page_of_another_site_is_refused(port: int) -> None:
    assert ask(port, "/demo/report.html", origin="http://evil.example")[0] == 403
    assert ask(port, "/demo/report.html", origin="null")[0] == 403
    status, _, headers = ask(port, "/demo/report.html", origin=f"http://127.0.0.1:{port}")
    assert status == 200
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_localhost_is_this_machine(port: int) -> None:
    assert ask(port, "/demo/report.html", host=f"localhost:{port}")[0] == 200


def test_a_dataset_links_its_review_which_asks_for_a_token(port: int) -> None:
    assert 'href="/-/review/sets/teas/"' in ask(port, "/sets/teas/")[1]
    status, page, headers = ask(port, "/-/review/sets/teas/")
    assert (status, "Guideline" in page) == (200, True)
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert ask(port, "/-/review/sets/teas/static/review.js")[0] == 200
    assert ask(port, "/-/review/sets/teas/api/start", "POST")[0] == 401
    assert ask(port, "/-/review/sets/teas/api/start", "POST", origin="http://evil.example")[0] == 403


def test_a_review_leaves_the_folder_as_little_as_a_report(port: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    (secret,) = tmp_path_factory.getbasetemp().glob("reports0/home/review/secret")
    assert secret.stat().st_mode & 0o077 == 0
    for path, status in (("sets/teas", 200), ("way-out", 422), ("..", 422), (".git", 422)):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        headers = {"Authorization": f"Bearer {secret.read_text().strip()}", "Content-Type": "application/json"}
        connection.request("POST", f"/-/review/{path}/api/start", '{"reviewer": "Anna"}', headers)
        answer = connection.getresponse()
        assert (answer.status, b"teas" in answer.read()) == (status, status == 200)
        connection.close()
