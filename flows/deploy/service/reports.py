"""The folder of results over HTTP: to read, to review with the token of reviews, and nothing outside it.

`python -m flows.deploy.service.reports 127.0.0.1 PORT FOLDER` serves until it is ended; with RAGSET_HOME in its environment
it serves the review page of each folder that can be reviewed, under `REVIEW`.
"""

import os
import sys
from contextlib import suppress
from html import escape
from pathlib import Path
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from flows.deploy.prefect_server.guard import Guard, known_hosts
from flows.deploy.review.app import review_app
from flows.deploy.review.items import is_reviewed
from flows.deploy.review.serving import sessions_of, token_of
from ragset.dataset.report.review import REPORT, is_behind, renew_report
from ragset.errors import InputError

_PLAIN = {".jsonl", ".md", ".txt", ".csv"}
"""Shown as text; a browser would save some of them."""
_NOT_KEPT = {"cache-control": "no-cache"}


REVIEW = "/-/review"
"""The address below which a folder is reviewed."""


def reports(folder: Path, home: Path | None = None) -> Guard:
    """An application that answers GET and HEAD of the files in `folder`; links out of it are not followed.

    With `home`, which keeps the token and the leases, its datasets can be reviewed.
    """

    async def answer(request: Request) -> Response:
        asked = folder / request.path_params["path"].lstrip("/")
        if _is_shown(folder, asked) and asked.is_dir():
            if not request.url.path.endswith("/"):
                return RedirectResponse(f"./{quote(asked.name)}/")
            index = next((page for name in ("index.html", "index.htm") if (page := asked / name).is_file()), None)
            if index is None:
                return HTMLResponse(_listing(asked, request.url.path, review=home is not None), headers=_NOT_KEPT)
            asked = index
        if not _is_shown(folder, asked) or not asked.is_file():
            return PlainTextResponse("Not found", 404)
        if asked.name == REPORT and is_behind(asked.parent):
            with suppress(InputError):  # as it is, then
                await run_in_threadpool(renew_report, asked.parent)
        return FileResponse(asked, headers=_NOT_KEPT, media_type="text/plain" if asked.suffix in _PLAIN else None)

    def reviewed(name: str) -> Path | None:
        return asked if _is_shown(folder, asked := folder / name.strip("/")) and asked.is_dir() else None

    review = [Mount(REVIEW, review_app(reviewed, sessions_of(home), token_of(home)))] if home else []
    return Guard(Starlette(routes=[*review, Route("/{path:path}", answer)]), known_hosts())


def _is_shown(root: Path, asked: Path) -> bool:
    """Whether `asked` is in `root`, as named and with links resolved, and neither path has a hidden part."""
    try:
        target = asked.resolve().relative_to(root.resolve())
    except (ValueError, OSError):  # outside, or a name that holds a null byte or is too long
        return False
    return not any(part.startswith(".") for part in (*asked.relative_to(root).parts, *target.parts))


def _listing(folder: Path, path: str, *, review: bool) -> str:
    """Folders first; hidden files and links are not named. With `review`, a link to review what the folder holds."""
    with os.scandir(folder) as found:
        shown = [one for one in found if not one.name.startswith(".") and not one.is_symlink()]
    shown.sort(key=lambda one: (one.is_file(), one.name))
    names = [one.name if one.is_file() else f"{one.name}/" for one in shown]
    rows = "\n".join(f'<li><a href="./{quote(name)}">{escape(name)}</a>' for name in names)
    title = escape(path)
    if review and is_reviewed(folder):
        rows = f'<li><a href="{REVIEW}{quote(path)}">Review</a>\n{rows}'
    return f'<!doctype html><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>\n<ul>\n{rows}\n</ul>\n'


if __name__ == "__main__":
    served = Path(sys.argv[3])
    served.mkdir(parents=True, exist_ok=True)
    home = os.environ.get("RAGSET_HOME")
    uvicorn.run(
        reports(served, Path(home) if home else None), host=sys.argv[1], port=int(sys.argv[2]), log_level="warning"
    )
