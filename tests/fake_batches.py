"""The files and batches of the fake OpenAI server, as the documentation of the Batch API says."""

import asyncio
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from aiohttp import web

from tests.fake_replies import Luck, Options

_UNDER_WAY = {"validating", "in_progress", "finalizing"}
_TIMES = ("in_progress_at", "expires_at", "finalizing_at", "completed_at", "failed_at", "expired_at", "cancelled_at")
Answer = Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]


@dataclass
class Batches:
    """All that a server has of them; a batch goes on whether or not somebody looks."""

    PATHS: ClassVar = (
        ("POST", "files"),
        ("GET", "files/{id}/content"),
        ("POST", "batches"),
        ("GET", "batches"),
        ("GET", "batches/{id}"),
    )
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    made: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    lost: int = 0
    _running: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    async def answer(self, request: web.Request, options: Options, answer: Answer) -> web.Response:
        if options.no_batches:
            raise web.HTTPNotFound
        id_ = request.match_info.get("id", "")
        match request.method, request.path.split("/")[2], bool(id_):
            case "POST", "files", _:
                return await self._upload(request)
            case "GET", "files", _:
                return web.Response(body=self._found(self.files, id_))
            case "POST", _, _:
                return self._create(await request.json(), options, answer)
            case _, _, True:
                return web.json_response(self._found(self.made, id_))
            case _:
                newest = list(reversed(self.made.values()))
                after = request.query.get("after", "")
                first = [batch["id"] for batch in newest].index(after) + 1 if after else 0
                page = newest[first : first + int(request.query.get("limit", 20))]
                more = first + len(page) < len(newest)
                ids = {"first_id": page[0]["id"], "last_id": page[-1]["id"]} if page else {}
                return web.json_response({"object": "list", "data": page, "has_more": more, **ids})

    def stop(self) -> None:
        """Answer nothing more."""
        for task in self._running:
            task.cancel()

    def _found(self, where: dict[str, Any], id_: str) -> Any:
        if id_ not in where:
            raise web.HTTPNotFound
        return where[id_]

    async def _upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        file = form["file"]
        assert isinstance(file, web.FileField)
        if form["purpose"] != "batch":
            raise web.HTTPBadRequest
        content = file.file.read()
        id_ = self._keep(content)
        about = {"id": id_, "object": "file", "bytes": len(content), "created_at": int(time.time())}
        return web.json_response({**about, "filename": file.filename, "purpose": "batch", "status": "processed"})

    def _keep(self, content: bytes) -> str:
        id_ = f"file-{len(self.files) + 1}"
        self.files[id_] = content
        return id_

    def _create(self, asked: dict[str, Any], options: Options, answer: Answer) -> web.Response:
        if asked["completion_window"] != "24h" or asked["endpoint"] != "/v1/chat/completions":
            raise web.HTTPBadRequest
        lines = self._found(self.files, asked["input_file_id"]).splitlines()
        now = int(time.time())
        batch: dict[str, Any] = {
            "id": f"batch_{len(self.made) + 1}",
            "object": "batch",
            **{name: asked[name] for name in ("endpoint", "input_file_id", "completion_window")},
            "errors": None,
            "status": "validating",
            "output_file_id": None,
            "error_file_id": None,
            "created_at": now,
            **dict.fromkeys(_TIMES),
            "request_counts": {"total": 0, "completed": 0, "failed": 0},
            "metadata": asked.get("metadata"),
        }
        self.made[batch["id"]] = batch
        running = asyncio.create_task(self._run(batch, lines, options, answer))
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        if self.lost < options.batch_lost:
            self.lost += 1
            raise web.HTTPInternalServerError
        return web.json_response(batch)

    async def _run(self, batch: dict[str, Any], lines: list[bytes], options: Options, answer: Answer) -> None:
        await asyncio.sleep(0.05)
        if fault := self._fault(lines, options):
            code, message = fault
            data = [{"code": code, "message": message, "param": None, "line": None}]
            batch |= {"status": "failed", "failed_at": int(time.time()), "errors": {"object": "list", "data": data}}
            return
        requests = [json.loads(line) for line in lines]
        batch |= {"status": "in_progress", "in_progress_at": int(time.time())}
        batch["request_counts"]["total"] = len(requests)
        await asyncio.sleep(options.batch_seconds)
        ends = options.batch_ends
        results: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
        for number, request in enumerate(requests):
            result: dict[str, Any] = {"id": f"batch_req_{number}", "custom_id": request["custom_id"]}
            digest = hashlib.blake2b(request["custom_id"].encode()).digest()
            if ends != "completed" and Luck(options.seed, digest, 1).strikes("unanswered", options.batch_unanswered):
                message = f"This request could not be executed before the batch was {ends}."
                result |= {"response": None, "error": {"code": f"batch_{ends}", "message": message}}
            else:
                status, body = answer(request["body"])
                response = {"status_code": status, "request_id": f"req_{number}", "body": body}
                result |= {"response": response, "error": None}
            good = bool(result["response"]) and result["response"]["status_code"] == 200
            results[good].append(result)
            batch["request_counts"]["completed" if good else "failed"] += 1
        for good, name in ((True, "output_file_id"), (False, "error_file_id")):
            # in no order that anybody knows
            found = sorted(results[good], key=lambda one: hashlib.blake2b(one["custom_id"].encode()).digest())
            content = b"".join(json.dumps(one).encode() + b"\n" for one in found)
            batch[name] = self._keep(content) if content else None
        batch |= {"status": ends, f"{ends}_at": int(time.time())}

    def _fault(self, lines: list[bytes], options: Options) -> tuple[str, str] | None:
        """Why the input file is refused, by code and message."""
        try:
            requests = [json.loads(line) for line in lines]
            ids = {request["custom_id"] for request in requests}
            models = {request["body"]["model"] for request in requests}
            put = {(request["method"], request["url"]) for request in requests}
        except (ValueError, KeyError, TypeError):
            return "invalid_json_line", "A line of the file is no request."
        if not lines:
            return "empty_file", "The file has no requests."
        if len(ids) < len(lines):
            return "duplicate_custom_id", "A custom_id is there twice."
        if len(models) > 1:
            return "mismatched_model", "All requests of a batch must be to one model."
        if put != {("POST", "/v1/chat/completions")}:
            return "invalid_url", "A request goes elsewhere than the batch."
        if options.batch_ends == "failed":
            return "model_not_found", "The model does not exist or cannot be used with the Batch API."
        waiting = sum(one["request_counts"]["total"] for one in self.made.values() if one["status"] in _UNDER_WAY)
        if waiting + len(lines) > min(options.batch_most, 50_000):
            return "token_limit_exceeded", "Enqueued token limit reached. Try again once some batches have completed."
        return None
