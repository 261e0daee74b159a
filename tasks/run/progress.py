"""How far a run is, as numbers that a terminal and an artifact can show while it goes on."""

import time
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass
class Progress:
    """Counts of one run; written by its tasks, read by whoever shows them."""

    stage: str = "start"  # what is being done: a key of `_STRETCHES`
    done: int = 0
    total: int = 0
    """Of the stage, in its own units; 0: unknown. Of `goldens`: chunks kept or rejected, of those tried until now."""
    kept: int = 0
    rejected: int = 0
    wanted: int | None = None
    calls_made: int = 0  # calls that were answered in this process; replies from the journal are not among them
    tokens_made: int = 0  # of their prompts and replies
    cost_made: float | None = 0.0  # what they cost in US dollars; None as soon as one of them has no known price
    batches: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    """Batches under way at a provider: how many of their requests are answered, of how many."""
    stopped: str = ""  # what ended the run before it was done, in a line; empty while it goes on or when it is done
    notices: list[str] = field(default_factory=list[str])  # what a person should know of the run, a line each
    # When each stage began its work, and which share of it was done then; and the share that was done when it was left.
    _began: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    _reached: dict[str, float] = field(default_factory=dict[str, float])
    _furthest: float = 0.0

    def begin(self, stage: str, total: int = 0, done: int = 0) -> None:
        """Enter a stage; one that is entered again with less done than before begins anew, such as the next index."""
        self._reached[self.stage] = self.share
        self.stage, self.done, self.total = stage, done, total
        if stage not in self._began or self.share < self._reached.get(stage, 0.0):
            self._began[stage] = (time.monotonic(), self.share)

    def add(self, other: "Progress") -> None:
        """Add what another process counted for this run."""
        for count in ("done", "kept", "rejected", "calls_made", "tokens_made"):
            setattr(self, count, getattr(self, count) + getattr(other, count))
        self.cost_made = None if self.cost_made is None or other.cost_made is None else self.cost_made + other.cost_made
        self.notices += other.notices

    @property
    def seconds_left(self) -> float | None:
        """Until the stage is done at the pace since it began its work; None before a tenth of it shows that pace."""
        now = time.monotonic()
        began, before = self._began.get(self.stage, (now, 0.0))
        if (gained := self.share - before) < _TELLING or now - began < 1:
            return None
        return (now - began) * (1 - self.share) / gained

    @property
    def in_batches(self) -> str:
        """How many requests of batches under way are answered; empty without such batches."""
        answered, requests = (sum(counts) for counts in zip((0, 0), *self.batches.values(), strict=True))
        return f"{answered:,} of {requests:,} answered in batches" if requests else ""

    @property
    def counts(self) -> list[str]:
        """What is done of the stage, in words."""
        parts = [f"{self.done:,} of {self.total:,}"] if self.total else []
        if self.stage != "review" and (self.kept or self.rejected or self.wanted):
            wanted = f" of {self.wanted:,}" if self.wanted else ""
            tried = [f"{one} candidates" for one in parts if self.stage == "goldens"]
            parts = [f"{self.kept:,}{wanted} accepted", f"{self.rejected:,} rejected", *tried]
        if self.calls_made:
            parts.append(f"{self.calls_made:,} calls")
        return [*parts, *filter(None, [self.in_batches])]

    @property
    def share(self) -> float:
        """Of the stage that is done, 0 to 1."""
        if self.stage == "goldens" and self.wanted:
            return min(1.0, self.kept / self.wanted)
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def overall(self) -> float:
        """Of the whole run that is done, as far as stages can be foreseen, 0 to 1; it never goes back."""
        begins, ends = _STRETCHES.get(self.stage, (0.0, 0.0))
        self._furthest = max(self._furthest, begins + (ends - begins) * self.share)
        return self._furthest


# Where in a run each stage begins and ends, roughly: models take nearly all of the time.
_STRETCHES = {
    "documents": (0.0, 0.03),
    "chunks": (0.03, 0.06),
    "index": (0.06, 0.08),
    "fill": (0.08, 0.1),
    "goldens": (0.1, 0.98),
    "benchmark": (0.1, 0.98),
    "dataset": (0.98, 0.99),
    "done": (1.0, 1.0),
}

# The share that must be done since a stage began. The first goldens come late, and then many at once.
_TELLING = 0.1

_current: ContextVar[Progress | None] = ContextVar("progress", default=None)


def watch() -> Progress:
    """A fresh record that this context's runs will write into, for whoever wants to look while they go on."""
    _current.set(fresh := Progress())
    return fresh


def progress() -> Progress:
    """The record of the run that is going on in this context."""
    return _current.get() or watch()
