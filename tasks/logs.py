"""What the log of a run says of errors that people can mend: the message alone, without a traceback."""

import logging

from ragset.errors import RagsetError

_LOGGERS = ("prefect.flow_runs", "prefect.task_runs")


def speak_plainly() -> None:
    """Let errors that ragset raises on purpose stand in the log of runs as their messages; again, and nothing changes.

    A traceback that nobody can do anything about would hide what to do.
    """
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_plain)


def _plain(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, RagsetError):
        if record.levelno >= logging.ERROR:
            record.msg, record.args = str(error), ()  # without arguments nothing is filled in
        record.exc_info = record.exc_text = None
    return True
