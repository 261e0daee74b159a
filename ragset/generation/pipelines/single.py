"""The stages of a golden that one chunk answers."""

from ragset.generation.checks import STANDARD, CheckSettings
from ragset.generation.personas import NO_SAMPLES
from ragset.generation.pipelines.checks import checks_of
from ragset.generation.pipelines.shared import chain_of, critiquing, evolver, evolving
from ragset.generation.pipelines.stage import Asks, Models, Outcome, Prompts, Run, Setup, Stage, shares
from ragset.generation.query_samples import Samples
from ragset.generation.stages import answer, draft, unanswerable
from ragset.generation.stages.evolve import evolve_query
from ragset.generation.styles import STYLES
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
    setup = Setup(writing, checks, seed, samples)
    return (
        *checks_of("chunk", setup),
        _drafting(setup, writing),
        *checks_of("query", setup),
        *evolving(setup, _evolve(setup)),
        _answering(setup),
        critiquing(setup),
        *checks_of("golden", setup),
    )


def _drafting(setup: Setup, writing: WritingSettings) -> Stage:
    share, seed = writing.unanswerable, setup.seed

    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        first, llm = candidate.chunks[0].id, models.generator
        language = setup.language_of(candidate, prompts)
        writing_style = setup.drawn_style(candidate, models)
        if share and choose({"near miss": share, "query": 1 - share}, seed, "unanswerable", first) == "near miss":
            near_miss = await unanswerable.draft_unanswerable_query(
                candidate, prompts[unanswerable.PROMPT], llm, language=language, writing_style=writing_style
            )
            if not (isinstance(near_miss, Reject) and near_miss.reason == draft.NOTHING):
                return near_miss
            # The chunk lends itself to none: what it does say can be asked for.
        style = choose(writing.styles, seed, "style", first)
        return await draft.draft_query(
            candidate,
            prompts[STYLES[style].prompt],
            llm,
            style=style,
            language=language,
            writing_style=writing_style,
        )

    styles = shares("styles", writing.styles, STYLES.names())
    asks = [Asks(STYLES[style].prompt, "generator", part * (1 - share)) for style, part in styles.items()]
    if share:
        asks.append(Asks(unanswerable.PROMPT, "generator", share))
    return Stage(draft.STAGE, tuple(asks), run)


def _evolve(setup: Setup) -> Run:
    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        if candidate.unanswerable:
            return candidate
        kinds = chain_of(setup, candidate.chunks[0].id)
        return await evolve_query(candidate, evolver(setup, candidate, prompts, models), kinds)

    return run


def _answering(setup: Setup) -> Stage:
    async def run(candidate: Candidate, prompts: Prompts, models: Models) -> Outcome:
        if candidate.unanswerable:
            return candidate
        return await answer.answer_query(candidate, prompts[answer.PROMPT], models.generator)

    return Stage(answer.STAGE, (Asks(answer.PROMPT, "generator", 1 - setup.unanswerable),), run)
