"""Stages of a pipeline over a batch, whose candidates do not wait for each other."""

from collections.abc import Generator
from pathlib import Path

import pytest
from prefect.logging import disable_run_logger
from prefect.settings import PREFECT_API_URL, temporary_settings

from ragset.models import Candidate, Chunk
from ragset.settings import Budget, ModelSettings, WritingSettings
from tasks.batches import Batch, BatchResult, Recipe, ask_stages
from tasks.run.models import Account, connected
from tests.clients import KEY
from tests.fake_openai import Fake, fake_openai

MODEL = ModelSettings(model="test-model", max_concurrency=4)
TEXTS = [
    f"The tower clock of parish {n} was built in {1400 + n} by the smith of its village. Its keeper winds it {n + 2} times a week."
    for n in range(12)
]
BATCH = Batch(
    label="1-12",
    candidates=tuple(
        Candidate(chunks=(Chunk(doc_id=f"{n:016}", start=0, end=len(text), text=text),)) for n, text in enumerate(TEXTS)
    ),
)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Generator[Fake]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with fake_openai(malformed=0.3) as server, temporary_settings({PREFECT_API_URL: None}):
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


async def ask(home: Path, monkeypatch: pytest.MonkeyPatch, budget: Budget = Budget()) -> BatchResult:  # noqa: B008
    monkeypatch.setenv("RAGSET_HOME", str(home))
    recipe = Recipe.load(WritingSettings(), MODEL, MODEL, 0)
    with disable_run_logger():
        async with connected([MODEL], budget):
            return await ask_stages.fn("draft + answer + critique", BATCH, recipe, Account(run="r", budget=budget))


async def test_what_the_stages_make_of_a_batch_is_the_same_in_whatever_order_replies_come(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = await ask(tmp_path / "a", monkeypatch)
    fake.reset()  # whether a reply is malformed depends on how often it was asked for
    fake.set(jitter=0.1)
    assert await ask(tmp_path / "b", monkeypatch) == at_once
    drafts, answers, critiques = at_once.stages
    assert [drafts.stage, answers.stage, critiques.stage] == ["draft", "answer", "critique"]
    assert (drafts.entered, drafts.left, answers.left) == (12, answers.entered, critiques.entered)
    assert 0 < critiques.left == len(at_once.batch.candidates)
    places = [one.chunks[0].id for one in at_once.batch.candidates]
    assert places == sorted(places)


async def test_a_candidate_is_judged_while_others_are_drafted(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.set(jitter=0.1, malformed=0.0)
    await ask(tmp_path, monkeypatch)
    log = fake.log()
    first_critique = min(entry["started"] for entry in log if entry["reply"] == "Critique")
    assert first_critique < max(entry["ended"] for entry in log if entry["reply"] == "QueryDraft")


async def test_where_the_budget_is_spent_each_stage_says_how_many_it_did_not_ask_about(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.set(malformed=0.0)
    found = await ask(tmp_path, monkeypatch, Budget(max_calls=16))
    drafts, answers, critiques = found.stages
    # every call that is made is a candidate's turn in a stage, and what no call was left for goes no further; drafts bring answers
    assert [stage.entered for stage in found.stages] == [12, drafts.left, answers.left]
    assert sum(stage.entered - stage.unasked for stage in (drafts, critiques)) == 16
    assert drafts.unasked + critiques.unasked == 12 - len(found.batch.candidates)
    assert answers.unasked == 0
