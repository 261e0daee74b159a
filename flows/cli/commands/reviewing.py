"""The command that serves the review page."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import app, path


@app.command()
def review(
    folder: Annotated[
        Path, typer.Argument(help="Folder of a dataset, or of results of a benchmark.", parser=path, show_default=False)
    ],
    port: Annotated[int, typer.Option("--port", help="Port of the page.", min=1, max=65_535)] = 4210,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="Name or address of this machine under which others open the page; by default only this machine can.",
        ),
    ] = "127.0.0.1",
    sample: Annotated[
        int | None,
        typer.Option("--sample", help="Goldens of the random sample; it can grow. (default: 100)", min=0),
    ] = None,
    shared: Annotated[
        float | None,
        typer.Option("--shared", help="Share of the sample that two people judge. (default: 0.2)", min=0, max=1),
    ] = None,
) -> None:
    """Open a page in which people judge goldens, or answers and passages of a benchmark; reviews.jsonl gets each judgement."""
    from flows.cli.terminal import say
    from flows.deploy.review.items import check_reviewed, renew
    from flows.deploy.review.serving import serve_review
    from ragset.dataset.review.order import change_plan

    check_reviewed(folder)
    if (sample, shared) != (None, None):
        change_plan(folder, sample=sample, shared=shared)

    def opened(link: str) -> None:
        say("The page is open to everybody who has this link:", "bold")
        say("")
        say(f"  {link}")
        say("")
        say(f"Judgements are written to {folder / 'reviews.jsonl'}. Ctrl-C ends the page; nothing is lost.")

    serve_review(folder, host, port, opened)
    renew(folder)
