"""Settings of where the batches of a run are worked on."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from ragset.settings.base import Names, Settings, optional


class RunnerSettings(Settings):
    """The processes that the batches of a run are worked on."""

    model_config = ConfigDict(title="Runner")
    stands_for = "kind"

    kind: Literal["local", "dask", "ray"] = Field(default="local", title="Kind")
    """`local` does all work in the process of the run; `dask` and `ray` send batches to the workers of a cluster. The dataset is
    the same."""
    workers: int | None = optional("Workers", "A number", "One for each core", ge=1, le=1024)
    """Number of worker processes to start on this machine, for the length of the run; empty: one for each core."""
    address: Annotated[str, Names.ADDRESS] = Field(
        default="", pattern=r"^((tcp|tls|ws|wss|ray)://\S+)?$", title="Address"
    )
    """Address of a cluster that is running, such as `tcp://scheduler:8786` (Dask) or `ray://head:10001` (Ray); empty: workers are
    started on this machine."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.kind == "local" and (self.address or self.workers):
            raise ValueError("kind: local has no workers and no address; name dask or ray")
        if self.address and self.workers:
            raise ValueError(
                "workers: a cluster that is running has the workers that it has; leave workers or address out"
            )
        if self.address and self.address.startswith("ray:") != (self.kind == "ray"):
            raise ValueError(f"address: {self.address.partition(':')[0]}:// is no address of {self.kind}")
        return self
