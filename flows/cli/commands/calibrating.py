"""The command that fits the critic to people's judgements."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.app import Guideline, Json, app, new_path, path


@app.command()
def calibrate_critic(
    dataset: Annotated[
        Path, typer.Argument(help="Folder of a dataset that people have judged.", parser=path, show_default=False)
    ],
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

    from flows.cli.results.calibrations import print_calibration
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
