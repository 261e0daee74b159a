"""How many candidates passed each stage of past runs, kept in RAGSET_HOME: what estimates go by, and nothing else."""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from ragset.generation.forecast import Rate
from ragset.models import Model

logger = logging.getLogger(__name__)

FILE = "pass_rates.jsonl"
_LATEST = 20  # runs that are pooled: older ones had other prompts
_PUBLISHED = 10  # candidates that the published rate of a stage counts as
_OTHER_DOCUMENTS = 40  # candidates that rates of other documents count as, at most
_EXPECTED = 4  # candidates that the expected rate counts as beside a pilot


class Circumstances(Model):
    """What the pass rates of a run depend on, beside its documents."""

    kind: str
    generator: str
    critic: str
    settings: str  # a digest of the checks, and of what else decides how many pass


class PastRun(Model):
    """The funnel of one run."""

    run: str  # the same for a run and its continuation, of which the later one counts
    of: Circumstances
    stages: dict[str, tuple[int, int]]
    """Candidates that were asked about and candidates passed on, by stage, in order."""


class PastRates(NamedTuple):
    """The pooled funnels of runs in the same circumstances."""

    runs: int = 0
    candidates: int = 0
    """That entered the first stage."""
    stages: Mapping[str, tuple[int, int]] = {}

    @classmethod
    def of(cls, runs: Iterable[PastRun]) -> "PastRates":
        """The sums over `runs`."""
        number, first, entered, left = 0, 0, Counter[str](), Counter[str]()
        for run in runs:
            number += 1
            first += next(iter(run.stages.values()), (0, 0))[0]
            for stage, (came, went) in run.stages.items():
                entered[stage] += came
                left[stage] += went
        return cls(number, first, {stage: (entered[stage], left[stage]) for stage in entered})

    def of_others(self, stage: str, published: float) -> Rate:
        """The rate of the stage on other documents: these runs', drawn towards the `published` one where they are few.

        Documents differ more than candidates of the same ones: however many were seen, the rate may be off.
        """
        entered, left = self.stages.get(stage, (0, 0))
        share = (left + _PUBLISHED * published) / (entered + _PUBLISHED)
        return Rate(share, min(entered + _PUBLISHED, _OTHER_DOCUMENTS))

    def at(self, stage: str, before: Rate) -> Rate:
        """The rate of the stage on the documents of these runs, drawn towards what was expected `before`."""
        entered, left = self.stages.get(stage, (0, 0))
        if not entered:
            return before
        return Rate((left + _EXPECTED * before.share) / (entered + _EXPECTED), entered + _EXPECTED)


NO_RUNS = PastRates()


def remember(home: Path, run: PastRun) -> None:
    """Add a run to the file. Several processes may do so at once; a failure is logged, as the run is done."""
    # In front, a line break parts the run from what a killed process left of another.
    line = f"\n{run.model_dump_json()}\n".encode()
    try:
        with (home / FILE).open("ab", buffering=0) as file:
            file.write(line)
    except OSError as error:
        logger.warning("%s: the pass rates of this run could not be kept (%s)", home / FILE, error.strerror)


def past_rates(home: Path, of: Circumstances) -> PastRates:
    """Of the latest runs in these circumstances. Lines that cannot be read are left out, and logged as one number."""
    try:
        lines = (home / FILE).read_bytes().splitlines()
    except FileNotFoundError:
        return NO_RUNS
    except OSError as error:
        logger.warning("%s: cannot be read (%s)", home / FILE, error.strerror)
        return NO_RUNS
    found: dict[str, PastRun] = {}
    unread = 0
    for line in filter(None, lines):
        try:
            run = PastRun.model_validate_json(line)
        except ValidationError:
            unread += 1
            continue
        found.pop(run.run, None)
        found[run.run] = run
    if unread:
        logger.warning("%s: %d lines cannot be read and are left out", home / FILE, unread)
    alike = [run for run in found.values() if run.of == of]
    return PastRates.of(alike[-_LATEST:])
