"""The part of Langfuse's public API that an upload needs, as its client describes it: its server is no Python package.

Datasets and items are created or updated by name and id; an id is of one item in the project, whatever the dataset.
"""

import base64
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

NOW = "2026-01-01T00:00:00.000Z"
KEYS = {"LANGFUSE_PUBLIC_KEY": "pk-test", "LANGFUSE_SECRET_KEY": "sk-test"}
_AUTHORIZATION = "Basic " + base64.b64encode(":".join(KEYS.values()).encode()).decode()


class LangfuseServer(ThreadingHTTPServer):
    def __init__(self, busy: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.datasets: dict[str, dict[str, Any]] = {}
        self.items: dict[str, dict[str, Any]] = {}
        self.busy = busy  # so many requests for items are refused first, as where there are too many in a minute
        self.lock = Lock()


class _Handler(BaseHTTPRequestHandler):
    server: LangfuseServer

    def do_GET(self) -> None:
        path, query = self._asked()
        if path == "/api/public/projects":
            self._reply(
                200, {"data": [{"id": "p", "name": "p", "metadata": {}, "organization": {"id": "o", "name": "o"}}]}
            )
        elif path.startswith("/api/public/v2/datasets/"):
            self._reply(200, self.server.datasets[path.rpartition("/")[2]])
        else:
            items = [one for one in self.server.items.values() if one["datasetName"] == query["datasetName"][0]]
            meta = {"page": 1, "limit": 50, "totalItems": len(items), "totalPages": 1}
            self._reply(200, {"data": items, "meta": meta})

    def do_POST(self) -> None:
        path, _ = self._asked()
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] != _AUTHORIZATION:
            self._reply(401, {"message": "Invalid credentials"})
        elif path == "/api/public/v2/datasets":
            known = {"id": f"d-{sent['name']}", "projectId": "p", "metadata": None, "createdAt": NOW, "updatedAt": NOW}
            self.server.datasets[sent["name"]] = {**known, **sent}
            self._reply(200, self.server.datasets[sent["name"]])
        else:
            self._item(sent)

    def _item(self, sent: dict[str, Any]) -> None:
        with self.server.lock:
            self.server.busy -= 1
            busy, known = self.server.busy >= 0, self.server.items.get(sent["id"])
        if busy:
            self._reply(429, {"message": "Too many requests"}, {"Retry-After": "0"})
        elif sent["datasetName"] not in self.server.datasets or len(sent["id"]) > 255:
            self._reply(404, {"message": "Dataset not found"})
        elif known and known["datasetName"] != sent["datasetName"]:
            self._reply(409, {"message": "Item of another dataset"})
        else:
            more = {
                "status": "ACTIVE",
                "mediaReferences": [],
                "datasetId": f"d-{sent['datasetName']}",
                "createdAt": NOW,
                "updatedAt": NOW,
            }
            self.server.items[sent["id"]] = {"sourceTraceId": None, "sourceObservationId": None, **more, **sent}
            self._reply(200, self.server.items[sent["id"]])

    def _asked(self) -> tuple[str, dict[str, list[str]]]:
        asked = urlsplit(self.path)
        return unquote(asked.path), parse_qs(asked.query)

    def _reply(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        for name, said in {
            "Content-Type": "application/json",
            "Content-Length": str(len(content)),
            **(headers or {}),
        }.items():
            self.send_header(name, said)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the parent's parameter
        pass
