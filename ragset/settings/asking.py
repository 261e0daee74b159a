"""Models that write or judge, what may be spent on them, and the processes that work on a run."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from ragset.settings.base import OFFLINE, Names, Settings, optional


class ModelSettings(Settings):
    """A model that writes or judges."""

    model_config = ConfigDict(title="Model")
    stands_for = "model"

    model: str = Field(default=OFFLINE, min_length=1, title="Model")
    """`offline` (plain rules: free, and no language model), or a name at the OpenAI-compatible endpoint."""
    temperature: float | None = optional("Temperature", "A number", "The provider's", ge=0, le=2)
    """Sampling temperature; 0 gives the most likely reply. Empty: the provider's default."""
    max_tokens: int = Field(default=1024, ge=16, le=65_536, title="Longest reply, in tokens")
    """Maximum length of a reply. A reply that is cut off counts as malformed."""
    timeout: float = Field(default=60.0, gt=0, le=3600, title="Time-out of a call, in seconds")
    """Seconds after which a call is retried."""
    max_retries: int = Field(default=5, ge=0, le=20, title="Retries")
    """Retries of one call after time-outs, 429 and 5xx, before the run stops. You can continue the run later."""
    max_concurrency: int = Field(default=16, ge=1, le=1024, title="Calls at once")
    """Maximum number of simultaneous calls of one model. The run makes fewer after status 429, and more again later."""
    mode: Literal["live", "batch"] = Field(default="live", title="Mode")
    """`live` makes a call for each request. `batch` sends requests together through the provider's Batch API: half the price,
    and replies within 24 hours."""
    batch_hours: float = Field(default=24.0, ge=0, le=720, title="Hours to wait for a batch")
    """Hours to wait for a batch before the run ends; the same command takes the batch up again. 0: the run ends as soon as its
    requests are sent."""


class Budget(Settings):
    """Limits at which a run stops and keeps its results. All replies that a dataset uses count, including those of interrupted runs."""

    max_calls: int | None = optional("Calls", "A limit", "Unlimited", ge=0)
    """Maximum number of model calls."""
    max_tokens: int | None = optional("Tokens", "A limit", "Unlimited", ge=0)
    """Maximum number of tokens of prompts and replies. Calls that are pending at the limit are still paid."""
    max_cost: float | None = optional("Cost in US dollars", "A limit", "Unlimited", ge=0)
    """Maximum cost in US dollars, if prices are known. Calls that are pending at the limit are still paid."""


class ApprovalSettings(Settings):
    """Limits above which a run pauses for approval; without limits it never pauses."""

    above_cost: float | None = optional("Above a cost in US dollars", "An amount", "Never", ge=0)
    """Pause if the estimate costs more US dollars than this; an unknown price counts as more. Empty: never."""
    above_calls: int | None = optional("Above a number of calls", "A number", "Never", ge=0)
    """Pause if the estimate has more model calls than this. Empty: never."""
    wait_hours: float = Field(default=24.0, gt=0, le=720, title="Hours to wait")
    """Hours to wait for an answer. Without an answer the run ends and makes no model call."""

    @property
    def on(self) -> bool:
        """Whether there is anything to ask about."""
        return self.above_cost is not None or self.above_calls is not None


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
