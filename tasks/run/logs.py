"""What the log of a run says.

Of an error that people can mend it says the message alone, and nothing of tasks that went well. Warnings of `ragset.llm` stand
in it.
"""

import logging
from contextlib import suppress

from prefect import get_run_logger
from prefect.exceptions import MissingContextError, TerminationSignal

from ragset.errors import RagsetError

_WELL = ("Finished in state Completed(", "Finished in state Cached(")
_ENDED_BY_SIGNAL = "Finished in state Running("
"""Of a run whose process was told to end: what it is by then stands on the server."""


class _RunLog(logging.Handler):
    """Passes records on to the run in whose context they are made; outside of runs there is nobody to tell."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(MissingContextError):
            get_run_logger().log(record.levelno, record.getMessage())


_run_log = _RunLog(logging.WARNING)


def set_up_logs() -> None:
    """Set up what stands in the log of runs of this process; again, and nothing changes."""
    for name in ("prefect.flow_runs", "prefect.task_runs"):
        logging.getLogger(name).addFilter(_without_traceback)
    logging.getLogger("prefect.task_runs").addFilter(_is_eventful)
    logging.getLogger("prefect.flow_runs").addFilter(_has_ended)
    logging.getLogger("asyncio").addFilter(_is_unexpected)
    logging.getLogger("ragset.llm").addHandler(_run_log)


def _without_traceback(record: logging.LogRecord) -> bool:
    """Cut a traceback that nobody can do anything about: it would hide what to do."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, RagsetError):
        if record.levelno >= logging.ERROR:
            record.msg, record.args = str(error), ()  # without arguments nothing is filled in
        record.exc_info = record.exc_text = None
    return True


def _is_eventful(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_WELL)


def _has_ended(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_ENDED_BY_SIGNAL)


def _is_unexpected(record: logging.LogRecord) -> bool:
    """Whether it is about something else than a process that was told to end, and did."""
    return not (record.exc_info and isinstance(record.exc_info[1], TerminationSignal))
