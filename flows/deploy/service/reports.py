"""The folder of results over HTTP on loopback: to read, and nothing outside it.

`python -m flows.deploy.service.reports 127.0.0.1 PORT FOLDER` serves until it is ended. Pages of other sites cannot read it by
giving its address a name of their own: only requests to this machine by its own name, or one of RAGSET_HOSTS, are answered.
"""

import os
import sys
from functools import partial
from html import escape
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, unquote, urlsplit

from flows.deploy.prefect_server.guard import host_name, known_hosts

_INDEX = ("index.html", "index.htm")


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
        host = self.headers.get("Host", "")
        if host_name(host) not in known_hosts():
            self.send_error(HTTPStatus.FORBIDDEN, "Ask for 127.0.0.1, localhost, or a name of RAGSET_HOSTS")
            return None
        if self.headers.get("Origin", f"http://{host}") != f"http://{host}":
            self.send_error(HTTPStatus.FORBIDDEN, "Pages of other sites are not answered")
            return None
        asked = Path(self.translate_path(self.path))
        # Of a folder the parent's serves these, if they are there.
        instead = [page for name in _INDEX if (page := asked / name).is_file()] if _is_folder(asked) else []
        if not all(_shown(Path(self.directory), path) for path in (asked, *instead)):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()  # pyright: ignore[reportReturnType]

    def list_directory(self, path: str | PathLike[str]) -> BytesIO | None:
        """Folders first; hidden files and links are not named."""
        try:
            with os.scandir(path) as found:
                shown = [one for one in found if not one.name.startswith(".") and not one.is_symlink()]
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        shown.sort(key=lambda one: (one.is_file(), one.name))
        names = [one.name if one.is_file() else f"{one.name}/" for one in shown]
        title = escape(unquote(urlsplit(self.path).path))
        rows = "\n".join(f'<li><a href="./{quote(name)}">{escape(name)}</a>' for name in names)
        page = f'<!doctype html><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>\n<ul>\n{rows}\n</ul>\n'
        content = page.encode("utf-8", "surrogateescape")
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return BytesIO(content)

    def end_headers(self) -> None:
        """With what keeps a report as new as its file, and a file of text from being taken for a page."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        # Pages of other sites can neither load it nor show it in a frame.
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("X-Frame-Options", "DENY")
        super().end_headers()


def _is_folder(asked: Path) -> bool:
    try:
        return asked.is_dir()
    except ValueError:  # a name that holds a null byte
        return False


def _shown(root: Path, asked: Path) -> bool:
    """Whether `asked` is in the folder `root`, by its name and where links lead, and neither way through a hidden one."""
    try:
        target = asked.resolve().relative_to(root.resolve())
    except (ValueError, OSError):
        return False
    return not any(part.startswith(".") for part in (*asked.relative_to(root).parts, *target.parts))


class _Server(ThreadingHTTPServer):
    daemon_threads = True


def serve(host: str, port: int, folder: Path) -> None:
    """Until the process is ended."""
    folder.mkdir(parents=True, exist_ok=True)
    with _Server((host, port), partial(Reports, directory=str(folder))) as server:
        server.serve_forever()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
