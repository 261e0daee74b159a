"""What a stage is, what it is built from, and how it asks a model."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from ragset.generation.checks import STANDARD, CheckSettings
from ragset.generation.evolutions import MULTI_CONTEXT, draw_evolutions, evolution_of
from ragset.generation.personas import WritingStyle, writing_style_of
from ragset.generation.query_samples import NO_SAMPLES, Samples
from ragset.generation.styles import usual_styles
from ragset.generation.weighted_choice import choose
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import Reply
from ragset.models import Candidate, Reject, Step
from ragset.settings import (
    AnyWriting,
    ContextWritingSettings,
    ConversationSettings,
    ThemeWritingSettings,
    WritingSettings,
)
from ragset.settings.writing import ANYBODY
from ragset.text.languages import guess_language
from ragset.text.query_forms import QueryForm
from ragset.text.rules import LANGUAGES

R = TypeVar("R", bound=Reply)
R_co = TypeVar("R_co", bound=Reply, covariant=True)

Outcome = Candidate | Reject
Checks = Callable[[R], Awaitable[Complaint | None] | Complaint | None]
"""What is to be mended about a reply, or None."""
Prompts = Mapping[str, Prompt]
Role = Literal["generator", "critic", "reader"]


class Models(NamedTuple):
    """Who can be asked."""

    generator: LLM
    critic: LLM
    reader: LLM
    """Answers without the passage, as a system under test might from memory."""


@dataclass(frozen=True)
class Setup:
    """The settings that a pipeline is built from."""

    writing: AnyWriting
    checks: CheckSettings = STANDARD
    seed: int = 0
    samples: Samples = NO_SAMPLES
    min_chunks: int = 1
    """That the answer to a query must need."""
    portrait: str = ""
    """Who reads the documents and why, as the generator describes them where the user does not."""
    max_chunks: int = 4
    """That a query over several chunks may join."""
    cross_document: bool = False
    """Whether a query over several chunks must join chunks of two documents."""

    @property
    def audience(self) -> str:
        """The people who ask, as prompts name them."""
        return self.writing.audience or self.portrait or ANYBODY

    @property
    def unanswerable(self) -> float:
        """The share of chunks from which an unanswerable query is drafted."""
        return self.writing.unanswerable if isinstance(self.writing, WritingSettings) else 0.0

    @property
    def conversations(self) -> ConversationSettings:
        """How many queries become the last question of a dialogue; none that one chunk answers."""
        return (
            self.writing.conversations if isinstance(self.writing, ContextWritingSettings) else ConversationSettings()
        )

    def converses(self, candidate: Candidate) -> bool:
        """Whether the chunk that the candidate was drafted from draws a dialogue."""
        share, case = self.conversations.share, _case(candidate)
        weights = {"conversation": share, "query": 1 - share}
        return share > 0 and choose(weights, self.seed, "conversation", case) == "conversation"

    @property
    def looks_for_passages(self) -> bool:
        """Whether the critic judges other passages that a search finds."""
        return self.checks.holes or self.unanswerable > 0

    def form(self, case: str) -> QueryForm | None:
        """The form of the sample that the chunk `case` draws, of those in a style that is asked for."""
        styles = self.writing.styles if isinstance(self.writing, WritingSettings) else {}
        return self.samples.form(self.writing.language, [name for name in styles if styles[name]], self.seed, case)

    def style(self, case: str) -> str:
        """The style that the chunk `case` draws; empty for queries over several chunks."""
        weights = self.styles(case)
        return choose(weights, self.seed, "style", case) if weights else ""

    def styles(self, case: str) -> Mapping[str, float]:
        """The weights by which the chunk `case` draws its style.

        Those given; else a sample's style; else the usual shares of the styles that suit the evolutions drawn.
        """
        if not isinstance(self.writing, WritingSettings):
            return {}
        if self.writing.styles:
            return self.writing.styles
        if form := self.form(case):
            return {form.opening: 1.0}
        kinds = self._drawn(case)
        return {
            style: share
            for style, share in usual_styles().items()
            if all(evolution_of(kind).suits(style) for kind in kinds)
        }

    def evolutions(self, case: str) -> tuple[str, ...]:
        """The evolutions that the chunk `case` draws, without those that do not suit the style of its query."""
        style = self.style(case)
        return tuple(kind for kind in self._drawn(case) if evolution_of(kind).suits(style))

    def _drawn(self, case: str) -> tuple[str, ...]:
        writing = self.writing
        if isinstance(writing, ThemeWritingSettings):
            return ()
        return draw_evolutions(writing.evolutions, writing.depth, compress=writing.compress, seed=self.seed, case=case)

    def evolutions_of(self, candidate: Candidate) -> tuple[str, ...]:
        """The evolutions of the chunk that the candidate was drafted from."""
        return self.evolutions(_case(candidate))

    def widens(self, candidate: Candidate) -> bool:
        """Whether the query is drafted from one chunk and takes a second one in when it evolves."""
        return self.evolutions_of(candidate)[:1] == (MULTI_CONTEXT,)


def _case(candidate: Candidate) -> str:
    """What random choices about the candidate go by, whichever of its chunks its query needs in the end."""
    return candidate.origin or candidate.chunks[0].id


@dataclass(frozen=True)
class Question(Generic[R_co]):
    """A prompt, who is asked, and what the reply is read into."""

    prompt: str
    of: Role
    reply: type[R_co]
    """`Reply` itself stands for what the prompt file names."""


class RefusedError(Exception):
    """Ends a stage: its candidate becomes a reject."""

    def __init__(self, reject: Reject) -> None:
        super().__init__(reject.reason)
        self.reject = reject


@dataclass(frozen=True)
class Case:
    """What a stage has at hand: the settings, the prompts and the models of its run."""

    setup: Setup
    prompts: Prompts
    models: Models
    stage: str = ""

    async def ask(
        self,
        candidate: Candidate,
        question: Question[R],
        inputs: Mapping[str, Any],
        check: Checks[R] | None = None,
        *,
        complaints: int = 1,
    ) -> R:
        """The reply to the question, as of `try_ask`; raises RefusedError where none fitted."""
        reply = await self.try_ask(question, inputs, check, complaints=complaints)
        if isinstance(reply, Unfit):
            raise self.refused(candidate, reply.reason, reply.detail)
        return reply

    async def try_ask(
        self, question: Question[R], inputs: Mapping[str, Any], check: Checks[R] | None = None, *, complaints: int = 1
    ) -> R | Unfit:
        """The reply to the question, or why none fitted; `complaints` says how often `check` may refuse one."""
        prompt, llm = self.prompts[question.prompt], getattr(self.models, question.of)
        reply: Any = prompt.reply_type if question.reply is Reply else question.reply
        return await ask(llm, prompt, reply, inputs, stage=self.stage, check=check, complaints=complaints)

    def step(self, question: Question[Any], kind: str = "", query: str | None = None) -> Step:
        """The line of lineage that the question leaves."""
        prompt, llm = self.prompts[question.prompt], getattr(self.models, question.of)
        return Step(stage=self.stage, kind=kind, prompt=prompt.id, model=llm.model, query=query)

    def refused(self, candidate: Candidate, reason: str, detail: str = "") -> RefusedError:
        """To raise where the stage refuses the candidate."""
        return RefusedError(candidate.rejected(self.stage, reason, detail))

    def language_of(self, candidate: Candidate) -> str:
        """The language of the query: the one ordered, else a ruled one that the chunks are in; empty: not known."""
        asked = self.setup.writing.language
        if not asked or any(prompt.ordered for prompt in self.prompts.values()):
            return asked
        found = guess_language(candidate.text)
        return found if found in LANGUAGES else asked

    def style_of(self, candidate: Candidate) -> WritingStyle:
        """The persona and sample queries that the generator imitates in this query."""
        setup, model = self.setup, self.models.generator.model
        return writing_style_of(candidate, setup.writing.personas, setup.samples, seed=setup.seed, model=model)


Work = Callable[[Candidate, Case], Awaitable[Outcome | Sequence[Outcome]]]


async def search_only(candidate: Candidate, case: Case) -> Candidate:  # noqa: ARG001
    """The work of a stage that only searches."""
    return candidate


@dataclass(frozen=True)
class Stage:
    """One step of a pipeline over one candidate. Runs, estimates and the funnel read it."""

    name: str
    work: Work
    asks: Mapping[Question[Any], float] = field(default_factory=dict[Question[Any], float])
    """What it may ask, and about how often for each candidate that enters; estimates go by it."""
    per_chunk: bool = False
    """It asks once for each chunk of the candidate."""
    shows: int = 0
    """Passages that a call shows beside the candidate's own chunks."""
    searches: bool = False
    """It searches the corpus for a whole batch (`ragset.generation.stages.round_trip`) and asks no model."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """Names of the prompt files, each once."""
        return tuple(dict.fromkeys(question.prompt for question in self.asks))

    async def run(self, candidate: Candidate, case: Case) -> Sequence[Outcome]:
        """One outcome of a candidate, or several where several queries are drafted or its query is split."""
        try:
            outcome = await self.work(candidate, replace(case, stage=self.name))
        except RefusedError as end:
            return [end.reject]
        return [outcome] if isinstance(outcome, Candidate | Reject) else outcome
