"""Finds the runs that `stop` ends, and tells Prefect's server what became of them."""

from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

import httpx
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, WorkPoolFilter
from prefect.client.schemas.objects import StateType
from prefect.states import Cancelled, Crashed

from flows.deploy.deployments import POOL

_BEGUN = [StateType.PENDING, StateType.RUNNING, StateType.PAUSED, StateType.CANCELLING]
_ENDED = {StateType.COMPLETED, StateType.FAILED, StateType.CANCELLED}
_STOPPED = (
    "The service was stopped (python -m flows stop) before this run had ended. Run it again (Retry here, or `prefect "
    "flow-run retry`): it goes on from what was answered, and nothing is asked twice."
)


def unfinished_runs() -> list[UUID]:
    """The workers' runs that have begun and not ended; none if the server does not answer."""
    with suppress(httpx.HTTPError), get_client(sync_client=True) as client:
        runs = client.read_flow_runs(
            flow_run_filter=FlowRunFilter.model_validate({"state": {"type": {"any_": _BEGUN}}}),
            work_pool_filter=WorkPoolFilter.model_validate({"name": {"any_": [POOL]}}),
        )
        return [run.id for run in runs]
    return []


def mark_stopped(runs: Sequence[UUID]) -> None:
    """Set runs whose process was ended to Crashed, or to Cancelled if somebody had cancelled them.

    Some are Crashed already, without the reason.
    """
    with suppress(httpx.HTTPError), get_client(sync_client=True) as client:
        for run in runs:
            state = client.read_flow_run(run).state_type
            if state not in _ENDED:
                stopped = (Cancelled if state == StateType.CANCELLING else Crashed)(message=_STOPPED)
                client.set_flow_run_state(run, stopped, force=True)
