"""The benchmark as a user runs it: real processes, real Prefect, real Milvus Lite, HTTP on loopback."""

import json
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ragset.evaluation.results.folder import read_results
from tests.fake_openai import Fake
from tests.integration.conftest import ROOT, Command, asked, files_of, url
from tests.integration.prefect import ask_prefect
from tests.toy_rag import ToyRag, served

pytestmark = pytest.mark.slow

SHARED = ROOT.parent / "shared" / "corpora"
GRID = """
grid:
  chunking:
    - {strategy: recursive, size: 64}
    - {strategy: sentence, size: 64}
  retrieval: [dense, bm25, hybrid]
token_budgets: [64, 128]
"""


@pytest.fixture
def squad(tmp_path: Path, corpus: Path) -> Path:
    """Questions over the paragraphs of the three short documents, each answered by its paragraph's first words."""
    articles = []
    for path in sorted(corpus.iterdir()):
        paragraphs = []
        for number, text in enumerate(part for part in path.read_text().split("\n\n") if len(part) > 60):
            answer = " ".join(text.split()[:4])
            question = " ".join(text.split()[4:12])
            paragraphs.append(
                {
                    "context": text,
                    "qas": [
                        {
                            "id": f"{path.stem}-{number}",
                            "question": f"What {question}?",
                            "answers": [{"text": answer, "answer_start": 0}],
                        }
                    ],
                }
            )
        articles.append({"title": path.stem, "paragraphs": paragraphs})
    place = tmp_path / "squad.json"
    place.write_text(json.dumps({"version": "1.1", "data": articles}))
    return place


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    place = tmp_path / "grid.yaml"
    place.write_text(GRID)
    return place


def better(results: Path, place: Path) -> None:
    """A copy of the results, with higher scores than can be."""
    shutil.copytree(results, place)
    scores = pd.read_parquet(place / "results.parquet")
    scores["value"] = 2.0
    scores.to_parquet(place / "results.parquet", index=False)


def events(command: Command, name: str) -> list[dict[str, Any]]:
    """That have reached Prefect's server; they take a moment."""
    deadline = time.monotonic() + 20
    while True:
        query = {"filter": {"event": {"name": [name]}}}
        found = ask_prefect(command.env["PREFECT_API_URL"], "events/filter", query)
        if found["events"] or time.monotonic() > deadline:
            return found["events"]
        time.sleep(0.2)


@pytest.mark.service
def test_a_grid_is_measured_and_what_the_data_carry_is_said(
    command: Command, squad: Path, grid: Path, tmp_path: Path
) -> None:
    ended = command.run("benchmark", str(squad), "--config", str(grid), "--out", str(tmp_path / "out"))
    assert ended.code == 0, ended.err
    assert "6 configurations" in ended.out
    assert str(tmp_path / "out" / "report.html") in ended.out
    read = read_results(tmp_path / "out")
    assert len(read.benchmark.systems) == 6
    assert len(list((tmp_path / "out" / "runs").iterdir())) == 6
    bm25 = [row for row in read.benchmark.standings if "bm25" in row.configuration and row.metric == "hit_rate@10"]
    # questions are made of the words of their own paragraph
    assert all((row.mean or 0) > 0.9 for row in bm25)
    # another configuration costs only that one, and nothing has changed for the others; but where better results stood
    # before, Prefect hears of the fall
    better(tmp_path / "out", tmp_path / "more")
    grid.write_text(GRID.replace("[dense, bm25, hybrid]", "[dense, bm25, hybrid, {mode: hybrid, fusion: weights}]"))
    more = command.run("benchmark", str(squad), "--config", str(grid), "--out", str(tmp_path / "more"), "--json")
    assert more.code == 0, more.err
    assert [change["before"] for change in more.json["changes"]] == [2.0] * 6
    (fell,) = events(command, "ragset.metric.fell")
    assert len(fell["payload"]["changes"]) == 6
    assert fell["payload"]["report"] == str(tmp_path / "more" / "report.html")
    assert "recursive-64-0-tokens / bm25: recall@128tokens fell from 2.000 to" in fell["payload"]["message"]
    warnings = ask_prefect(command.env["PREFECT_API_URL"], "logs/filter", {"logs": {"level": {"ge_": 30}}})
    assert [one for one in warnings if one["message"] == f"By more than its noise, {fell['payload']['message']}"]
    same = command.run("compare", str(tmp_path / "out"), str(tmp_path / "more"), "--json")
    assert same.code == 0, same.err
    assert all(change["difference"] == 0 for change in same.json["changes"])
    assert len(same.json["changes"]) == 6
    # a run of ours taken for somebody else's scores the same
    name = "recursive-64-0-tokens / bm25"
    theirs = tmp_path / "theirs.yaml"
    run = tmp_path / "out" / read.benchmark.runs[name]
    theirs.write_text(f"grid: null\nsystems: [{{name: theirs, runs: {run}}}]\ntoken_budgets: [64, 128]\n")
    ended = command.run("benchmark", str(squad), "--config", str(theirs), "--out", str(tmp_path / "theirs"))
    assert ended.code == 0, ended.err
    means = {
        (row.configuration, row.metric): row.mean
        for one in (read, read_results(tmp_path / "theirs"))
        for row in one.benchmark.standings
    }
    for metric in ("mrr", "hit_rate@5", "span_recall@5", "recall@128tokens"):
        assert means[name, metric] == pytest.approx(means["theirs", metric])


def test_other_systems_are_scored_with_what_is_not_known_of_them(
    command: Command, squad: Path, corpus: Path, tmp_path: Path
) -> None:
    questions = [
        qa["question"]
        for article in json.loads(squad.read_text())["data"]
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
    ]
    rag = ToyRag(corpus)
    distinct = list(dict.fromkeys(questions))
    answered = set(distinct[: len(distinct) // 2])
    half = sum(question in answered for question in questions)
    run = tmp_path / "half.jsonl"
    lines = [{"query": query, "passages": rag.search(query)} for query in [*answered, "Who asks this?"]]
    run.write_text("\n".join(map(json.dumps, lines)))
    config = tmp_path / "systems.yaml"
    with served(rag) as address:
        config.write_text(
            f"grid: null\nprimary: hit_rate@10\nsystems:\n- {{name: toy, http: '{address}'}}\n- {{name: half, runs: {run}}}\n"
        )
        ended = command.run("benchmark", str(squad), "--config", str(config), "--out", str(tmp_path / "out"))
    assert ended.code == 0, ended.err
    assert f"half: covers {half} of {len(questions)} goldens" in ended.err
    assert "half: 1 of its queries are of no golden: Who asks this?" in ended.err
    read = read_results(tmp_path / "out").benchmark
    toy, part = read.systems
    assert toy.external is not None
    assert part.external is not None
    assert (toy.external.answered, toy.external.unaligned) == (len(questions), 0)
    assert (part.external.answered, part.external.unknown) == (half, ("Who asks this?",))
    standing = {one.configuration: one for one in read.standings if one.metric == "hit_rate@10"}
    assert standing["toy"].mean == pytest.approx(1.0)
    assert standing["toy"].bounds is None
    bounds = standing["half"].bounds
    assert bounds is not None
    # what it does not cover counts 0 at worst and 1 at best
    assert bounds.worst == pytest.approx(half / len(questions))
    assert bounds.best == pytest.approx(1.0)
    assert [(one["http"], one["runs"]) for one in read.parameters["systems"]] == [(address, ""), ("", "half.jsonl")]
    report = (tmp_path / "out" / "report.html").read_text()
    assert f"covers {half} of {len(questions)} goldens" in report


def test_readers_are_judged_and_what_a_killed_run_was_told_is_not_asked_again(
    command: Command, fake: Fake, squad: Path, grid: Path, tmp_path: Path
) -> None:
    fake.set(latency=0.05)
    arguments = ["benchmark", str(squad), "--config", str(grid), "--reader", "reader-model", "--critic", "critic-model"]
    arguments += ["--diagnosis", "--concurrency", "4", "--out", str(tmp_path / "out")]
    process = command.start(*arguments, **url(fake))
    while process.poll() is None and len(asked(fake)) < 12:
        time.sleep(0.02)
    kill = time.time()
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    first = command.run(*arguments, "--json", **url(fake))
    assert first.code == 0, first.err
    assert first.json["primary"] == "correctness"
    metrics = {row.metric for row in read_results(tmp_path / "out").benchmark.standings}
    assert {"correctness", "completeness", "conciseness", "faithfulness", "token_f1", "rouge_l", "mrr"} <= metrics
    assert {"claim_recall", "context_utilization", "hallucination", "citation_recall"} <= metrics
    took = [system.efficiency for system in read_results(tmp_path / "out").benchmark.systems]
    # what a reply took is kept with it, so the replies before the kill are timed as well
    assert all(one and one.seconds["answering"].p50 >= 0.05 and one.seconds["retrieval"].queries for one in took)
    assert {one.seconds["answering"].queries for one in took if one} == {first.json["goldens"]}
    last = {entry["digest"]: entry["ended"] for entry in fake.log()}
    for entry in fake.log():
        # a reply on its way when the process died was never kept
        if entry["status"] == 200 and entry["reply"] != "Ready" and entry["ended"] != last[entry["digest"]]:
            assert abs(entry["ended"] - kill) < 0.2
    made, written = len(asked(fake)), files_of(tmp_path / "out")
    assert command.run(*arguments, **url(fake)).code == 0
    assert len(asked(fake)) == made
    assert files_of(tmp_path / "out") == written


@pytest.mark.parametrize(("stage", "taken"), [("rerank", 6), ("read", 16)])
def test_what_was_answered_before_the_quota_was_spent_is_not_asked_again(
    command: Command, fake: Fake, squad: Path, tmp_path: Path, stage: str, taken: int
) -> None:
    models = {"rerank": "reranker: [llm:some-model]", "read": "reader: [{model: reader, max_concurrency: 8}]"}
    grid = tmp_path / "grid.yaml"
    grid.write_text(f"grid: {{retrieval: [bm25], {models[stage]}}}\n")
    arguments = ["benchmark", str(squad), "--config", str(grid), "--critic", "critic", "--out", str(tmp_path / "out")]
    # Each call takes between 0.1 and 1.1 s, and a call without quota fails at once: many are on their way then.
    fake.set(latency=0.1, jitter=1.0, quota_after=taken)
    first = command.run(*arguments, **url(fake))
    assert first.code == 3
    assert "the quota of this key is used up" in first.err
    assert "trying again" not in first.err
    answered = asked(fake)
    assert len(answered) >= taken - 2  # two small requests found that the models answer
    fake.set(latency=0.0, jitter=0.0, quota_after=0)
    assert command.run(*arguments, **url(fake)).code == 0
    assert sorted(asked(fake)) == sorted({*asked(fake)})
    assert {*answered} < {*asked(fake)}


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("grid: {chunking: [{strategy: magic}], retrieval: [sideways], reranker: [better]}", ("strategy", "mode")),
        ("grid: {reader: [{model: some-model}], embedding: [{model: other}]}", ("some-model", "embedding other")),
        ("baseline: nothing", ("there is no configuration 'nothing'",)),
        ("grid: null", ("give a grid",)),
    ],
)
def test_every_bad_entry_of_a_grid_is_told_at_once(
    command: Command, squad: Path, tmp_path: Path, config: str, said: tuple[str, ...]
) -> None:
    place = tmp_path / "bad.yaml"
    place.write_text(config)
    ended = command.run("benchmark", str(squad), "--config", str(place), "--out", str(tmp_path / "out"))
    assert ended.code == 2
    assert all(part in ended.err for part in said), ended.err
    assert "Traceback" not in ended.err


def test_a_plan_needs_no_results(command: Command) -> None:
    ended = command.run("plan", "--difference", "0.1")
    assert ended.code == 0
    assert "197 queries" in ended.out


@pytest.mark.service
@pytest.mark.skipif(not SHARED.is_dir(), reason=f"{SHARED} is not there")
def test_works_on_a_corpus_by_others(command: Command, tmp_path: Path) -> None:
    grid = tmp_path / "grid.yaml"
    grid.write_text("grid: {chunking: [sentence], retrieval: [dense, bm25, hybrid]}")
    arguments = ["--config", str(grid), "--out", str(tmp_path / "out")]
    ended = command.run("benchmark", str(SHARED / "chroma"), *arguments)
    assert ended.code == 0, ended.err
    assert len(read_results(tmp_path / "out").benchmark.systems) == 3


def test_a_pipeline_fails_where_the_system_fell_or_is_gone(command: Command, squad: Path, tmp_path: Path) -> None:
    articles = json.loads(squad.read_text())["data"]
    asked_of = {one["qas"][0]["question"]: one["context"] for article in articles for one in article["paragraphs"]}

    def measured(name: str, *, finds: bool) -> str:
        place = tmp_path / f"{name}-{finds}"
        place.mkdir()
        found = {query: [{"text": context}] if finds else [] for query, context in asked_of.items()}
        lines = [json.dumps({"query": query, "passages": passages}) for query, passages in found.items()]
        (place / "runs.jsonl").write_text("\n".join(lines))
        config = place / "ci.yaml"
        config.write_text(f"grid: null\nsystems: [{{name: {name}, runs: {place}/runs.jsonl}}]\n")
        ended = command.run("benchmark", str(squad), "--config", str(config), "--out", str(place / "out"))
        assert ended.code == 0, ended.err
        return str(place / "out")

    baseline, worse = measured("prod", finds=True), measured("prod", finds=False)
    assert command.run("compare", baseline, baseline).code == 0
    assert command.run("compare", baseline, worse).code == 1
    gone = command.run("compare", baseline, measured("production", finds=True))
    assert gone.code == 2
    assert "prod before, production after" in gone.err
