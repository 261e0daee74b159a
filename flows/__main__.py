"""The command line: `python -m flows …`."""

from flows.cli.app import app
from flows.cli.commands import exporting, labelling, making, measuring, prompts, reviewing, service, storage, training

__all__ = [
    "app",
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
