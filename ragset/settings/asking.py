"""Models that write or judge, and what may be spent on them."""

from pydantic import ConfigDict, Field

from ragset.settings.base import OFFLINE, Settings, either


class ModelSettings(Settings):
    """A model that writes or judges."""

    model_config = ConfigDict(title="Model")

    model: str = Field(default=OFFLINE, min_length=1, title="Model")
    """`offline` (plain rules: free, and no language model), or a name at the OpenAI-compatible endpoint."""
    temperature: float | None = Field(
        default=None, ge=0, le=2, title="Temperature", json_schema_extra=either("A number", "The provider's")
    )
    """0 always gives the likeliest reply; empty: the provider's default."""
    max_tokens: int = Field(default=1024, ge=16, le=65_536, title="Longest reply, in tokens")
    """A reply that is cut off there counts as malformed."""
    timeout: float = Field(default=60.0, gt=0, le=3600, title="Time-out of a call, in seconds")
    """Seconds after which a call is tried again."""
    max_retries: int = Field(default=5, ge=0, le=20, title="Retries")
    """How often one call is tried again, on time-outs, 429 and 5xx, before the run stops; it can be continued later."""
    max_concurrency: int = Field(default=16, ge=1, le=1024, title="Calls at once")
    """The most calls at once of one model; the run makes fewer after the provider answers 429, and more again later."""


class Budget(Settings):
    """The limits at which a run ends with what it has. Every reply that the dataset rests on counts, also those of interrupted runs."""

    max_calls: int | None = Field(default=None, ge=0, title="Calls", json_schema_extra=either("A limit", "Unlimited"))
    """The run ends when so many calls of models were made."""
    max_tokens: int | None = Field(default=None, ge=0, title="Tokens", json_schema_extra=either("A limit", "Unlimited"))
    """The run ends when prompts and replies have so many tokens; calls under way then are still paid."""
    max_cost: float | None = Field(
        default=None, ge=0, title="Cost in US dollars", json_schema_extra=either("A limit", "Unlimited")
    )
    """The run ends when so many US dollars were spent, if prices are known; calls under way then are still paid."""


class ApprovalSettings(Settings):
    """The limits above which a run pauses and asks a person whether to go on; without limits it never asks."""

    above_cost: float | None = Field(
        default=None, ge=0, title="Above a cost in US dollars", json_schema_extra=either("An amount", "Never")
    )
    """The run asks before it spends more US dollars than this; an unknown price counts as above. Empty: any cost."""
    above_calls: int | None = Field(
        default=None, ge=0, title="Above a number of calls", json_schema_extra=either("A number", "Never")
    )
    """The run asks before it makes more calls of models than this. Empty: any number."""
    wait_hours: float = Field(default=24.0, gt=0, le=720, title="Hours to wait")
    """The run waits so many hours for an answer; without one it ends, and has spent nothing."""

    @property
    def on(self) -> bool:
        """Whether there is anything to ask about."""
        return self.above_cost is not None or self.above_calls is not None
