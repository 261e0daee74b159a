"""All checks at once, with a model that passes some of what it sees, fails some, and does not always make sense."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from ragset.dataset import FunnelRow, problems, read_dataset
from ragset.generation.passages import ROUNDS
from tests.fake_openai import Fake
from tests.integration.conftest import Command, url

pytestmark = pytest.mark.slow

CONFIG = """
preset: thorough
checks:
  score_chunks: true
  judge_queries: true
  same_query: true
  judge_evolutions: true
  closed_book: filter
  holes: true
  pool: 3
writing:
  styles: {open: 1, exam: 1}
  evolutions: {reasoning: 1, constraints: 1, deepen: 1, none: 1}
  depth: 2
  unanswerable: 0.2
split: {by: evidence}
"""


def check_funnel(rows: tuple[FunnelRow, ...]) -> None:
    """What enters a stage leaves it or is rejected, and what leaves it enters the next.

    Passages are drawn at several places in each chunk; of a corpus that is used up, at all of them.
    """
    for row in rows:
        assert row.entered == row.left + sum(row.rejected.values()), row
    for row, after in pairwise(rows):
        times = ROUNDS if after.stage == "passages" else 1
        assert after.entered == times * row.left, (row, after)


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    """Sixty short documents of one chunk each."""
    folder = tmp_path / "towns"
    folder.mkdir()
    for place in range(60):
        (folder / f"{place:02}.txt").write_text(
            f"The bell of town number {place} was cast in {1500 + 7 * place} and rang for {90 + place} years. Its keeper "
            f"measured {place * 3 + 2} errors of the bell in each season, because damp air in the tower slowed it down. The "
            f"council of town {place} paid {place + 11} crowns a year to have it mended, and the smith kept the keys.\n"
        )
    return folder


def test_every_stage_passes_fails_and_counts_what_makes_no_sense(
    command: Command, fake: Fake, towns: Path, tmp_path: Path
) -> None:
    fake.set(
        reject_share=0.1,
        low_scores=0.1,
        unclear_queries=0.2,
        hopeless_queries=0.1,
        same_queries=0.2,
        hopeless_same=0.1,
        hopeless_evolutions=0.1,
        unanswerable_evolutions=0.1,
        by_heart=0.7,
        supported=0.2,
        hopeless_supports=0.1,
        malformed=0.25,
        lost_quotes=0.1,
    )
    config = tmp_path / "run.yaml"
    config.write_text(CONFIG)
    out = tmp_path / "out"
    arguments = [
        "single-chunk",
        str(towns),
        "--chunk-size",
        "200",
        "--model",
        "m",
        "--config",
        str(config),
        "--n",
        "60",
    ]
    ended = command.run(*arguments, "--out", str(out), **url(fake))
    assert ended.code == 4, ended.err
    assert "Split by evidence" in ended.out
    dataset = read_dataset(out)
    assert problems(dataset) == []

    rows = dataset.manifest.funnel
    names = ["screen", "evolve", "answer", "critique", "judge", "score", "find", "support", "closed_book", "keep"]
    assert [row.stage for row in rows] == ["chunk", "passages", "rules", "draft", *names]
    check_funnel(rows)
    reasons = {row.stage: row.rejected for row in rows}
    assert reasons["score"]["low_chunk_score"]
    assert set(reasons["screen"]) & {"not_standalone", "unclear"}
    assert set(reasons["evolve"]) & {"not_standalone", "not_answerable"}
    assert reasons["closed_book"]["known_without_passage"]
    stages = ("judge", "score", "screen", "evolve", "answer", "critique", "closed_book")
    malformed = Counter({stage: reasons[stage].get("malformed_reply", 0) for stage in stages})
    assert malformed.total() >= 3, reasons
    assert any(reject.stage == "evolve" and " (" in reject.detail for reject in dataset.rejects)

    goldens = dataset.goldens
    assert any(golden.equivalents for golden in goldens)
    assert any(golden.metadata.get("rewrites") for golden in goldens)
    assert {golden.split for golden in goldens} == {"train", "validation", "test"}
    assert dataset.manifest.split is not None
    assert all(leak.evidence == leak.repeats == 0 for leak in dataset.manifest.split.leakage)
    assert all(golden.metadata["hardness"]["level"] for golden in goldens)
    prompts = {row.prompt for row in dataset.manifest.usage}
    assert {"score_chunk", "judge_query", "rewrite_query", "same_query", "judge_evolution", "judge_support"} <= prompts
    assert {"answer_closed_book", "judge_answer", "draft_unanswerable"} <= prompts
