"""Diagnosis of answers and passages by their claims, batch by batch."""

from prefect import task
from pydantic import Field

from ragset.evaluation.diagnosis import diagnose, diagnosis_scores
from ragset.evaluation.metrics.claims import Diagnosis
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.models import Model
from ragset.settings import ModelSettings
from tasks.answers import Case
from tasks.run.caching import KEPT, keyed_by
from tasks.run.models import Account, asking
from tasks.systems import ScoreResult


class Said(Model):
    """What a system answered to one query."""

    answer: str | None = None
    cited: tuple[int, ...] | None = None
    """Numbers of the passages that it cites; None where the system does not cite."""


class DiagnosisResult(Model):
    """Diagnoses by golden id, where the critic gave all that it takes, and their scores."""

    found: dict[str, Diagnosis] = Field(default_factory=dict)
    scored: ScoreResult


@task(
    name="diagnose",
    task_run_name="diagnose {label}",
    tags=["llm"],
    cache_policy=keyed_by("critic", "cases", "said", "answers", "cites", "prompts", "account.limits"),
    **KEPT,
)
async def diagnose_batch(
    critic: ModelSettings,
    cases: tuple[Case, ...],
    said: tuple[Said, ...],
    answers: bool,
    cites: bool,
    prompts: dict[str, Prompt],
    account: Account,
    label: str,  # noqa: ARG001 (the name of the run)
) -> DiagnosisResult:
    """`ragset.evaluation.diagnosis.diagnose` of goldens with a reference answer."""
    llm = asking(critic, account)

    async def one(case: Case, of: Said) -> Diagnosis | None:
        cited = of.cited or () if cites else None
        return await diagnose(case.golden, of.answer, case.passages, prompts, llm, answers=answers, cited=cited)

    done = await gather_all(*map(one, cases, said))
    pairs = [(case.golden.id, diagnosis) for case, diagnosis in zip(cases, done, strict=True)]
    return DiagnosisResult(
        found={golden: diagnosis for golden, diagnosis in pairs if diagnosis},
        scored=ScoreResult.of(
            score
            for golden, diagnosis in pairs
            for score in diagnosis_scores(golden, diagnosis, answers=answers, cites=cites)
        ),
    )
