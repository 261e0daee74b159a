"""Stages that both pipelines have."""

from collections.abc import Sequence

from ragset.generation.checks import CheckSettings
from ragset.generation.personas import QueryVoice, voice_kept, voice_of
from ragset.generation.pipelines.stage import Models, Outcome, Prompts, Run, Stage
from ragset.generation.query_samples import Samples
from ragset.generation.stages.closed_book import JUDGE_PROMPT as JUDGE_ANSWER
from ragset.generation.stages.closed_book import PROMPT as CLOSED_BOOK
from ragset.generation.stages.closed_book import STAGE as CLOSED_BOOK_STAGE
from ragset.generation.stages.closed_book import closed_book
from ragset.generation.stages.critique import OF_A_QUERY, SEPARATE, TOGETHER, critique_golden
from ragset.generation.stages.evolve import (
    COMPRESS,
    EVOLUTIONS,
    JUDGE_PROMPT,
    MULTI_CONTEXT,
    MULTI_CONTEXT_PROMPT,
    NONE,
    SAME_PROMPT,
    Evolver,
)
from ragset.generation.stages.judge_query import PROMPT as JUDGE_QUERY
from ragset.generation.stages.judge_query import REWRITE_PROMPT as REWRITE_QUERY
from ragset.generation.stages.judge_query import screen_query
from ragset.generation.stages.round_trip import STAGE as FIND
from ragset.generation.stages.round_trip import rank_again
from ragset.generation.stages.score_chunk import PROMPT as SCORE
from ragset.generation.stages.score_chunk import score_chunk
from ragset.generation.stages.support import PROMPT as SUPPORT
from ragset.generation.stages.support import STAGE as SUPPORT_STAGE
from ragset.generation.stages.support import judge_support
from ragset.models import Candidate, Reject
from ragset.settings import ContextWritingSettings, WritingSettings
from ragset.text.languages import guess_language
from ragset.text.rules.phrases import LEANING

_RULED = frozenset(LEANING)
"""Languages that queries are looked at in; of another the rules say little, and its small words are seldom enough."""


def voiced(
    candidate: Candidate,
    models: Models,
    writing: WritingSettings | ContextWritingSettings,
    samples: Samples,
    seed: int,
) -> QueryVoice:
    """In which the generator is to word the candidate's query, drawn by its first chunk."""
    return voice_of(candidate.chunks[0], writing.personas, samples, seed=seed, model=models.generator.model)


def drafted_in(
    candidate: Candidate, models: Models, writing: WritingSettings | ContextWritingSettings, samples: Samples
) -> QueryVoice:
    """In which the generator has worded the candidate's query."""
    return voice_kept(candidate, writing.personas, samples, model=models.generator.model)


def language_of(candidate: Candidate, prompts: Prompts, writing: WritingSettings | ContextWritingSettings) -> str:
    """The language that the candidate's query is to be in: the one that is ordered, else that of its own chunks.

    In a corpus of several languages a query about a German page is a German one, whatever most of the pages are in.
    """
    if any(prompt.ordered for prompt in prompts.values()):
        return writing.language
    found = guess_language(candidate.text) if writing.language else None
    return found if found in _RULED else writing.language


def scoring(checks: CheckSettings) -> tuple[Stage, ...]:
    """The grades of a chunk, where they are asked for."""

    async def score(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return await score_chunk(candidate, prompts[SCORE], models.critic, least=checks.min_chunk_score)

    return (Stage("score", (SCORE,), score),) if checks.score_chunks else ()


def screening(
    checks: CheckSettings, writing: WritingSettings | ContextWritingSettings, samples: Samples
) -> tuple[Stage, ...]:
    """Drafted queries judged and rewritten, where that is asked for."""

    async def screen(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        critic, generator = models.critic, models.generator
        # Rewritten by its chunk, a near miss would come to ask what the chunk does say.
        most = 0 if candidate.unanswerable else checks.max_rewrites
        language = language_of(candidate, prompts, writing)
        voice = drafted_in(candidate, models, writing, samples)
        return await screen_query(
            candidate, prompts, critic, generator, max_rewrites=most, language=language, voice=voice
        )

    return (Stage("screen", (JUDGE_QUERY, REWRITE_QUERY), screen),) if checks.judge_queries else ()


def evolver(prompts: Prompts, models: Models, checks: CheckSettings, language: str, voice: QueryVoice) -> Evolver:
    """Of queries drafted in that voice, by the checks that are switched on."""
    return Evolver(
        prompts=prompts,
        generator=models.generator,
        critic=models.critic,
        language=language,
        voice=voice,
        notice_same=checks.same_query,
        reject_same=checks.unevolved == "reject",
        judge=checks.judge_evolutions,
    )


def used(kinds: Sequence[str], *, compress: bool) -> tuple[str, ...]:
    """The kinds that a chain may hold: `compress` comes after any chain where that is asked for."""
    return tuple(dict.fromkeys([*kinds, COMPRESS])) if compress else tuple(kinds)


def evolving(kinds: Sequence[str], checks: CheckSettings, run: Run) -> tuple[Stage, ...]:
    """The stage, where there is anything to evolve by."""
    ways = {**EVOLUTIONS, MULTI_CONTEXT: MULTI_CONTEXT_PROMPT}
    asked = [ways[kind] for kind in kinds if kind != NONE]
    if not asked:
        return ()
    compared = checks.same_query and set(asked) != {EVOLUTIONS[COMPRESS]}
    asked += [SAME_PROMPT] * compared + [JUDGE_PROMPT] * checks.judge_evolutions
    return (Stage("evolve", tuple(asked), run),)


def answerable(run: Run) -> Run:
    """`run` for candidates that have an answer; those made to have none pass as they are."""

    async def spared(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome | Sequence[Outcome]:
        return candidate if candidate.unanswerable else await run(candidate, prompts, models)

    return spared


def critiquing(writing: WritingSettings | ContextWritingSettings) -> Stage:
    """The last word of the critic, on the final text."""

    async def critique(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return await critique_golden(
            candidate, prompts, models.critic, audience=writing.audience, threshold=writing.threshold
        )

    names = tuple(SEPARATE.values()) if writing.separate else (TOGETHER,)
    if isinstance(writing, WritingSettings) and writing.unanswerable:
        names = tuple(dict.fromkeys((*names, *(SEPARATE[name] for name in OF_A_QUERY))))
    return Stage("critique", names, critique)


def finding(checks: CheckSettings, *, unanswerable: bool = False) -> tuple[Stage, ...]:
    """The search of the corpus for what was made, and the critic's word on what it finds, where there is a use for them."""

    async def find(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        del prompts, models
        return candidate

    async def support(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        outcome = await judge_support(candidate, prompts[SUPPORT], models.critic)
        return outcome if isinstance(outcome, Reject) else rank_again(outcome, checks, SUPPORT_STAGE)

    judges = checks.holes or unanswerable
    return (
        *([Stage(FIND, (), find, searches=True)] if judges or checks.round_trip != "off" else []),
        *([Stage(SUPPORT_STAGE, (SUPPORT,), support)] if judges else []),
    )


def closing_the_book(checks: CheckSettings) -> tuple[Stage, ...]:
    """Does the reader answer without the passage, where that is asked for?"""
    use = checks.closed_book
    if use == "off":
        return ()

    async def close(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return await closed_book(candidate, prompts, models.reader, models.critic, use=use)

    return (Stage(CLOSED_BOOK_STAGE, (CLOSED_BOOK, JUDGE_ANSWER), close),)
