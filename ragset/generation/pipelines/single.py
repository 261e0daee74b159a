"""The stages of a golden that one chunk answers."""

from ragset.generation.checks import STANDARD, CheckSettings
from ragset.generation.personas import NO_SAMPLES
from ragset.generation.pipelines.shared import (
    answerable,
    closing_the_book,
    critiquing,
    drafted_in,
    evolver,
    evolving,
    finding,
    language_of,
    scoring,
    screening,
    used,
    voiced,
)
from ragset.generation.pipelines.stage import Models, Outcome, Prompts, Stage, known
from ragset.generation.query_samples import Samples
from ragset.generation.stages.answer import PROMPT as ANSWER
from ragset.generation.stages.answer import answer_query
from ragset.generation.stages.draft import NOTHING, STYLES, draft_query
from ragset.generation.stages.evolve import EVOLUTIONS, NONE, chain, evolve_query
from ragset.generation.stages.judge_chunk import PROMPT as JUDGE
from ragset.generation.stages.judge_chunk import judge_chunk
from ragset.generation.stages.unanswerable import PROMPT as NEAR_MISS
from ragset.generation.stages.unanswerable import draft_near_miss
from ragset.generation.weighted_choice import choose
from ragset.models import Candidate, Reject
from ragset.settings import WritingSettings


def single_chunk(
    writing: WritingSettings, seed: int, checks: CheckSettings = STANDARD, samples: Samples = NO_SAMPLES
) -> tuple[Stage, ...]:
    """The stages of a golden that one chunk answers; `samples` are the queries of the file that `writing` names.

    Which style and which evolution a chunk gets, and whether its query is to have no answer, is drawn from `seed` and
    the chunk's id, so it does not depend on the order in which batches come back.

    Raises:
        InputError: a style or an evolution that there is none of.
    """
    styles = known("styles", writing.styles, tuple(STYLES))

    async def judge(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return await judge_chunk(candidate, prompts[JUDGE], models.critic)

    share = writing.unanswerable

    async def draft(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        first = candidate.chunks[0].id
        voice = voiced(candidate, models, writing, samples, seed)
        language = language_of(candidate, prompts, writing)
        if share and choose({"near miss": share, "query": 1 - share}, seed, "unanswerable", first) == "near miss":
            near = await draft_near_miss(
                candidate, prompts[NEAR_MISS], models.generator, language=language, voice=voice
            )
            if not (isinstance(near, Reject) and near.reason == NOTHING):
                return near
            # The chunk lends itself to none: what it does say can be asked for.
        style = choose(writing.styles, seed, "style", first)
        return await draft_query(
            candidate, prompts[STYLES[style]], models.generator, style=style, language=language, voice=voice
        )

    async def evolve(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        first = candidate.chunks[0].id
        kinds = chain(writing.evolutions, writing.depth, compress=writing.compress, seed=seed, case=first)
        voice = drafted_in(candidate, models, writing, samples)
        way = evolver(prompts, models, checks, language_of(candidate, prompts, writing), voice)
        return await evolve_query(candidate, way, kinds)

    async def answer(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        return await answer_query(candidate, prompts[ANSWER], models.generator)

    evolutions = known("evolutions", writing.evolutions, (*EVOLUTIONS, NONE))
    return (
        *([Stage("judge", (JUDGE,), judge)] if checks.judge_chunks else []),
        *scoring(checks),
        Stage("draft", (*(STYLES[style] for style in styles), *([NEAR_MISS] if share else [])), draft),
        *screening(checks, writing, samples),
        *evolving(used(evolutions, compress=writing.compress), checks, answerable(evolve)),
        Stage("answer", (ANSWER,), answerable(answer)),
        critiquing(writing),
        *finding(checks, unanswerable=share > 0),
        *closing_the_book(checks),
    )
