from pathlib import Path

import pytest

from ragset.errors import PromptError
from ragset.llm.prompts import builtin_folder, check_prompts, load_prompt, read_pins, write_pins
from ragset.llm.prompts.pins import PINS, overrides

RHYME = """---
name: evolve_rhyme
version: 1
purpose: A query that rhymes.
inputs: [query]
reply: EvolvedQuery
---
## system
Make <query> rhyme. Answer in JSON.

## user
<query>{{ query }}</query>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "evolve_rhyme.md").write_text(RHYME, encoding="utf-8")
    return tmp_path


def change(folder: Path, before: str, after: str) -> None:
    path = folder / "evolve_rhyme.md"
    path.write_text(path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")


def test_pins_map_name_and_version_to_the_digest(folder: Path) -> None:
    digest = load_prompt("evolve_rhyme", folder=folder).digest
    assert write_pins(folder) == {"evolve_rhyme@1": digest}
    assert read_pins(folder) == {"evolve_rhyme@1": digest}


def test_a_digest_of_digits_alone_stays_text(folder: Path) -> None:
    (folder / PINS).write_text('old_prompt@1: "123456789012"\n', encoding="utf-8")
    assert write_pins(folder)["old_prompt@1"] == "123456789012"
    assert read_pins(folder)["old_prompt@1"] == "123456789012"


def test_text_that_moved_without_a_version_cannot_be_pinned(folder: Path) -> None:
    write_pins(folder)
    pinned = (folder / PINS).read_text(encoding="utf-8")
    change(folder, "rhyme. Answer", "rhyme well. Answer")
    with pytest.raises(PromptError, match="evolve_rhyme@1 has changed since it was pinned; raise `version`"):
        write_pins(folder)
    assert (folder / PINS).read_text(encoding="utf-8") == pinned


def test_files_of_ones_own_say_what_they_replace_and_whether_they_are_pinned(folder: Path) -> None:
    built_in = builtin_folder() / "judge_chunk.md"
    (folder / built_in.name).write_text(built_in.read_text(encoding="utf-8"), encoding="utf-8")
    own, replaced = overrides(folder)
    assert own == f"{folder / 'evolve_rhyme.md'} is a prompt of your own: evolve_rhyme@1, not pinned"
    assert replaced.startswith(f"{folder / built_in.name} replaces the built-in prompt: judge_chunk@")
    write_pins(folder)
    assert all(line.endswith("as it is pinned") for line in overrides(folder))
    assert overrides(None) == overrides(builtin_folder()) == []


def test_a_new_version_is_pinned_beside_the_old_one(folder: Path) -> None:
    old = write_pins(folder)
    change(folder, "version: 1", "version: 2")
    change(folder, "rhyme. Answer", "rhyme well. Answer")
    pins = write_pins(folder)
    assert set(pins) == {"evolve_rhyme@1", "evolve_rhyme@2"}
    assert pins["evolve_rhyme@1"] == old["evolve_rhyme@1"] != pins["evolve_rhyme@2"]


def test_a_folder_without_pins_has_none(folder: Path) -> None:
    assert read_pins(folder) == {}
    assert check_prompts(folder) == []


def test_checking_finds_what_is_not_pinned_and_what_has_moved(folder: Path) -> None:
    (folder / PINS).write_text("", encoding="utf-8")
    assert check_prompts(folder) == [f"{folder / PINS}: evolve_rhyme@1 is not pinned yet"]
    write_pins(folder)
    assert check_prompts(folder) == []
    change(folder, "rhyme. Answer", "rhyme well. Answer")
    assert ["has changed since it was pinned" in problem for problem in check_prompts(folder)] == [True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- a\n", "must map name@version to a digest"),
        ("evolve_rhyme: '123456789abc'\n", "evolve_rhyme is no name@version"),
        ("evolve_rhyme@1: abc\n", "must be 12 hexadecimal digits"),
        ("evolve_rhyme@1: 123456789012\n", "in quotation marks"),
        ("a@1: '123456789abc'\na@1: '123456789abd'\n", "a@1 is there twice"),
    ],
)
def test_a_file_of_another_form_is_refused(folder: Path, text: str, said: str) -> None:
    (folder / PINS).write_text(text, encoding="utf-8")
    with pytest.raises(PromptError, match=said):
        read_pins(folder)
    assert len(check_prompts(folder)) == 1
