"""Labels queries of one's own: they are read, pooled, and sent through the stages in batches."""

from dataclasses import dataclass

from prefect import get_run_logger

from flows.parameters.models import LabelParameters
from flows.steps.approval import approve_calls
from flows.steps.generate import GenerationResult, through_stages
from ragset.dataset import funnel_row
from ragset.dataset.completeness import completeness_of
from ragset.dataset.manifest import LABELLED
from ragset.evaluation.results.model import RetrievalResult
from ragset.generation.checks import CheckSettings
from ragset.generation.labelling.queries import STAGE as READ
from ragset.generation.labelling.queries import AskedQueries
from ragset.generation.labelling.stages import expected_calls
from ragset.generation.rule_languages import settle_languages
from ragset.generation.selection import labelled
from ragset.models import Golden, Usage
from ragset.settings import WritingSettings
from tasks.dataset import Work
from tasks.documents import CorpusFile, read_corpus
from tasks.index import IndexFile, index_corpus
from tasks.labelling import LONGEST, LabelRecipe, pool_queries, read_asked, unlabelled
from tasks.pipeline import StageRun
from tasks.run.caching import digest, unsearched
from tasks.run.logs import warn
from tasks.run.models import Account
from tasks.run.progress import progress
from tasks.systems import ask_other

_COUNTED = (
    "Counted, not tried: a call grades five passages; an answer is a call, or two where no passage answers alone, and one more "
    "compares the other relevant passages. Tokens, and so the cost, are not foreseen."
)


@dataclass(frozen=True)
class LabelRun:
    """All that queries are labelled with."""

    parameters: LabelParameters
    asked: AskedQueries
    recipe: LabelRecipe
    account: Account
    corpus: CorpusFile
    index: IndexFile


async def prepare_labels(parameters: LabelParameters) -> LabelRun:
    """Read queries and documents, and index these; a person is asked if the calls are above a limit."""
    asked = await read_asked(parameters.queries, parameters.field, parameters.n, parameters.seed)
    corpus = await read_corpus(parameters.documents, parameters.chunking.existing)
    spoken, language, notices = settle_languages(corpus.language, parameters.chunking.language, parameters.language)
    for line in notices:
        warn(line)
    chunking = parameters.chunking.model_copy(update={"language": spoken})
    parameters = parameters.model_copy(update={"chunking": chunking, "language": language})
    generator, critic = parameters.models
    checks = CheckSettings(pool=parameters.pool, duplicates="exact")
    writing = WritingSettings(language=language)
    recipe = LabelRecipe.load(writing, generator, critic, parameters.seed, checks=checks, documents=spoken)
    run = digest([LABELLED, asked, corpus.hash, recipe.identity, parameters.portable["systems"]])
    account = Account(run=run, budget=parameters.budget)
    index = await index_corpus(corpus, chunking, parameters.embedding, account)
    what = f"labels for queries ({len(asked.queries):,})"
    await approve_calls(parameters.approval, _calls(recipe, len(asked.queries)), what, _COUNTED, parameters.out)
    return LabelRun(parameters, asked, recipe, account, corpus, index)


async def label_queries(run: LabelRun) -> GenerationResult:
    """Goldens of all queries that the documents answer, or do not; the others are rejects, which nobody has decided on."""
    made, queries, systems = GenerationResult(), run.asked.queries, run.parameters.systems
    progress().begin("goldens", len(queries))
    runs: dict[str, RetrievalResult] = {}
    for system in systems:
        goldens = unsearched([unlabelled(one) for one in queries])
        runs[system.name] = await ask_other(system, run.corpus, goldens)
    pooled = await pool_queries(
        unsearched(queries),
        run.index,
        run.corpus,
        unsearched(runs),
        unsearched(run.recipe),
        run.account,
        f"{len(queries)}",
    )
    if pooled.too_long:
        warn(f"{pooled.too_long} passages of other systems have more than {LONGEST:,} characters and were not graded.")
    for stage in run.recipe.stages():
        made.count(stage.name, 0, 0)
    stages = StageRun(run.recipe, run.account, run.index)
    finished = await through_stages(stages, made, pooled.candidates)
    made.goldens = [Golden.of(labelled(one, run.recipe.writing.spoken)) for one in finished]
    made.embedded.update(pooled.embedded)
    made.ended = "budget spent" if any(made.unasked.values()) else "complete"
    return made


def labelled_work(run: LabelRun, made: GenerationResult) -> Work:
    """The goldens, with all that is written beside them; without the cost of embedding the queries."""
    asked, recipe = run.asked, run.recipe
    others = {"repeated": asked.repeated, "not_drawn": asked.not_drawn}
    read = funnel_row(READ, asked.records, len(asked.queries), asked.rejects, **others)
    _tell(asked, made)
    return Work(
        kind=LABELLED,
        wanted=None,
        goldens=tuple(made.goldens),
        rejects=(*asked.rejects, *made.rejects),
        usage=(*run.index.usage, *made.usage),
        funnel=(run.index.funnel(0, 0)[0], read, *made.funnel),
        ended=made.ended,
        prompts=tuple(prompt.id for prompt in recipe.prompts.values()),
        generator=recipe.generator.model,
        critic=recipe.critic.model,
        seed=run.parameters.seed,
        parameters=run.parameters.portable,
        notices=tuple(progress().notices),
    )


def _tell(asked: AskedQueries, made: GenerationResult) -> None:
    answered = sum(golden.answer is not None for golden in made.goldens)
    get_run_logger().info("%d answered, %d without an answer", answered, len(made.goldens) - answered)
    if undecided := len(made.rejects):
        warn(
            f"{undecided} of {len(asked.queries):,} queries are undecided: rejects.jsonl says why. They are in no golden."
        )
    if (found := completeness_of(made.goldens)) and found.advice:
        warn(found.advice)


def _calls(recipe: LabelRecipe, queries: int) -> list[Usage]:
    """About how many calls of models so many queries cost."""
    models = {"generator": recipe.generator.model, "critic": recipe.critic.model}
    return [
        Usage(stage=stage.name, prompt=question.prompt, model=models[question.of], calls=round(calls))
        for stage, question, calls in expected_calls(recipe.checks.pool, queries)
    ]
