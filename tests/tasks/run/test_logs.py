"""What stands in the log of a run, and what does not."""

import logging

import pytest
from prefect.exceptions import TerminationSignal

from ragset.errors import InputError
from tasks.run.logs import set_up_logs


class Records(logging.Handler):
    """Whatever came through."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Records:
    """In the place of Prefect's handlers, which send what they get to a server."""
    handler = Records()
    set_up_logs()
    for name in ("prefect.task_runs", "prefect.flow_runs", "asyncio"):
        monkeypatch.setattr(logging.getLogger(name), "handlers", [handler])
        monkeypatch.setattr(logging.getLogger(name), "propagate", False)
        monkeypatch.setattr(logging.getLogger(name), "level", logging.INFO)
    return handler


@pytest.mark.parametrize(
    ("logger", "level", "message", "stands"),
    [
        ("prefect.task_runs", logging.INFO, "Finished in state Completed()", False),
        ("prefect.task_runs", logging.INFO, "Finished in state Cached(type=COMPLETED)", False),
        ("prefect.task_runs", logging.ERROR, "Finished in state Failed('no answer')", True),
        ("prefect.task_runs", logging.INFO, "judge 1-32: 32 in, 30 out", True),
        ("prefect.flow_runs", logging.INFO, "Finished in state Completed('3 of 5 goldens: the budget is spent')", True),
        ("prefect.flow_runs", logging.ERROR, "Finished in state Running()", False),
        ("prefect.flow_runs", logging.ERROR, "Finished in state Cancelled('by a person')", True),
    ],
)
def test_only_what_a_person_should_know_stands(
    kept: Records, logger: str, level: int, message: str, stands: bool
) -> None:
    logging.getLogger(logger).log(level, message)
    assert [record.getMessage() for record in kept.records] == ([message] if stands else [])


def test_a_mistake_of_a_person_is_told_without_a_traceback(kept: Records) -> None:
    try:
        raise InputError("out: is 100 % full")
    except InputError:
        logging.getLogger("prefect.flow_runs").exception("Encountered exception during execution: %r", "it")
    (record,) = kept.records
    assert (record.getMessage(), record.exc_info) == ("out: is 100 % full", None)


def test_a_process_that_was_told_to_end_is_no_error_of_asyncio_and_any_other_is(kept: Records) -> None:
    told = logging.getLogger("asyncio")
    for error in (TerminationSignal(signal=15), ValueError("broken")):
        told.error("unhandled exception during asyncio.run() shutdown", exc_info=error)
    assert [type(record.exc_info[1]) for record in kept.records if record.exc_info] == [ValueError]
