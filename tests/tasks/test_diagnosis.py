"""A batch of diagnoses over real HTTP: what is asked, and what of it is asked once."""

from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from ragset.evaluation.diagnosis import PROMPTS
from ragset.llm.prompts import load_prompt
from ragset.models import Golden, Span
from ragset.settings import Budget, ModelSettings
from tasks.answers import Case, DiagnosisResult, Said, diagnose_batch
from tasks.run.models import Account, connected
from tests.fake_openai import Fake, fake_openai

CRITIC = ModelSettings(model="critic")
LOADED = {name: load_prompt(name) for name in PROMPTS}
REFERENCE = "The Ravn foundry closed in the year 1921."
PASSAGES = ("Skarv harbour has two piers of granite.", f"It is told: {REFERENCE}")


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Fake]:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path))
    with fake_openai() as server, temporary_settings({PREFECT_API_URL: None}):
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


def case(id_: str) -> Case:
    evidence = (Span(doc_id="d", start=0, end=9),)
    golden = Golden(
        id=id_, query="When did it close?", answer=REFERENCE, kind="single-chunk", evidence=evidence, chunks=()
    )
    return Case(golden=golden, passages=PASSAGES)


async def diagnosed(*said: Said, answers: bool) -> DiagnosisResult:
    cases = tuple(case(f"g-{number}") for number in range(len(said)))
    async with connected([CRITIC], Budget()):
        return await diagnose_batch.fn(CRITIC, cases, said, answers, answers, LOADED, Account(run="r"), "test")


async def test_answers_are_diagnosed_and_the_claims_of_a_reference_are_asked_for_once(fake: Fake) -> None:
    result = await diagnosed(Said(answer=REFERENCE, cited=(1, 2)), Said(), answers=True)
    values = {(golden, metric): value for golden, metric, value, _ in result.scored.rows}
    # the fake finds claims by their letters: the one claim stands in the second passage, and one of two citations holds it
    right = {"claim_recall": 1.0, "context_precision": 0.5, "answer_recall": 1.0, "answer_precision": 1.0}
    cited = {"citation_precision": 0.5, "citation_recall": 1.0, "hallucination": 0.0, "self_knowledge": 0.0}
    assert {metric: values["g-0", metric] for metric in (*right, *cited)} == {**right, **cited}
    assert (values["g-1", "answer_recall"], ("g-1", "answer_precision") in values) == (0.0, False)
    asked = Counter(entry["reply"] for entry in fake.log() if entry["reply"] != "Ready")
    # both goldens have one query and reference, and the answer claims nothing that is to be looked for besides
    assert asked == {"ReferenceClaims": 1, "Claims": 1, "ClaimSources": 1, "AnswerMatch": 1}


async def test_a_retriever_has_scores_of_its_passages(fake: Fake) -> None:
    result = await diagnosed(Said(), answers=False)
    assert {metric for _, metric, _, _ in result.scored.rows} == {
        "claim_recall",
        "vital_claim_recall",
        "context_precision",
    }


async def test_replies_that_cannot_be_read_leave_scores_unknown(fake: Fake) -> None:
    fake.set(malformed=1.0)
    result = await diagnosed(Said(answer=REFERENCE), answers=True)
    assert result.found == {}
    assert {value for _, _, value, _ in result.scored.rows} == {None}
