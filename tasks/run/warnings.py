"""What ragset warns of while it asks models, in the log of the run that asks."""

import logging
from contextlib import suppress

from prefect import get_run_logger
from prefect.exceptions import MissingContextError


class _RunLog(logging.Handler):
    """Passes records on to the run in whose context they are made; outside of runs there is nobody to tell."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(MissingContextError):
            get_run_logger().log(record.levelno, record.getMessage())


_log = _RunLog(logging.WARNING)


def tell_runs() -> None:
    """Let a run say when its provider is silent; again, and nothing changes."""
    logging.getLogger("ragset.llm").addHandler(_log)
