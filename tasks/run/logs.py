"""The log of a run: notices; errors without traceback, no tasks that went well, warnings of `ragset.llm`."""

import logging
from contextlib import suppress

from prefect import get_run_logger
from prefect.exceptions import MissingContextError, TerminationSignal

from ragset.errors import RagsetError
from tasks.run.progress import progress


class _RunLog(logging.Handler):
    """Passes records on to the run in whose context they are made, if any."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(MissingContextError):
            get_run_logger().log(record.levelno, record.getMessage())


_run_log = _RunLog(logging.WARNING)


def warn(line: str) -> None:
    """Log a notice, and show it to whoever watches the run; a command may settle something before its run has a log."""
    progress().notices.append(line)
    with suppress(MissingContextError):
        get_run_logger().warning(line)


def set_up_logs() -> None:
    """Set up what stands in the log of runs of this process; calling it again changes nothing."""
    for name in ("prefect.flow_runs", "prefect.task_runs", "asyncio"):
        logging.getLogger(name).addFilter(_is_worth_telling)
    logging.getLogger("ragset.llm").addHandler(_run_log)


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """Also cuts the traceback of an error that people can mend: it would hide what to do."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, RagsetError):
        if record.levelno >= logging.ERROR:
            record.msg, record.args = str(error), ()  # without arguments nothing is filled in
        record.exc_info = record.exc_text = None
    if record.name == "asyncio":
        return not isinstance(error, TerminationSignal)  # the process was told to end, and did
    # What a run is whose process was told to end ("Running") stands on the server by then.
    dull = ("Completed(", "Cached(") if record.name == "prefect.task_runs" else ("Running(",)
    return not record.getMessage().startswith(tuple(f"Finished in state {state}" for state in dull))
