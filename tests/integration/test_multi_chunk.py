"""The multi-chunk pipeline as a user runs it: real processes, real Prefect, real Milvus Lite, HTTP on loopback."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from ragset.dataset import Dataset, problems, read_dataset
from ragset.text.rules.conjoined import conjoined
from tests.fake_openai import Fake
from tests.integration.conftest import ROOT, Command, asked, files_of, read_lines, url

pytestmark = pytest.mark.slow

SHARED = ROOT.parent / "shared" / "corpora"
EXAMPLES = "examples/corpus"


def with_model(out: Path, *more: str) -> list[str]:
    return ["multi-chunk", EXAMPLES, "--chunk-size", "128", "--model", "test-model", "--out", str(out), *more]


def check_multi_chunk(dataset: Dataset, wanted: int) -> None:
    """Every golden has evidence in at least two of its chunks, at its spans."""
    assert problems(dataset) == []
    assert len(dataset.goldens) == wanted
    assert dataset.manifest.kind == "multi-chunk"
    for golden in dataset.goldens:
        assert golden.kind == "multi-chunk"
        places = [chunk.rpartition(":") for chunk in golden.chunks]
        held = 0
        for document, _, span in places:
            start, end = map(int, span.split("-"))
            held += any(
                piece.doc_id == document and start <= piece.start < piece.end <= end for piece in golden.evidence
            )
        assert held == len(golden.chunks) >= 2
        assert all(dataset.corpus.text(span).strip() for span in golden.evidence)


@pytest.mark.service
def test_rules_alone_make_goldens_over_several_chunks(command: Command, tmp_path: Path) -> None:
    ended = command.run("multi-chunk", "--config", "examples/multi_chunk.yaml", "--out", str(tmp_path / "out"))
    assert ended.code == 0, ended.err
    assert "need chunks of two or more documents" in ended.out
    dataset = read_dataset(tmp_path / "out")
    check_multi_chunk(dataset, 40)
    stages = [row.stage for row in dataset.manifest.funnel]
    names = ["chunk", "sample", "expand", "rules", "draft", "split", "query", "answer", "critique"]
    assert stages == [*names, "necessity", "find", "keep"]


def test_a_conjoined_query_becomes_two_goldens_with_the_chunks_that_the_reply_assigned(
    command: Command, fake: Fake, tmp_path: Path
) -> None:
    fake.set(conjoined=1.0)
    ended = command.run(*with_model(tmp_path / "out", "--n", "10", "--single", "keep"), **url(fake))
    assert ended.code == 0, ended.err
    dataset = read_dataset(tmp_path / "out")
    goldens = dataset.goldens
    assert {golden.kind for golden in goldens} == {"single-chunk", "multi-chunk"}
    assert all(conjoined(golden.query) is None for golden in goldens)
    assert all(conjoined(golden.metadata["split_from"]) for golden in goldens)
    by_whole: dict[str, list[int]] = {}
    for golden in goldens:
        by_whole.setdefault(golden.metadata["split_from"], []).append(len(golden.chunks))
    # the server says that the first part needs chunk 1 and the second chunks 1 and 2
    assert [1, 2] in by_whole.values()
    split = next(row for row in dataset.manifest.funnel if row.stage == "split")
    assert split.left == 2 * split.entered


def test_half_right_splits_are_mended_once_and_hopeless_ones_rejected_with_the_reason(
    command: Command, fake: Fake, tmp_path: Path
) -> None:
    fake.set(conjoined=1.0, bad_splits=0.5, hopeless_splits=0.3, malformed=0.05)
    ended = command.run(*with_model(tmp_path / "out", "--n", "10"), "--json", **url(fake))
    assert ended.code == 0, ended.err
    check_multi_chunk(read_dataset(tmp_path / "out"), 10)
    rejects = [line for line in read_lines(tmp_path / "out" / "rejects.jsonl") if line["stage"] == "split"]
    reasons = {line["reason"] for line in rejects}
    assert "needs_too_few_chunks" in reasons
    faults = {"wrong_chunks", "two_queries", "leans_on_passage", "part_not_self_contained", "same_parts"}
    assert reasons & faults
    assert all(line["detail"] for line in rejects)


def test_multi_context_widens_single_chunk_queries(command: Command, fake: Fake, tmp_path: Path) -> None:
    ended = command.run(*with_model(tmp_path / "out", "--n", "8", "--evolutions", "multi_context"), **url(fake))
    assert ended.code == 0, ended.err
    dataset = read_dataset(tmp_path / "out")
    check_multi_chunk(dataset, 8)
    assert {golden.metadata["evolution"] for golden in dataset.goldens} == {"multi_context"}


@pytest.mark.service
def test_killed_and_run_again_no_question_is_asked_twice_and_the_bytes_are_the_same(
    command: Command, fake: Fake, tmp_path: Path
) -> None:
    fake.set(latency=0.05, unneeded=0.3, sufficient=0.1, conjoined=0.2)
    arguments = ["--n", "10", "--concurrency", "4"]
    whole = command.beside(tmp_path / "other")
    assert whole.run(*with_model(tmp_path / "whole", *arguments), **url(fake)).code == 0
    fake.reset()
    fake.set(latency=0.05, unneeded=0.3, sufficient=0.1, conjoined=0.2)
    rng, kills = random.Random(5), []
    for _ in range(2):
        process = command.start(*with_model(tmp_path / "out", *arguments), **url(fake))
        before = len(asked(fake))
        deadline = time.monotonic() + 60
        while process.poll() is None and len(asked(fake)) < before + 8 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(rng.uniform(0, 0.5))
        kills.append(time.time())
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert command.run(*with_model(tmp_path / "out", *arguments), **url(fake), real=True).code == 0
    ends = {entry["digest"]: entry["ended"] for entry in fake.log()}
    for entry in fake.log():
        # a reply on its way when the process died was never kept
        if entry["status"] == 200 and entry["reply"] != "Ready" and entry["ended"] != ends[entry["digest"]]:
            assert min(abs(entry["ended"] - kill) for kill in kills) < 0.2
    assert files_of(tmp_path / "out") == files_of(tmp_path / "whole")
    check_multi_chunk(read_dataset(tmp_path / "out"), 10)
    # and once more: nothing is asked, and nothing changes
    made = len(asked(fake))
    assert command.run(*with_model(tmp_path / "out", *arguments), **url(fake)).code == 0
    assert len(asked(fake)) == made
    assert files_of(tmp_path / "out") == files_of(tmp_path / "whole")


def test_a_budget_ends_a_run_well(command: Command, fake: Fake, tmp_path: Path) -> None:
    short = command.run(*with_model(tmp_path / "out", "--n", "10", "--max-calls", "40", "--json"), **url(fake))
    assert short.code == 4
    assert short.json["ended"] == "budget spent"
    assert len(asked(fake)) == 40


def test_the_estimate_counts_the_test_of_necessity(command: Command) -> None:
    arguments = ["estimate", EXAMPLES, "--pipeline", "multi-chunk", "--n", "10", "--model", "some-model", "--json"]
    # no key is needed, as nobody is asked
    with_it = command.run(*arguments)
    assert with_it.code == 0, with_it.err
    without = command.run(*arguments, "--no-necessity")
    necessity = {row["prompt"]: row["calls"] for row in with_it.json["usage"] if row["stage"] == "necessity"}
    # 10 goldens of two chunks and more are answered without each of them; a few answers are compared
    assert necessity["answer_query"] >= 20
    assert 0 < necessity["compare_answers"] < necessity["answer_query"]
    assert "necessity" not in {row["stage"] for row in without.json["usage"]}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--min-chunks", "5"], "min_chunks (5) must not be above max_chunks (4)"),
        (["--spread", "wide"], "--spread"),
    ],
)
def test_bad_parameters_are_exit_code_2_with_one_clear_line(command: Command, options: list[str], said: str) -> None:
    ended = command.run("multi-chunk", EXAMPLES, *options)
    assert ended.code == 2
    assert said in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.service
@pytest.mark.skipif(not SHARED.is_dir(), reason=f"{SHARED} is not there")
def test_works_on_a_corpus_by_others(command: Command, tmp_path: Path) -> None:
    config = ["--config", "examples/multi_chunk.yaml", "--n", "1"]
    ended = command.run("multi-chunk", str(SHARED / "chroma"), *config, "--out", str(tmp_path / "out"))
    assert ended.code == 0, ended.err
    check_multi_chunk(read_dataset(tmp_path / "out"), 1)
