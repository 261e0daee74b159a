"""What a stage is: a name, the prompts it asks, and a function from a candidate to what becomes of it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ragset.errors import InputError
from ragset.generation.checks import STANDARD, CheckSettings
from ragset.generation.personas import NO_SAMPLES, WritingStyle, drafted_writing_style, writing_style_of
from ragset.generation.query_samples import Samples
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.models import Candidate, Reject
from ragset.settings import ContextWritingSettings, WritingSettings
from ragset.text.languages import guess_language
from ragset.text.rules import LANGUAGES

Outcome = Candidate | Reject
Prompts = Mapping[str, Prompt]
Role = Literal["generator", "critic", "reader"]

_RULED = frozenset(LANGUAGES)
"""Languages that queries are checked in; of another the rules say little."""


class Models(NamedTuple):
    """Who can be asked."""

    generator: LLM
    """Writes."""
    critic: LLM
    """Judges and filters."""
    reader: LLM
    """Answers without the passage, as a system under test might from memory."""


class Asks(NamedTuple):
    """A prompt that a stage may ask."""

    prompt: str
    of: Role
    times: float = 1.0
    """About how often for each candidate that enters; estimates go by it."""


Run = Callable[[Candidate, Prompts, Models], Awaitable[Outcome | Sequence[Outcome]]]


@dataclass(frozen=True)
class Stage:
    """One step of a pipeline over one candidate."""

    name: str
    asks: tuple[Asks, ...]
    run: Run
    """What becomes of a candidate: one, a reject, or several of both where it is split."""
    per_chunk: bool = False
    """It asks once for each chunk of the candidate."""
    shows: int = 0
    """Passages that a call shows beside the candidate's own chunks."""
    searches: bool = False
    """It searches the corpus for a whole batch (`ragset.generation.stages.round_trip`) and asks no model; `run` does nothing."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of the prompt files, each once."""
        return tuple(dict.fromkeys(ask.prompt for ask in self.asks))


@dataclass(frozen=True)
class Setup:
    """The settings that a pipeline is built from."""

    writing: WritingSettings | ContextWritingSettings
    checks: CheckSettings = STANDARD
    seed: int = 0
    samples: Samples = NO_SAMPLES
    """The queries of the file that `writing` names."""
    min_chunks: int = 1

    @property
    def unanswerable(self) -> float:
        """The share of chunks from which an unanswerable query is drafted."""
        return self.writing.unanswerable if isinstance(self.writing, WritingSettings) else 0.0

    @property
    def looks_for_passages(self) -> bool:
        """Whether the critic judges other passages that a search finds."""
        return self.checks.holes or self.unanswerable > 0

    def language_of(self, candidate: Candidate, prompts: Prompts) -> str:
        """The language that the candidate's query is to be in: the one ordered, else that of its own chunks.

        In a corpus of several languages a query about a German page is a German one, whatever most of the pages are in.
        """
        if any(prompt.ordered for prompt in prompts.values()):
            return self.writing.language
        found = guess_language(candidate.text) if self.writing.language else None
        return found if found in _RULED else self.writing.language

    def drawn_style(self, candidate: Candidate, models: Models) -> WritingStyle:
        """The persona and sample queries that the generator imitates, drawn by the first chunk."""
        personas, model = self.writing.personas, models.generator.model
        return writing_style_of(candidate.chunks[0], personas, self.samples, seed=self.seed, model=model)

    def drafted_style(self, candidate: Candidate, models: Models) -> WritingStyle:
        """The persona and sample queries that the generator imitated when it drafted the query."""
        return drafted_writing_style(candidate, self.writing.personas, self.samples, model=models.generator.model)


def several(outcome: Outcome | Sequence[Outcome]) -> Sequence[Outcome]:
    """What a stage made of a candidate, as a sequence."""
    return [outcome] if isinstance(outcome, Candidate | Reject) else outcome


def shares(field: str, weights: Mapping[str, float], kinds: Sequence[str]) -> dict[str, float]:
    """The weights above 0, in the order of `kinds`, as shares of their sum.

    Raises:
        InputError: a weight for a kind that is not there.
    """
    unknown = sorted(set(weights) - set(kinds))
    if unknown:
        raise InputError(f"{field}: there is no {', '.join(unknown)}; choose from {', '.join(kinds)}")
    total = sum(weights.values())
    return {kind: weights[kind] / total for kind in kinds if weights.get(kind, 0) > 0}
