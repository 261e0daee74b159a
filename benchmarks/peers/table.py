"""The measurements of all peers as a table in Markdown and as JSON."""

import json
import platform
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.peers.measure import FAULTS, Measured, Run

_HEADS = (
    "",
    "goldens",
    "calls for a golden",
    "prompt tokens for a golden",
    "embedding requests",
    "seconds (of the processor)",
    "share of the ideal",
    "with 10 % status 500",
    "with 10 % malformed",
    "with 5 % never answered",
    "asked again after kill -9",
)


@dataclass
class Report:
    """What was asked of all, and what each gave."""

    n: int
    latency: float
    at_once: int
    limit: float
    date: str = field(default_factory=lambda: datetime.now(UTC).date().isoformat())
    python: str = field(default_factory=platform.python_version)
    measured: list[Measured] = field(default_factory=list[Measured])

    def ideal(self, run: Run) -> float:
        """The share of the time between the first request and the last answer that full use of all calls at once would need."""
        requests = run.calls + run.embeddings
        return requests * self.latency / self.at_once / run.asking if run.asking else 0.0

    def markdown(self) -> str:
        """The table below a line that says what was asked for."""
        asked = (
            f"{self.date}, Python {self.python}: {self.n} goldens, {self.at_once} calls at once of {self.latency:g} s."
        )
        rows = [_HEADS, ("---",) * len(_HEADS), *map(self._row, self.measured)]
        return "\n".join([asked, "", *(f"| {' | '.join(row)} |" for row in rows), ""])

    def _row(self, measured: Measured) -> tuple[str, ...]:
        name = f"{measured.peer} {measured.version}".strip()
        run = measured.runs.get("undisturbed")
        if not run or not run.goldens:
            why = measured.failed or (run and run.ended) or "made none"
            return name, _cell(why), *[""] * (len(_HEADS) - 2)
        again = _cell(measured.runs["again"].ended)
        again = again or f"{measured.asked_again} of {measured.runs['killed'].calls} calls"
        return (
            name,
            _survived(run),
            f"{run.calls / run.goldens:.1f}",
            f"{run.tokens / run.goldens:,.0f}",
            str(run.embeddings),
            f"{run.seconds:.0f} ({run.processor:.0f})",
            f"{self.ideal(run):.2f}",
            *(_survived(measured.runs[fault]) for fault in FAULTS),
            again,
        )

    def as_json(self) -> dict[str, Any]:
        """All figures."""
        peers = [
            {
                **asdict(one),
                "asked_again": one.asked_again,
                "ideal": {name: self.ideal(run) for name, run in one.runs.items()},
            }
            for one in self.measured
        ]
        asked = {name: getattr(self, name) for name in ("date", "python", "n", "latency", "at_once", "limit")}
        return {**asked, "peers": peers}

    def write(self, folder: Path) -> None:
        """`peers.md` and `peers.json`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "peers.md").write_text(self.markdown(), encoding="utf-8")
        (folder / "peers.json").write_text(json.dumps(self.as_json(), indent=2) + "\n", encoding="utf-8")


def _survived(run: Run) -> str:
    garbled = f", {run.garbled} of them garbled" if run.garbled else ""
    return f"{run.goldens}{garbled}" + (f" ({_cell(run.ended)})" if run.ended else "")


def _cell(text: str) -> str:
    """On one line and without what would end a cell."""
    return " ".join(text.split()).replace("|", "\\|")
