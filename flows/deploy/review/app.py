"""The review as a web application: the page, its files, and what it asks.

The page holds nothing. What it asks is answered to whoever sends the token of the link in a header, which neither a page of
another site nor a form can do. The page's policy lets it load and ask nothing but this server.
"""

import hmac
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

import ragset.dataset
from flows.deploy.review.items import folders_in, is_reviewed
from flows.deploy.review.session import CALLS, Sessions, WriteError
from ragset.errors import InputError, problems_of

Find = Callable[[str], Path | None]
"""The folder of an address; None if there is none that may be shown."""

_PAGE = Path(__file__).parent / "page"
_FILES = {file.name: file for file in _PAGE.iterdir() if file.suffix in {".js", ".css"}}
_FILES["report.css"] = Path(ragset.dataset.__file__).parent / "report" / "page.css"
_TYPES = {".js": "text/javascript", ".css": "text/css"}
_LARGEST = 1_000_000  # bytes of what is sent to the server at once
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {"cache-control": "no-cache", "content-security-policy": _POLICY}


def review_app(find: Find, sessions: Sessions, token: str) -> Starlette:
    """An application that reviews each folder that `find` finds, at the address of the folder."""

    def answer(name: str, call: str, sent: dict[str, Any]) -> Any:
        folder = find(name)
        if folder is None:
            raise InputError(f"{name}: there is no such folder to review")
        if not is_reviewed(folder) and (below := folders_in(folder)):
            return {"folders": below}
        return CALLS[call](sessions.of(folder), **sent)

    async def page(request: Request) -> Response:
        if not request.path_params["folder"].endswith("/") and request.path_params["folder"]:
            return RedirectResponse(f"./{Path(request.url.path).name}/")
        return FileResponse(_PAGE / "index.html", headers=_HEADERS)

    async def static(request: Request) -> Response:
        file = _FILES.get(request.path_params["name"])
        if file is None:
            return PlainTextResponse("Not found", 404)
        return FileResponse(file, headers=_HEADERS, media_type=_TYPES[file.suffix])

    async def api(request: Request) -> Response:
        sent = request.headers.get("authorization", "")
        if not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            return _refuse(401, "This link does not open the review. Take the one that the command printed, whole.")
        call = request.path_params["call"]
        if call not in CALLS or request.headers.get("content-type") != "application/json":
            return _refuse(404, "There is no such call.")
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > _LARGEST:
                return _refuse(413, "This is too long to be kept.")
        try:
            sent = TypeAdapter(dict[str, Any]).validate_json(bytes(body))
            said: Any = await run_in_threadpool(answer, request.path_params["folder"], call, sent)
        except ValidationError as error:
            return _refuse(422, problems_of(error))
        except (InputError, ValueError) as error:
            return _refuse(422, str(error))
        except WriteError as error:
            return _refuse(503, str(error))
        return JSONResponse(said, headers={"cache-control": "no-store"})

    routes = [
        Route("/{folder:path}static/{name}", static),
        Route("/{folder:path}api/{call}", api, methods=["POST"]),
        Route("/{folder:path}", page),
    ]
    return Starlette(routes=routes)


def _refuse(status: int, detail: str) -> JSONResponse:
    return JSONResponse({"detail": detail}, status, headers={"cache-control": "no-store"})
