"""`ragset.evaluate` on a dataset whose scores are worked out by hand."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import ragset
from ragset.errors import InputError, ProviderError
from ragset.evaluation.evaluation import Evaluation
from ragset.evaluation.results.folder import read_results
from ragset.models import Document
from ragset.settings import Budget
from tests.clients import KEY
from tests.fake_openai import Fake, fake_openai
from tests.small_dataset import TEA, corpus_of, golden_of, write_small

WATER = Document.of("Water boils at 100 °C at sea level.", source="water.md", title="Water")
HOT = golden_of("How hot may green tea be?")
LONG = golden_of("How long is it steeped?", "Two minutes.", evidence=((36, 61),))
NOBODY_KNOWS = golden_of("Who drank it first?", document=WATER, evidence=()).model_copy(
    update={"kind": "unanswerable", "answer": None, "evidence": ()}
)
FIRST, SECOND = TEA.text[:35], TEA.text[36:]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA, WATER), (HOT, LONG, NOBODY_KNOWS))
    return tmp_path / "teas"


def search(query: str) -> list[str]:
    """Finds what HOT needs at once, what LONG needs second."""
    return [FIRST, SECOND]


def reply(query: str) -> str | None:
    return {HOT.query: "80 °C", LONG.query: "two hours"}.get(query)


def test_scores_are_means_over_the_goldens_with_evidence(dataset: Path) -> None:
    found = ragset.evaluate(dataset, search)
    assert found.scores.index[0] == "recall@512tokens"
    assert list(found.scores.columns) == ["mean", "low", "high", "n", "missing", "worst", "best"]
    mean = found.scores["mean"]
    assert mean["mrr"] == pytest.approx(0.75)  # (1 + 1/2) / 2
    assert (mean["hit_rate@1"], mean["hit_rate@3"], mean["recall@512tokens"]) == (0.5, 1.0, 1.0)
    assert list(found.scores["n"].unique()) == [2]
    low, high = found.scores.loc["mrr", ["low", "high"]]
    assert low < 0.75 < high


def test_the_frame_has_a_row_for_each_golden(dataset: Path) -> None:
    frame = ragset.evaluate(str(dataset), search, answer=reply).frame
    assert list(frame.index) == [HOT.id, LONG.id, NOBODY_KNOWS.id]
    assert list(frame["query"]) == [HOT.query, LONG.query, NOBODY_KNOWS.query]
    assert list(frame["mrr"])[:2] == [1.0, 0.5]
    assert pd.isna(frame["mrr"].iloc[2])
    assert frame.loc[HOT.id, "answer"] == "80 °C"
    assert frame.loc[LONG.id, "token_f1"] == pytest.approx(0.5)  # two of (two, hours), of (two, minutes): 2 · 1 / 4
    assert frame.loc[NOBODY_KNOWS.id, "abstention"] == 1


def test_answers_alone_are_ranked_by_words(dataset: Path) -> None:
    found = ragset.evaluate(dataset, answer=reply)
    assert found.results.primary == "token_f1"
    assert found.scores.loc["token_f1", "mean"] == pytest.approx(0.75)  # (1 + 1/2) / 2
    assert "mrr" not in found.scores.index


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Fake]:
    with fake_openai() as server:
        for name, value in {"BASE_URL": server.url, "API_KEY": KEY}.items():
            monkeypatch.setenv(f"OPENAI_{name}", value)
        monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
        yield server


def test_a_critic_judges_answers_and_is_asked_each_once(dataset: Path, fake: Fake) -> None:
    first = ragset.evaluate(dataset, search, answer=reply, critic="judge")
    calls = fake.stats()["requests"]
    again = ragset.evaluate(dataset, search, answer=reply, critic="judge")
    assert fake.stats()["requests"] == calls
    # what another system's answers took does not count
    limit = ragset.evaluate(dataset, answer=str.lower, critic="judge", budget=Budget(max_calls=calls)).scores
    assert "correctness" in limit.index
    assert {"correctness", "faithfulness"} <= set(first.scores.index)
    timed = [name for name in first.frame if name.endswith("seconds")]
    assert again.frame.drop(columns=timed).equals(first.frame.drop(columns=timed))


def test_a_diagnosis_says_where_each_golden_fails_and_what_becomes_of_its_claims(
    dataset: Path, tmp_path: Path, fake: Fake
) -> None:
    def answer(query: str) -> dict[str, Any]:
        return {"answer": HOT.answer, "citations": [2]} if query == HOT.query else {"answer": None}

    found = ragset.evaluate(dataset, search, answer=answer, critic="judge", diagnosis=True)
    # the fake critic finds claims by their letters, and "Two minutes." has a capital
    assert list(found.frame["fails_at"]) == ["right", "retrieval", "right"]
    metrics = ["answer_recall", "answer_precision", "context_precision", "citation_precision"]
    # the first of two passages states the one claim of HOT's reference, which is the answer; it cites the second
    assert list(found.frame.loc[HOT.id, metrics]) == [1.0, 1.0, 0.5, 0.0]
    lines = (found.write(tmp_path / "out") / "diagnosis.jsonl").read_text(encoding="utf-8").splitlines()
    stored = [json.loads(line) for line in lines]
    assert [one["fails_at"] for one in stored] == ["right", "retrieval", "right"]
    assert stored[0]["cited"] == [2]
    retriever = ragset.evaluate(dataset, search, critic="judge", diagnosis=True).scores
    assert "claim_recall" in retriever.index
    assert not {"answer_recall", "correctness", "token_f1"} & set(retriever.index)


def test_a_diagnosis_needs_a_model(dataset: Path) -> None:
    with pytest.raises(InputError, match="diagnosis: needs a language model"):
        ragset.evaluate(dataset, search, diagnosis=True)


def test_the_report_and_the_folder_are_those_of_a_benchmark(dataset: Path, tmp_path: Path) -> None:
    found = ragset.evaluate(ragset.read_dataset(dataset), search, name="<b>mine")
    page = found.report(tmp_path / "new" / "report.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;mine" in page
    assert "<b>mine" not in page
    assert "later.compare(found)" in page
    stored = read_results(found.write(tmp_path / "results"))
    assert stored.benchmark.standings == found.results.standings
    assert not found.compare(tmp_path / "results", "mrr").fell


def test_two_functions_are_compared_golden_by_golden(dataset: Path) -> None:
    before = ragset.evaluate(dataset, search)
    (change,) = ragset.evaluate(dataset, lambda _: [SECOND]).compare(before, "mrr").changes
    assert (change.before, change.after, change.goldens) == (0.75, 0.5, 2)  # of HOT 1 → 0, of LONG 1/2 → 1


def test_an_imported_set_is_measured_by_the_ids_of_its_documents(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "Tea."}\n{"_id": "d2", "text": "Water boils."}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "What boils?"}\n')
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td2\t1\n")
    found = ragset.evaluate(tmp_path, lambda _: ["d1", "d2"])
    assert found.scores.loc["mrr", "mean"] == 0.5
    assert found.results.primary == "ndcg@10"


def test_own_ids_stand_for_the_texts_that_are_given(dataset: Path) -> None:
    found = ragset.evaluate(dataset, lambda _: ["b", "a"], chunks={"a": FIRST, "b": SECOND})
    assert found.scores.loc["mrr", "mean"] == 0.75


def test_what_it_shows_names_the_metrics_and_what_is_not_known(dataset: Path) -> None:
    found = ragset.evaluate(dataset, lambda _: ["of no document, this one"], name="<mine>")
    assert repr(found).startswith("<mine> on teas: 3 goldens\n  mrr ")
    assert "recall@512tokens         0.000" in repr(found)
    assert "3 of its 3 passages, in 3 of 3 queries, could not be found in the documents" in repr(found)
    shown = found._repr_html_()
    assert "&lt;mine&gt; on teas" in shown
    assert "<mine>" not in shown


def test_thresholds_take_noise_into_account(dataset: Path) -> None:
    found = ragset.evaluate(dataset, search)
    found.assert_at_least("mrr", 0.9)  # 0.75 on two goldens may be 0.9 by noise
    with pytest.raises(AssertionError, match=r"search: mrr is 0.750 .* on 2 goldens, which may be below 0.9"):
        found.assert_at_least("mrr", 0.9, surely=True)
    with pytest.raises(AssertionError, match=r"recall@1 is 0.500|which is below"):
        ragset.evaluate(dataset, lambda _: [WATER.id]).assert_at_least("mrr", 0.5)
    with pytest.raises(InputError, match="mr: nothing was scored in this metric; choose one of recall@512tokens"):
        found.assert_at_least("mr", 0.5)


def test_what_cannot_be_used_is_said_before_it_costs(dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        ragset.evaluate(tmp_path / "nowhere", search)
    with pytest.raises(InputError, match="splits: no golden is of 'tst'; there are test"):
        ragset.evaluate(dataset, search, splits=["tst"])
    with pytest.raises(InputError, match="primary: nothing was scored in 'ndcg@7'"):
        ragset.evaluate(dataset, search, primary="ndcg@7")


def test_failed_queries_count_as_unknown_up_to_the_limit(dataset: Path) -> None:
    def flaky(query: str) -> list[str]:
        if query == LONG.query:
            raise TimeoutError("too slow")
        return search(query)

    with pytest.raises(ProviderError, match=r"failed on 1 of 2 queries.*TimeoutError: too slow"):
        ragset.evaluate(dataset, flaky)
    found = ragset.evaluate(dataset, flaky, max_failures=1)
    assert found.scores.loc["mrr", ["mean", "worst", "best"]].tolist() == [0.5, 0.5, 1.0]
    assert isinstance(found, Evaluation)
