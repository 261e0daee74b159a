"""Commands about people's judgements: the page on which they judge, and what is made of what they said."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import Guideline, Json, app, new_path, place


@app.command()
def review(
    folder: Annotated[Path, place("Folder of a dataset, or of results of a benchmark.")],
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


@app.command()
def apply_review(
    dataset: Annotated[Path, place("Folder of a dataset that people have judged.")],
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
    from ragset.dataset import read_manifest
    from ragset.dataset.report import renew_report
    from ragset.dataset.review.new_version import write_reviewed

    done = write_reviewed(dataset, out, guideline)
    renew_report(dataset)
    print_result(
        done,
        lambda: print_applied(done),
        json=json,
        then=of_dataset(done.folder, read_manifest(Path(done.folder)).kind, review=False),
    )


@app.command()
def import_review(
    dataset: Annotated[Path, place("Folder of the dataset that was exported.")],
    file: Annotated[
        Path,
        place("JSON file of records (Argilla) or tasks (Label Studio)."),
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


@app.command()
def calibrate_critic(
    dataset: Annotated[Path, place("Folder of a dataset that people have judged.")],
    precision: Annotated[
        float, typer.Option("--precision", help="Share of goldens that should be good.", min=0, max=1)
    ] = 0.95,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder to write. (default: DATASET-critic)", parser=new_path, show_default=False),
    ] = None,
    guideline: Guideline = None,
    json: Json = False,
) -> None:
    """Choose thresholds for the critic's scores on goldens that people judged, and propose examples for its prompt."""
    from pydantic_core import from_json

    from flows.cli.results.reviews import print_calibration
    from flows.cli.terminal import print_result
    from ragset.dataset import read_dataset
    from ragset.dataset.review.calibration import calibrate
    from ragset.dataset.review.critic_files import write_critic_files
    from ragset.settings import Environment

    read = read_dataset(dataset)
    found = calibrate(read, precision, guideline)
    folder = out or dataset.with_name(f"{dataset.name}-critic")
    files = write_critic_files(found, read, folder, Environment().ragset_prompts)
    paths = {"thresholds_file": str(files.thresholds), "prompt_file": str(files.prompt or "")}
    plain = from_json(found.model_dump_json())  # a share of nothing is null
    print_result({**plain, **paths}, lambda: print_calibration(found, files), json=json)
