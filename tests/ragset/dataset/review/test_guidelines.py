from pathlib import Path

import pytest

from ragset.dataset.review.guidelines import FOLDER, load_guideline, read_guidelines
from ragset.dataset.review.records import Review
from ragset.errors import InputError
from ragset.llm.prompts import builtin_folder, read_pins

TEXT = "---\nname: golden\nversion: {version}\nkind: golden\ntitle: Good?\nreasons: {{trivial: Trivial}}\n---\nLook.\n"


def own(folder: Path, text: str, name: str = "golden") -> Path:
    (folder / FOLDER).mkdir(exist_ok=True)
    (folder / FOLDER / f"{name}.md").write_text(text)
    return folder


def test_no_guideline_changes_without_a_version() -> None:
    pins = read_pins(builtin_folder() / FOLDER)
    assert [pins.get(one.key) for one in read_guidelines()] == [one.digest for one in read_guidelines()]


def test_a_team_s_own_text_stands_before_the_built_in_one(tmp_path: Path) -> None:
    found = load_guideline("golden", own(tmp_path, TEXT.format(version=7)))
    assert (found.key, found.text, found.reasons) == ("golden@7", "Look.", {"trivial": "Trivial"})
    assert load_guideline("golden", tmp_path / "none") == load_guideline("golden")


def test_another_text_under_a_built_in_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"golden\.md: golden@1 has changed .* raise `version`"):
        load_guideline("golden", own(tmp_path, TEXT.format(version=1)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Look.", "YAML head"),
        (TEXT.format(version=0), "version"),
        (TEXT.format(version=7).replace("kind: golden", "kind: answer"), "grades: are 1 to 5"),
        (TEXT.format(version=7).replace("name: golden", "name: gold"), r"must be gold\.md"),
    ],
)
def test_a_file_that_breaks_a_rule_is_named_with_the_fault(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        load_guideline("golden", own(tmp_path, text))


def test_a_review_must_be_of_the_text_shown_and_of_its_reasons() -> None:
    guideline = load_guideline("golden")
    guideline.check(Review.of("Ada", "g-1", "golden", guideline.key, verdict="bad", reasons=("unclear",)))
    with pytest.raises(InputError, match="load the page again"):
        guideline.check(Review.of("Ada", "g-1", "golden", "golden@999", verdict="good"))
    with pytest.raises(InputError, match="has no boring, only unclear"):
        guideline.check(Review.of("Ada", "g-1", "golden", guideline.key, verdict="bad", reasons=("boring",)))
