"""What comes after retrieval: passages put in a better order, read, and the answers judged and diagnosed."""

import math
import time
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache

from prefect import task
from pydantic import Field

from ragset.evaluation.conversations import Form, asked_of
from ragset.evaluation.diagnosis import diagnose, diagnosis_scores, judge
from ragset.evaluation.efficiency import Effort, Recorded
from ragset.evaluation.grid import CROSS_ENCODER, ranking_model
from ragset.evaluation.metrics.claims import Diagnosis
from ragset.evaluation.metrics.judged import FAITHFULNESS_PROMPT
from ragset.evaluation.metrics.judged import PROMPT as JUDGE_PROMPT
from ragset.evaluation.metrics.scores import Score
from ragset.evaluation.reader import PROMPT as READ_PROMPT
from ragset.evaluation.reader import read
from ragset.evaluation.scoring import score_answer
from ragset.llm.ask import Unfit
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.tracing import about, reranking
from ragset.models import Golden, Model
from ragset.retrieval.embedding.local import model_name
from ragset.retrieval.rerank import PROMPT as RERANK_PROMPT
from ragset.retrieval.rerank import CrossEncoder, LLMReranker
from ragset.settings import OFFLINE, ModelSettings
from tasks.run.caching import KEPT, keyed_by
from tasks.run.models import Account, asking
from tasks.systems import ScoreResult

_cross_encoder = lru_cache(maxsize=2)(CrossEncoder)
PROMPTS = (READ_PROMPT, RERANK_PROMPT, JUDGE_PROMPT, FAITHFULNESS_PROMPT)


class Case(Model):
    """A golden with the passages that a system found for it, best first."""

    golden: Golden
    passages: tuple[str, ...]
    form: Form = "rewritten"
    """What of a golden of several turns the system receives; the critic judges by the golden's query."""

    @property
    def query(self) -> str:
        """What rerankers and readers are asked."""
        return asked_of(self.golden, self.form).dialogue


class Reranked(Model):
    """A score for each passage of a case, higher is better, and what it took."""

    scores: list[float]
    effort: Effort


class AnswerResult(Model):
    """Answers by golden id, None where the reader abstained or its reply could not be read, and their scores."""

    answers: dict[str, str | None]
    scored: ScoreResult
    efforts: dict[str, Effort] = Field(default_factory=dict)
    """What the reader took; empty for another system."""
    cited: dict[str, tuple[int, ...]] = Field(default_factory=dict)
    """Numbers, from 1, of the passages that the reader says its answer is from; empty for another system."""
    found: dict[str, Diagnosis] = Field(default_factory=dict)
    """Which assertions the answers to corpus-wide queries make."""


@task(
    name="rerank",
    task_run_name="rerank {label}",
    tags=["llm"],
    cache_policy=keyed_by("ranker", "cases", "prompt", "account.limits"),
    **KEPT,
)
async def rerank_batch(
    reranker: str,
    ranker: ModelSettings | str,
    cases: tuple[Case, ...],
    prompt: Prompt,
    account: Account,
    label: str,  # noqa: ARG001 (the name of the run)
) -> list[Reranked]:
    """Scores for the passages of each case, by what `ranker_of` names."""
    if isinstance(ranker, ModelSettings):
        llm = asking(ranker, account)

        async def one(case: Case) -> Reranked:
            recorded = Recorded(llm)
            with _traced(reranker, case):
                ranking = await LLMReranker(prompt, recorded).rerank(case.query, case.passages)
            return Reranked(scores=ranking.scores, effort=Effort.of(recorded.completions))

        return list(await gather_all(*map(one, cases)))
    model = _cross_encoder(reranker.removeprefix(CROSS_ENCODER))
    reranked: list[Reranked] = []
    for case in cases:  # it scores one query at a time anyway
        began = time.perf_counter()
        with _traced(reranker, case):
            ranking = await model.rerank(case.query, case.passages)
        effort = Effort(seconds=round(time.perf_counter() - began, 5))
        reranked.append(Reranked(scores=ranking.scores, effort=effort))
    return reranked


@contextmanager
def _traced(reranker: str, case: Case) -> Generator[None]:
    query, golden = case.golden.query, case.golden.id
    with reranking(reranker, query, len(case.passages), golden), about(query, golden=golden):
        yield


def ranker_of(reranker: str) -> ModelSettings | str:
    """What the scores of a reranker depend on: the language model, or the cross-encoder, a folder by its content."""
    return ranking_model(reranker) or f"{CROSS_ENCODER}{model_name(reranker.removeprefix(CROSS_ENCODER))}"


@task(
    name="read",
    task_run_name="read {label}",
    tags=["llm"],
    cache_policy=keyed_by("reader", "critic", "cases", "said", "prompts", "account.limits"),
    **KEPT,
)
async def read_batch(
    reader: ModelSettings | None,
    critic: ModelSettings,
    cases: tuple[Case, ...],
    said: tuple[str | None, ...],
    prompts: dict[str, Prompt],
    account: Account,
    label: str,  # noqa: ARG001 (the name of the run)
) -> AnswerResult:
    """The reader's answers, or without a reader those that a system `said`, scored by words and by a critic that is a model."""
    efforts: dict[str, Effort] = {}
    cited: dict[str, tuple[int, ...]] = {}
    found: dict[str, Diagnosis] = {}

    async def one(case: Case, answer: str | None) -> tuple[str | None, list[Score]]:
        with about(case.golden.query, golden=case.golden.id):
            return await scored(case, answer)

    async def scored(case: Case, answer: str | None) -> tuple[str | None, list[Score]]:
        if reader is not None:
            recorded = Recorded(asking(reader, account))
            reply = await read(case.query, case.passages, prompts[READ_PROMPT], recorded)
            efforts[case.golden.id] = Effort.of(recorded.completions)
            if isinstance(reply, Unfit):
                # A reply that cannot be read is no answer, and no abstention either.
                return None, [Score(case.golden.id, metric, math.nan) for metric in score_answer(case.golden, None)]
            answer, cited[case.golden.id] = reply.answer, reply.chunks
        scores = score_answer(case.golden, answer)
        if critic.model != OFFLINE:
            judged, diagnosis = await judge(case.golden, answer, case.passages, prompts, asking(critic, account))
            scores |= judged
            if diagnosis:
                found[case.golden.id] = diagnosis
        return answer, [Score(case.golden.id, metric, value) for metric, value in scores.items()]

    done = await gather_all(*(one(case, given) for case, given in zip(cases, said, strict=True)))
    return AnswerResult(
        answers={case.golden.id: answer for case, (answer, _) in zip(cases, done, strict=True)},
        scored=ScoreResult.of(score for _, scores in done for score in scores),
        efforts={case.golden.id: efforts[case.golden.id] for case in cases if case.golden.id in efforts},
        cited={case.golden.id: cited[case.golden.id] for case in cases if case.golden.id in cited},
        found={case.golden.id: found[case.golden.id] for case in cases if case.golden.id in found},
    )


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
