"""Candidates and prompts that the tests of the steps share."""

from collections.abc import Mapping

from ragset.generation.pipeline import pipeline
from ragset.generation.stage import Case, Models, Outcome, Setup, Stage
from ragset.llm.prompts import Prompt, load_prompt
from ragset.llm.protocol import LLM
from ragset.models import Candidate, Chunk
from ragset.settings import WritingSettings

TEXT = (
    "The tower clock of Salisbury was built in 1386 by three smiths from Delft. Its foliot swings once in four seconds, "
    "and a heavier weight makes it run fast."
)
CHUNK = Chunk(doc_id="d" * 16, start=100, end=100 + len(TEXT), text=TEXT, title="Tower clocks")
QUERY = "Who built the tower clock of Salisbury?"


def candidate(query: str = "", answer: str = "", chunk: Chunk = CHUNK) -> Candidate:
    return Candidate(chunks=(chunk,), query=query, answer=answer)


def prompts(*names: str) -> dict[str, Prompt]:
    return {name: load_prompt(name) for name in names}


PLAIN_SETUP = Setup(WritingSettings(styles={"open": 1}))


def stages_of(setup: Setup = PLAIN_SETUP) -> dict[str, Stage]:
    """The stages of the pipeline by name."""
    return {stage.name: stage for stage in pipeline(setup)}


async def outcomes_of(
    stage: str,
    given: Candidate,
    llm: LLM | Models,
    setup: Setup = PLAIN_SETUP,
    written: Mapping[str, Prompt] | None = None,
) -> list[Outcome]:
    """What the stage of that pipeline makes of the candidate; one model may stand for all three."""
    models = llm if isinstance(llm, Models) else Models(llm, llm, llm)
    step = stages_of(setup)[stage]
    return list(await step.run(given, Case(setup, written or prompts(*step.prompts), models)))


async def outcome_of(
    stage: str,
    given: Candidate,
    llm: LLM | Models,
    setup: Setup = PLAIN_SETUP,
    written: Mapping[str, Prompt] | None = None,
) -> Outcome:
    """As `outcomes_of`, of a stage that splits nothing."""
    (outcome,) = await outcomes_of(stage, given, llm, setup, written)
    return outcome


def _chunk(document: str, start: int, text: str) -> Chunk:
    return Chunk(doc_id=document * 16, start=start, end=start + len(text), text=text)


TRAMS = (
    _chunk("a", 0, "The Aldmoor tramway opened in 1902 with horse-drawn trams."),
    _chunk("b", 40, "The electric tramway of Brill opened in 1899."),
    _chunk("a", 900, "The depot of Aldmoor burnt down in 1911."),
)
"""Three similar chunks of two documents."""
