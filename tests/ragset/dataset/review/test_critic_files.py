import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from flows.cli.commands.judging import calibrate_critic
from ragset.dataset import Dataset, read_dataset
from ragset.dataset.review.calibration import calibrate
from ragset.dataset.review.critic_files import EACH, CriticFiles, write_critic_files
from ragset.dataset.review.file import ReviewFile
from ragset.dataset.review.records import Review
from ragset.errors import InputError
from ragset.llm.prompts import builtin_folder, check_prompts, load_prompt, write_pins
from ragset.models import Step
from tests.small_dataset import corpus_of, golden_of, write_small

CRITIQUE = Step(stage="critique", prompt="critique_golden@4#0123456789ab", model="m")
PROMPT = load_prompt("critique_golden")


def dataset_of(folder: Path, *said: dict[str, Any], clarity: int = 5, step: Step = CRITIQUE) -> Dataset:
    """A golden for each of these judgements of Ada."""
    goldens = [
        golden_of(f"Query {number}?").model_copy(
            update={"scores": {"groundedness": 5, "relevance": 4, "clarity": clarity}, "lineage": (step,)}
        )
        for number in range(len(said))
    ]
    write_small(folder, corpus_of(folder.parent), goldens)
    reviews = (
        Review.of("Ada", golden.id, "golden", "golden@1", **one) for golden, one in zip(goldens, said, strict=True)
    )
    ReviewFile(folder).append(*reviews)
    return read_dataset(folder)


def written(dataset: Dataset, folder: Path) -> CriticFiles:
    return write_critic_files(calibrate(dataset, 0.95), dataset, folder)


GOOD = {"verdict": "good"}
VAGUE = {"verdict": "bad", "reasons": ("unclear",), "note": "Which tea?"}


def test_what_people_call_bad_becomes_an_example_with_their_reason(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "teas", GOOD, VAGUE)
    files = written(dataset, tmp_path / "critic")
    assert files.prompt is not None
    assert files.version == f"critique_golden@{PROMPT.version + 1}"
    proposed = load_prompt("critique_golden", folder=files.prompt.parent)
    assert proposed.examples[:-1] == PROMPT.examples
    assert (proposed.system, proposed.user) == (PROMPT.system, PROMPT.user)
    new = proposed.examples[-1]
    assert new.inputs == {
        "audience": "people who work with these documents",  # nobody described one
        "title": "Tea",
        "chunks": ["Green tea turns bitter above 80 °C. Steep it for two minutes."],
        "before": [""],
        "after": [""],
        "query": "Query 1?",
        "answer": "80 °C",
        "quotes": ["Green tea turns bitter above 80 °C."],
    }
    assert new.reply == {
        "groundedness": {"reason": "Nobody objects.", "needed": [1], "score": 5},
        "relevance": {"reason": "Nobody objects.", "score": 4},
        "clarity": {"reason": "Which tea?", "score": 2},
    }


def test_what_the_critic_would_drop_and_people_call_good_becomes_an_example_too(tmp_path: Path) -> None:
    # The run kept goldens from clearness 4; some that are less clear were added by hand.
    files = written(dataset_of(tmp_path / "teas", GOOD, clarity=3), tmp_path / "critic")
    assert files.prompt is not None
    reply = load_prompt("critique_golden", folder=files.prompt.parent).examples[-1].reply
    assert reply["clarity"] == {"reason": "People call it good as it is.", "score": 5}


def test_of_many_disagreements_those_with_notes_come_first(tmp_path: Path) -> None:
    bare = {"verdict": "bad", "reasons": ("wrong_answer", "incomplete_answer")}
    files = written(dataset_of(tmp_path / "teas", bare, bare, VAGUE, bare), tmp_path / "critic")
    assert files.prompt is not None
    new = load_prompt("critique_golden", folder=files.prompt.parent).examples[len(PROMPT.examples) :]
    assert len(new) == EACH
    assert new[0].reply["clarity"]["reason"] == "Which tea?"
    assert new[1].reply["groundedness"]["reason"] == "Wrong answer; Incomplete answer."


@pytest.mark.parametrize(
    "changes",
    [
        {"said": (GOOD,)},
        {"said": ({"verdict": "bad", "reasons": ("other",)},)},
        {"said": (VAGUE,), "step": CRITIQUE.model_copy(update={"prompt": "critique_clarity@3#0123456789ab"})},
    ],
)
def test_no_prompt_is_proposed_where_there_is_nothing_to_learn(tmp_path: Path, changes: dict[str, Any]) -> None:
    said = changes.pop("said")
    files = written(dataset_of(tmp_path / "teas", *said, **changes), tmp_path / "critic")
    assert files.prompt is None
    assert files.thresholds.is_file()


def test_a_proposal_that_was_corrected_is_not_replaced(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "teas", VAGUE)
    path = written(dataset, tmp_path / "critic").prompt
    assert path is not None
    assert written(dataset, tmp_path / "critic").prompt == path  # nothing was corrected
    path.write_text(path.read_text().replace("Which tea?", "It names no tea."))
    with pytest.raises(InputError, match="name another folder with --out"):
        written(dataset, tmp_path / "critic")
    assert "It names no tea." in path.read_text()


def test_a_folder_that_cannot_be_written_is_an_error_with_its_mend(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "teas", VAGUE)
    (tmp_path / "critic").write_text("a file")
    with pytest.raises(InputError, match=r"critic: cannot be written .* --out"):
        written(dataset, tmp_path / "critic")


def test_a_copied_proposal_is_a_fault_of_the_folder_until_it_is_pinned(tmp_path: Path) -> None:
    files = written(dataset_of(tmp_path / "teas", VAGUE), tmp_path / "critic")
    own = tmp_path / "prompts"
    shutil.copytree(builtin_folder(), own)
    assert files.prompt is not None
    shutil.copy(files.prompt, own)
    assert any(f"{files.version} is not pinned yet" in line for line in check_prompts(own))
    write_pins(own)
    assert not any(files.version in line for line in check_prompts(own))


def test_the_command_says_what_is_recommended_and_where_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset_of(tmp_path / "teas", GOOD, VAGUE)
    calibrate_critic(tmp_path / "teas", 0.95, None, None, False)
    captured = capsys.readouterr()
    assert "2 goldens of the random sample, judged by golden@1: 50% (9% to 91%) good" in captured.out
    assert "Recommended: groundedness 4, clarity 4" in captured.out
    assert (tmp_path / "teas-critic" / "thresholds.yaml").is_file()
    assert "No threshold is shown to reach 95%" in captured.err


def test_as_json_a_share_of_nothing_is_null(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset_of(tmp_path / "teas", VAGUE)
    calibrate_critic(tmp_path / "teas", 0.95, None, None, True)
    found = json.loads(capsys.readouterr().out)
    assert found["kept"]["recall"] == [None, None, None, 0]
    assert found["prompt_file"] == str(tmp_path / "teas-critic" / "prompts" / "critique_golden.md")
