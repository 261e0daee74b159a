"""The command line: `python -m flows …`."""

from flows.cli.app import app
from flows.cli.commands import (
    applying,
    exporting,
    labelling,
    making,
    measuring,
    prompts,
    reviewing,
    service,
    storage,
    training,
)

__all__ = [
    "app",
    "applying",
from flows.cli.commands import calibrating, exporting, labelling, making, measuring, prompts, service, storage, training

__all__ = [
    "app",
    "calibrating",
    "exporting",
    "labelling",
    "making",
    "measuring",
    "prompts",
    "reviewing",
    "service",
    "storage",
    "training",
]

if __name__ == "__main__":
    app(prog_name="python -m flows")
