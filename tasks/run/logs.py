"""What the log of a run says: of errors that people can mend the message alone, and nothing of tasks that went well."""

import logging

from prefect.exceptions import TerminationSignal

from ragset.errors import RagsetError

_LOGGERS = ("prefect.flow_runs", "prefect.task_runs")
_WELL = ("Finished in state Completed(", "Finished in state Cached(")
_ENDED_BY_SIGNAL = "Finished in state Running("
"""Of a run whose process was told to end: what it is by then stands on the server."""


def speak_plainly() -> None:
    """Let errors that ragset raises on purpose stand in the log of runs as their messages; again, and nothing changes.

    A traceback that nobody can do anything about would hide what to do, and so would a line for each task that did what it
    should.
    """
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_plain)
    logging.getLogger("prefect.task_runs").addFilter(_eventful)
    logging.getLogger("prefect.flow_runs").addFilter(_ended)
    logging.getLogger("asyncio").addFilter(_unexpected)


def _plain(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, RagsetError):
        if record.levelno >= logging.ERROR:
            record.msg, record.args = str(error), ()  # without arguments nothing is filled in
        record.exc_info = record.exc_text = None
    return True


def _eventful(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_WELL)


def _unexpected(record: logging.LogRecord) -> bool:
    """Whether it is about something else than a process that was told to end, and did."""
    return not (record.exc_info and isinstance(record.exc_info[1], TerminationSignal))


def _ended(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(_ENDED_BY_SIGNAL)
