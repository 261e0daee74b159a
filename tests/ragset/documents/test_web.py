import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ragset.documents import read_documents
from ragset.documents.web import fetch
from ragset.errors import DocumentError, InputError
from ragset.settings import DocumentSettings

pytestmark = pytest.mark.usefixtures("one_process")

HTML = "<html><head><title>Clocks</title></head><body><p>They strike.</p></body></html>"


class Pages(BaseHTTPRequestHandler):
    """What each path holds."""

    protocol_version = "HTTP/1.1"
    asked = 0
    """How often `/busy` was."""

    def log_message(self, *args: Any) -> None:
        pass

    def reply(self, status: int, content: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:
        port = self.server.server_address[1]
        match self.path:
            case "/html":
                self.reply(200, HTML.encode(), Content_Type="text/html; charset=utf-8")
            case "/text?a=1":
                self.reply(200, b"Caf\xe9 clocks", Content_Type="text/plain; charset=latin-1")
            case "/lines":
                self.reply(200, b'{"text": "One."}\n{"text": "Two."}\n', Content_Type="application/x-ndjson")
            case "/untyped":
                self.reply(200, HTML.encode())
            case "/host":
                self.reply(200, self.headers["Host"].encode(), Content_Type="text/plain")
            case "/busy":
                Pages.asked += 1
                self.reply(503) if Pages.asked < 3 else self.reply(200, HTML.encode())
            case "/picture":
                self.reply(200, b"\x89PNG\0\0", Content_Type="image/png")
            case "/empty":
                self.reply(200, b"", Content_Type="text/plain")
            case "/large":
                self.reply(200, b"x" * 5_000, Content_Type="text/plain")
            case "/bomb":
                self.bomb()
            case "/again":
                self.reply(302, Location="/html")
            case "/relative/again":
                self.reply(307, Location="../html")
            case "/inside":
                self.reply(302, Location=f"http://localhost:{port}/html")
            case "/metadata":
                self.reply(301, Location="http://169.254.169.254/latest/meta-data/")
            case "/file":
                self.reply(302, Location="file:///etc/passwd")
            case "/nonsense":
                self.reply(302, Location="http://[::1")
            case "/loop":
                self.reply(302, Location="/loop")
            case "/drip":
                self.drip()
            case "/slow-headers":
                self.slow_headers()
            case "/hang":
                time.sleep(1.5)
            case "/cut":
                self.cut()
            case _:
                self.reply(404)

    def drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        try:
            for _ in range(100):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.1)
        except OSError:
            pass
        self.close_connection = True

    def slow_headers(self) -> None:
        try:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            for _ in range(100):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.1)
        except OSError:
            pass
        self.close_connection = True

    def cut(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"x")
        self.close_connection = True

    def bomb(self) -> None:
        import gzip

        self.reply(200, gzip.compress(b"0" * 3_000_000), Content_Type="text/plain", Content_Encoding="gzip")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()
    thread.join()


def settings(url: str, **more: Any) -> DocumentSettings:
    return DocumentSettings.model_validate({"sources": (url,), "allow_private_hosts": True, "timeout": 5, **more})


def reason(url: str, **more: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        fetch(url, settings(url, **more))
    assert caught.value.source == url
    return caught.value.reason


def test_a_page_becomes_a_document_named_by_its_address(port: int) -> None:
    url = f"http://127.0.0.1:{port}/html"
    (document,) = read_documents(settings(url)).documents
    assert (document.title, document.text, document.sources) == ("Clocks", "They strike.", (url,))


@pytest.mark.parametrize("path", ["again", "relative/again", "inside", "untyped"])
def test_redirects_are_followed_and_a_page_without_a_type_is_html(port: int, path: str) -> None:
    url = f"http://127.0.0.1:{port}/{path}"
    assert fetch(url, settings(url)).content == HTML.encode()
    assert fetch(url, settings(url)).kind == ".html"


def test_text_is_read_in_the_charset_of_its_header(port: int) -> None:
    url = f"http://127.0.0.1:{port}/text?a=1"
    assert read_documents(settings(url)).documents[0].text == "Café clocks"


def test_lines_of_a_page_are_documents(port: int) -> None:
    url = f"http://127.0.0.1:{port}/lines"
    assert {document.sources for document in read_documents(settings(url)).documents} == {(f"{url}:1",), (f"{url}:2",)}


def test_the_server_is_asked_by_the_name_of_the_address(port: int) -> None:
    url = f"http://localhost:{port}/host#part"
    assert fetch(url, settings(url)).content == f"localhost:{port}".encode()


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "0x7f000001", "127.1", "169.254.169.254", "[::]"),
        *("[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "224.0.0.1"),
        *("[fe80::1]", "[fc00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fec0::1]", "255.255.255.255"),
        *("192.0.0.1", "[64:ff9b:1::7f00:1]", "[::127.0.0.1]"),
    ],
)
def test_private_hosts_are_refused(port: int, host: str) -> None:
    found = reason(f"http://{host}:{port}/html", allow_private_hosts=False)
    assert "private or loopback" in found or "there is no host" in found
    if host in {"127.0.0.1", "localhost", "0.0.0.0", "2130706433", "169.254.169.254"}:
        assert "allow_private_hosts" in found


def test_a_redirect_to_a_private_host_is_refused(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # The first host counts as public, for there is no public one on loopback; the second is judged as it is.
    from ragset.documents import web

    judge = web.is_public
    monkeypatch.setattr(web, "is_public", lambda ip: ip == "127.0.0.1" or judge(ip))
    assert "private or loopback" in reason(f"http://127.0.0.1:{port}/metadata", allow_private_hosts=False)


def test_a_redirect_to_a_file_is_refused(port: int) -> None:
    assert reason(f"http://127.0.0.1:{port}/file") == "only http and https are fetched, not file"


def test_a_redirect_to_nonsense_is_reported(port: int) -> None:
    assert reason(f"http://127.0.0.1:{port}/nonsense").startswith("cannot be fetched")


def test_a_name_beyond_ascii_is_asked_for_as_it_is_looked_up(port: int) -> None:
    # the first letter is the wide form, which is the same name
    url = f"http://ｌocalhost:{port}/host"
    assert fetch(url, settings(url)).content == f"localhost:{port}".encode()
    assert "private or loopback" in reason(url, allow_private_hosts=False)


def test_a_loop_of_redirects_ends(port: int) -> None:
    assert reason(f"http://127.0.0.1:{port}/loop") == "more than 5 redirects"


@pytest.mark.parametrize("path", ["drip", "slow-headers", "hang"])
def test_a_slow_page_is_given_up(port: int, path: str) -> None:
    start = time.monotonic()
    assert "within 0.5 s" in reason(f"http://127.0.0.1:{port}/{path}", timeout=0.5)
    assert time.monotonic() - start < 8  # whoever waits between letters alone waits for ten seconds


@pytest.mark.parametrize("path", ["large", "bomb"])
def test_a_large_page_is_given_up(port: int, path: str) -> None:
    assert reason(f"http://127.0.0.1:{port}/{path}", max_bytes=1_000) == "too large: more than 1,000 bytes"


def test_a_page_that_is_not_there_is_reported_with_its_status(port: int) -> None:
    assert reason(f"http://127.0.0.1:{port}/gone") == "answers with status 404"


def test_a_server_that_is_busy_for_a_moment_is_asked_again_within_the_time_out(port: int) -> None:
    assert reason(f"http://127.0.0.1:{port}/busy", timeout=0.4) == "answers with status 503"
    assert Pages.asked == 1
    assert fetch(f"http://127.0.0.1:{port}/busy", settings("http://a")).content == HTML.encode()
    assert Pages.asked == 3


def test_a_page_that_breaks_off_is_reported(port: int) -> None:
    assert reason(f"http://127.0.0.1:{port}/cut").startswith("cannot be fetched")


def test_what_is_no_text_is_reported(port: int) -> None:
    assert reason(f"http://127.0.0.1:{port}/picture") == "holds image/png, which is not text"


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.org/a",
        "gopher://a",
        "http://",
        "http://[::1",
        "http://a:99999/",
        "http://a\tb/",
    ],
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(InputError, match=r"only http|names no host|is no address|there is no host"):
        read_documents(settings(url))


def test_nobody_there_is_reported() -> None:
    assert reason("http://127.0.0.1:9/").startswith("cannot be fetched")
    assert reason("http://no-such-host.invalid/") == "there is no host no-such-host.invalid"


def test_a_page_that_cannot_be_had_leaves_the_others(port: int) -> None:
    good, gone, empty = (f"http://127.0.0.1:{port}/{path}" for path in ("html", "gone", "empty"))
    reading = read_documents(DocumentSettings(sources=(gone, good, empty), allow_private_hosts=True))
    assert [document.sources for document in reading.documents] == [(good,)]
    assert [failure.source for failure in reading.failures] == [gone, empty]
