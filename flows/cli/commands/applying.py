"""Commands about people's judgements."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import Guideline, Json, app, new_path, path


@app.command()
def apply_review(
    dataset: Annotated[
        Path, typer.Argument(help="Folder of a dataset that people have judged.", parser=path, show_default=False)
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Folder to write. (default: the next version beside it)", parser=new_path, show_default=False
        ),
    ] = None,
    guideline: Guideline = None,
    json: Json = False,
) -> None:
    """Write a new version in which goldens that people called bad are rejects and their corrections are in."""
    from flows.cli.results.reviews import print_applied
    from flows.cli.terminal import print_result
    from flows.cli.what_next import of_dataset
    from ragset.dataset.report import renew_report
    from ragset.dataset.review.new_version import write_reviewed

    done = write_reviewed(dataset, out, guideline)
    renew_report(dataset)
    print_result(done, lambda: print_applied(done), json=json, then=of_dataset(done.folder, review=False))


@app.command()
def import_review(
    dataset: Annotated[
        Path, typer.Argument(help="Folder of the dataset that was exported.", parser=path, show_default=False)
    ],
    file: Annotated[
        Path,
        typer.Argument(help="JSON file of records (Argilla) or tasks (Label Studio).", parser=path, show_default=False),
    ],
    json: Json = False,
) -> int:
    """Add judgements that people made in Argilla or Label Studio; importing a file twice adds nothing twice."""
    from flows.cli.exits import DONE, SHORT
    from flows.cli.results.reviews import print_imported
    from flows.cli.terminal import print_result
    from ragset.dataset.review.exchange.importing import import_reviews
    from ragset.dataset.review.guidelines import load_guideline
    from ragset.settings import Environment
    from ragset.settings.command_line import Next, command

    done = import_reviews(dataset, file, load_guideline("golden", Environment().ragset_prompts))
    then = [Next("Write a version without the goldens called bad", command("apply-review", dataset))]
    print_result(done, lambda: print_imported(done), json=json, then=then)
    return SHORT if done.problems else DONE
