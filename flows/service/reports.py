"""The folder of results over HTTP on loopback: to read, and nothing outside it.

`python -m flows.service.reports PORT FOLDER` serves until it is ended. Pages of other sites cannot read it by giving
its address a name of their own: only requests to this machine by its own name are answered.
"""

import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import BinaryIO

HOST = "127.0.0.1"
_NAMES = {"127.0.0.1", "localhost"}


class Reports(SimpleHTTPRequestHandler):
    """GET and HEAD of what lies in one folder; links out of it are not followed."""

    server_version = "ragset"
    sys_version = ""
    extensions_map = {  # noqa: RUF012
        ".html": "text/html; charset=utf-8",
        ".jsonl": "text/plain; charset=utf-8",
        ".md": "text/plain; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
        ".csv": "text/csv; charset=utf-8",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".png": "image/png",
        "": "application/octet-stream",
    }

    def send_head(self) -> BinaryIO | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """As the parent's, where the request may be answered at all."""
        name = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
        if name not in _NAMES:
            self.send_error(HTTPStatus.FORBIDDEN, "Ask for 127.0.0.1 or localhost")
            return None
        root, asked = Path(self.directory).resolve(), Path(self.translate_path(self.path)).resolve()
        hidden = any(part.startswith(".") for part in asked.parts[len(root.parts) :])
        if not asked.is_relative_to(root) or hidden:
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()  # pyright: ignore[reportReturnType]

    def end_headers(self) -> None:
        """With what keeps a report as new as its file, and a file of text from being taken for a page."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()


class _Server(ThreadingHTTPServer):
    daemon_threads = True


def serve(port: int, folder: Path) -> None:
    """Until the process is ended."""
    folder.mkdir(parents=True, exist_ok=True)
    with _Server((HOST, port), partial(Reports, directory=str(folder))) as server:
        server.serve_forever()


if __name__ == "__main__":
    serve(int(sys.argv[1]), Path(sys.argv[2]))
