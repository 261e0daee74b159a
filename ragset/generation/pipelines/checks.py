"""The checks that settings switch on, and where each stands in a pipeline. One decorated function adds one."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from ragset.generation.pipelines.stage import Asks, Models, Outcome, Prompts, Setup, Stage
from ragset.generation.stages import closed_book, judge_chunk, judge_query, round_trip, score_chunk, support
from ragset.models import Candidate, Reject
from ragset.settings.registry import Registry

Place = Literal["chunk", "query", "golden"]
"""What a check looks at: the chunks, the drafted query, or the finished golden."""
Build = Callable[[Setup], Stage | None]


class Check(NamedTuple):
    """A check in a pipeline."""

    place: Place
    build: Build
    """Its stage, or None where the settings switch it off."""
    advice: str = ""
    """What to do where it rejects most of the candidates."""


CHECKS = Registry[Check]("checks")


def check(name: str, place: Place, advice: str = "") -> Callable[[Build], Build]:
    """Add a check after the others of its place; `name` is its stage's."""

    def add(build: Build) -> Build:
        CHECKS.add(name, Check(place, build, advice))
        return build

    return add


def checks_of(place: Place, setup: Setup) -> Sequence[Stage]:
    """The stages of the checks of that place that are switched on, in the order of the registry."""
    built = (check.build(setup) for check in CHECKS.values() if check.place == place)
    return [stage for stage in built if stage is not None]


@check(
    judge_chunk.STAGE,
    "chunk",
    advice="most chunks were judged as metadata or as not self-contained: add documents, or cut larger chunks",
)
def judge(setup: Setup) -> Stage | None:
    """`judge_chunks`: does a chunk stand on its own and say something?"""

    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        prompt = prompts[judge_chunk.PROMPT]
        return await judge_chunk.judge_chunks(candidate, prompt, models.critic, min_chunks=setup.min_chunks)

    stage = Stage(judge_chunk.STAGE, (Asks(judge_chunk.PROMPT, "critic"),), run, per_chunk=True)
    return stage if setup.checks.judge_chunks else None


@check(
    score_chunk.STAGE,
    "chunk",
    advice="most chunks have little to ask about: add documents, or lower checks.min_chunk_score",
)
def score(setup: Setup) -> Stage | None:
    """`score_chunks`: how much is there to ask about?"""

    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        prompt, least = prompts[score_chunk.PROMPT], setup.checks.min_chunk_score
        return await score_chunk.score_chunk(candidate, prompt, models.critic, least=least)

    stage = Stage(score_chunk.STAGE, (Asks(score_chunk.PROMPT, "critic"),), run)
    return stage if setup.checks.score_chunks else None


@check(judge_query.STAGE, "query", advice="most drafts need outside context or are vague: try a stronger --model")
def screen(setup: Setup) -> Stage | None:
    """`judge_queries`: does a drafted query stand on its own? If not, it is rewritten."""

    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return await judge_query.screen_query(
            candidate,
            prompts,
            models.critic,
            models.generator,
            # Rewritten by its chunk, an unanswerable query would come to ask what the chunk does say.
            max_rewrites=0 if candidate.unanswerable else setup.checks.max_rewrites,
            language=setup.language_of(candidate, prompts),
            writing_style=setup.drafted_style(candidate, models),
        )

    asks = (Asks(judge_query.PROMPT, "critic", 1.2), Asks(judge_query.REWRITE_PROMPT, "generator", 0.2))
    return Stage(judge_query.STAGE, asks, run) if setup.checks.judge_queries else None


@check(
    round_trip.STAGE,
    "golden",
    advice="a search by most queries does not find their evidence: label them instead (checks.round_trip)",
)
def find(setup: Setup) -> Stage | None:
    """`round_trip`: does a search by the query find the evidence? `holes` needs what it finds, too."""

    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        del prompts, models
        return candidate

    used = setup.looks_for_passages or setup.checks.round_trip != "off"
    return Stage(round_trip.STAGE, (), run, searches=True) if used else None


@check(
    support.STAGE,
    "golden",
    advice="the corpus does answer most of the unanswerable queries: lower writing.unanswerable",
)
def judge_passages(setup: Setup) -> Stage | None:
    """`holes`: which other passages that a search finds answer the query as well?"""

    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        outcome = await support.judge_support(candidate, prompts[support.PROMPT], models.critic)
        return outcome if isinstance(outcome, Reject) else round_trip.update_rank(outcome, setup.checks, support.STAGE)

    calls = (1.0 if setup.checks.holes else setup.unanswerable) * 2 * setup.checks.pool / support.MOST_PASSAGES
    stage = Stage(support.STAGE, (Asks(support.PROMPT, "critic", calls),), run, shows=support.MOST_PASSAGES)
    return stage if setup.looks_for_passages else None


@check(
    closed_book.STAGE,
    "golden",
    advice="the reader knows most answers without the passage: label them instead (checks.closed_book)",
)
def close_book(setup: Setup) -> Stage | None:
    """`closed_book`: does the reader answer without the passage?"""
    use = setup.checks.closed_book
    if use == "off":
        return None

    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return await closed_book.closed_book(candidate, prompts, models.reader, models.critic, use=use)

    asks = (Asks(closed_book.PROMPT, "reader"), Asks(closed_book.JUDGE_PROMPT, "critic"))
    return Stage(closed_book.STAGE, asks, run)
