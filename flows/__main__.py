"""The command line: `python -m flows …`."""

from flows.cli.app import app
from flows.cli.commands import (
    applying,
    calibrating,
    exporting,
    labelling,
    making,
    measuring,
    prompts,
    reviewing,
    service,
    starting,
    storage,
    training,
)

__all__ = [
    "app",
    "applying",
    "calibrating",
    "exporting",
    "labelling",
    "making",
    "measuring",
    "prompts",
    "reviewing",
    "service",
    "starting",
    "storage",
    "training",
]

if __name__ == "__main__":
    app(prog_name="python -m flows")
