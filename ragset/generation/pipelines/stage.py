"""One step on the way from a chunk to a golden, and the models that it may ask."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ragset.errors import InputError
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.models import Candidate, Reject

Outcome = Candidate | Reject
Prompts = Mapping[str, Prompt]


class Models(NamedTuple):
    """Who can be asked."""

    generator: LLM
    """Writes."""
    critic: LLM
    """Judges and filters."""
    reader: LLM
    """Answers as a system under test would: without the passage, to see what it knows by heart."""


Run = Callable[[Candidate, Prompts, Models], Awaitable[Outcome | Sequence[Outcome]]]


@dataclass(frozen=True)
class Stage:
    """One step of the recipe over one candidate."""

    name: str
    prompts: tuple[str, ...]
    """Names of the prompt files that the stage may use."""
    run: Run
    """What becomes of a candidate: one, a reject, or several of both where it is split."""
    searches: bool = False
    """It asks no model but searches the corpus, for a whole batch at once (`ragset.generation.stages.round_trip.find_again`); `run` then
    leaves the candidate as it is."""


def several(outcome: Outcome | Sequence[Outcome]) -> Sequence[Outcome]:
    """What a stage made of a candidate, as a sequence."""
    return [outcome] if isinstance(outcome, Candidate | Reject) else outcome


def known(field: str, weights: Mapping[str, float], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `kinds` with a weight above 0.

    Raises:
        InputError: a weight for a kind that there is none of.
    """
    unknown = sorted(set(weights) - set(kinds))
    if unknown:
        raise InputError(f"{field}: there is no {', '.join(unknown)}; choose from {', '.join(kinds)}")
    return tuple(kind for kind in kinds if weights.get(kind, 0) > 0)
