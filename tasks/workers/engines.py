"""What is particular to Dask and to Ray: Prefect's task runner for each, started and ended."""

import logging
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import resource_tracker
from typing import Any, ClassVar

from prefect.futures import PrefectWrappedFuture

from ragset.errors import InputError, WorkerLost, install
from ragset.settings import RunnerSettings

Future = PrefectWrappedFuture[Any, Any]
_STORE = 100_000_000  # bytes of Ray's object store; what is sent is small


class Engine(ABC):
    """A cluster that is running, or that is started on this machine. Its methods block."""

    packages: ClassVar[tuple[str, ...]]

    def __init__(self, settings: RunnerSettings) -> None:
        self._settings = settings
        self.runner: Any = self._runner(settings.workers or os.cpu_count() or 1)

    def start(self) -> int:
        """Connect; how many workers there are."""
        try:
            with _without_interrupts():
                self.runner.__enter__()
                return self._count()
        except (OSError, TimeoutError) as error:
            where = self._settings.address or "this machine"
            raise WorkerLost(
                f"runner.address: no cluster of {self._settings.kind} answers at {where} ({type(error).__name__}); is it running?"
            ) from None

    def stop(self) -> None:
        """End what was started here."""
        self.runner.__exit__(None, None, None)

    @property
    @abstractmethod
    def lost(self) -> type[Exception]:
        """Raised where workers end again and again."""

    @abstractmethod
    def cancel(self, future: Future) -> None:
        """Take a piece of work back."""

    @abstractmethod
    def _runner(self, workers: int) -> Any: ...

    @abstractmethod
    def _count(self) -> int: ...


class Dask(Engine):
    """Dask's distributed."""

    packages = ("distributed", "prefect_dask")

    @property
    def lost(self) -> type[Exception]:
        """A worker ended with each try of the work."""
        from distributed import KilledWorker

        return KilledWorker

    def cancel(self, future: Future) -> None:
        """The worker sees that the work is not wanted any more."""
        future.wrapped_future.cancel()

    def _runner(self, workers: int) -> Any:
        from prefect_dask.task_runners import DaskTaskRunner

        if self._settings.address:
            return DaskTaskRunner(address=self._settings.address)
        return DaskTaskRunner(
            cluster_kwargs={"n_workers": workers, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        )

    def _count(self) -> int:
        return sum(self.runner.client.nthreads().values())


class Ray(Engine):
    """Ray."""

    packages = ("ray", "prefect_ray")

    @property
    def lost(self) -> type[Exception]:
        """Among them that a worker ended with each try of the work."""
        from ray.exceptions import RayError

        return RayError

    def cancel(self, future: Future) -> None:
        """Ends the worker: work cannot be interrupted otherwise."""
        import ray

        ray.cancel(future.wrapped_future, force=True)

    def _runner(self, workers: int) -> Any:
        import ray
        from prefect_ray.task_runners import RayTaskRunner

        logging.getLogger(ray.__name__).setLevel(logging.ERROR)  # it tells who starts a cluster by hand what to set
        if self._settings.address:
            return RayTaskRunner(address=self._settings.address)
        small = {"num_cpus": workers, "object_store_memory": _STORE}
        quiet = {"include_dashboard": False, "log_to_driver": False, "configure_logging": False}
        return RayTaskRunner(init_kwargs={**small, **quiet})

    def _count(self) -> int:
        import ray

        return int(ray.cluster_resources().get("CPU", 1))


@contextmanager
def _without_interrupts() -> Generator[None]:
    """Processes that this thread starts in the block never see Ctrl-C, which a terminal sends to them as well."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # multiprocessing's, whose start lets interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_ENGINES: dict[str, type[Engine]] = {"dask": Dask, "ray": Ray}


def check_runner(settings: RunnerSettings) -> None:
    """Return if the packages of the engine are installed."""
    engine = _ENGINES.get(settings.kind)
    if engine and not all(map(find_spec, engine.packages)):
        raise InputError(f"runner {settings.kind} needs {', '.join(engine.packages)}: {install(settings.kind)}")


def engine_of(settings: RunnerSettings) -> Engine | None:
    """The engine of these settings, not yet started; None: the process of the run does all work."""
    check_runner(settings)
    engine = _ENGINES.get(settings.kind)
    return engine and engine(settings)
