"""Queries of one's own, labelled as a user does it: real Prefect, real Milvus Lite, HTTP on loopback."""

import json
from pathlib import Path

import pytest

from ragset.dataset import problems, read_dataset
from ragset.dataset.completeness import judged_of
from tests.fake_openai import Fake
from tests.integration.conftest import Command, asked, files_of, url

pytestmark = [pytest.mark.slow, pytest.mark.service]


def test_queries_over_the_example_corpus_are_answered_or_found_to_have_no_answer(
    command: Command, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ended = command.run(
        "label", "examples/corpus", "--queries", "examples/queries.csv", "--split-by", "document", "--out", str(out)
    )
    assert ended.code == 0, ended.err
    assert "Split by document: train 3, validation 1, test 1." in ended.out
    assert "4 queries answered, 1 without an answer in the documents" in ended.out
    dataset = read_dataset(out)
    assert problems(dataset) == []
    manifest = dataset.manifest
    assert (manifest.kind, manifest.ended, manifest.home) == ("labelled", "complete", "")
    assert manifest.parameters["queries"] == "queries.csv"
    by_query = {golden.query: golden for golden in dataset.goldens}
    assert by_query["What is a leap second?"].metadata["weight"] == 12
    assert by_query["Who won the world cup in 2010?"].kind == "unanswerable"
    clock = by_query["when was the shortt clock invented"]
    assert "1921" in dataset.corpus.text(clock.evidence[0])
    page = (out / "report.html").read_text()
    assert "How complete the labels are" in page
    assert "pool depth" in command.run("show", str(out)).out


def test_passages_of_a_system_are_pooled_and_a_second_run_asks_nothing_again(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    queries, runs, out = tmp_path / "queries.jsonl", tmp_path / "runs.jsonl", tmp_path / "out"
    said = ["Which keeper measured errors of the bell?", "How long did the sundial of town 3 stand?"]
    queries.write_text("".join(json.dumps({"id": f"q{n}", "query": one}) + "\n" for n, one in enumerate(said)))
    passage = "The council of town 7 paid 18 crowns a year to have it mended."
    runs.write_text(json.dumps({"id": "q0", "passages": [passage]}) + "\n")
    config = tmp_path / "label.yaml"
    config.write_text(
        f"documents: {{sources: ['{corpus}']}}\nqueries: {queries}\nchunking: {{size: 100}}\npool: 3\n"
        f"generator: {{model: test-model}}\nsystems: [{{name: mine, runs: '{runs}'}}]\nout: {out}\n"
    )
    ended = command.run("label", "--config", str(config), **url(fake))
    assert ended.code == 0, ended.err
    dataset = read_dataset(out)
    assert problems(dataset) == []
    goldens = {golden.metadata["ids"][0]: golden for golden in dataset.goldens}
    ranks = [one.ranks for golden in goldens.values() for one in judged_of(golden)]
    assert {name for one in ranks for name in one} <= {"bm25", "dense", "mine"}
    assert max(rank for one in ranks for rank in one.values()) <= 3
    if "q0" in goldens:
        assert any(one.get("mine") == 1 for one in (one.ranks for one in judged_of(goldens["q0"])))
    undecided = [one for one in dataset.rejects if one.stage in {"grade", "answer"}]
    assert len(goldens) + len(undecided) == 2
    assert {row.stage for row in dataset.manifest.usage} >= {"grade"}
    before, files = asked(fake), files_of(out)
    again = command.run("label", "--config", str(config), "--json", **url(fake))
    assert again.code == 0
    assert again.json["completeness"]["queries"] == len(goldens)
    assert asked(fake) == before
    assert files_of(out) == files


def test_a_budget_ends_the_run_and_a_larger_one_goes_on_from_there(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    queries, out = tmp_path / "queries.txt", tmp_path / "out"
    queries.write_text("".join(f"How long did the bell of town {town} stand?\n" for town in range(4)))
    arguments = ["label", str(corpus), "--queries", str(queries), "--model", "test-model", "--out", str(out)]
    ended = command.run(*arguments, "--n", "3", "--max-calls", "5", **url(fake))
    assert ended.code == 4, ended.err
    assert "3 queries: about 14 calls of models." in ended.err
    assert "the budget is spent" in ended.err
    first = read_dataset(out).manifest
    assert first.ended == "budget spent"
    row = next(row for row in first.funnel if row.stage == "read")
    assert (row.entered, row.left, row.rejected) == (4, 3, {"not_drawn": 1})
    before = asked(fake)
    assert command.run(*arguments, "--n", "3", **url(fake)).code == 0
    assert read_dataset(out).manifest.ended == "complete"
    assert len(asked(fake)) == len(set(asked(fake))) > len(before)
