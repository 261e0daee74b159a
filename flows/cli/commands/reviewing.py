"""The command that serves the review page."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import app


@app.command()
def review(
    folder: Annotated[Path, typer.Argument(help="Folder of a dataset.", show_default=False, metavar="DATASET")],
    port: Annotated[int, typer.Option("--port", help="Port of the page.", min=1, max=65_535)] = 4210,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="Name or address of this machine under which others open the page; by default only this machine can.",
        ),
    ] = "127.0.0.1",
) -> None:
    """Open a page in which people judge the goldens of a dataset; reviews.jsonl beside it gets each judgement."""
    from flows.cli.terminal import say
    from flows.deploy.review.serving import serve_review

    def opened(link: str) -> None:
        say("The page is open to everybody who has this link:", "bold")
        say("")
        say(f"  {link}")
        say("")
        say(f"Judgements are written to {folder / 'reviews.jsonl'}. Ctrl-C ends the page; nothing is lost.")

    serve_review(folder, host, port, opened)
