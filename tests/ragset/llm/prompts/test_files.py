import os
from pathlib import Path

import pytest

from ragset.errors import PromptError
from ragset.llm.prompts import builtin_folder, load_prompt, prompt_names

QUERY = """---
name: critique_query
version: 7
purpose: Ours.
language: en
inputs: [audience, query]
reply: QueryCritique
---
## system
Is <query> clear? Answer in JSON.

## user
<audience>{{ audience }}</audience>
<query>{{ query }}</query>
"""


def write(folder: Path, text: str = QUERY, name: str = "critique_query.md") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_built_in_prompt_is_found_by_name() -> None:
    prompt = load_prompt("judge_chunk")
    assert prompt.name == "judge_chunk"
    assert prompt.system.startswith("You decide")
    assert prompt.user.endswith("</chunk>")


def test_a_file_in_the_users_folder_stands_before_the_built_in_one(tmp_path: Path) -> None:
    write(tmp_path)
    assert load_prompt("critique_query", folder=tmp_path).version == 7
    assert load_prompt("judge_chunk", folder=tmp_path) == load_prompt("judge_chunk")


def test_a_file_in_the_language_stands_before_one_in_english(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, QUERY.replace("language: en", "language: de"), "critique_query.de.md")
    assert load_prompt("critique_query", "de", tmp_path).key == "critique_query.de@7"
    assert load_prompt("critique_query", "en", tmp_path).key == "critique_query@7"


def test_a_language_without_a_file_falls_back_to_english() -> None:
    assert load_prompt("judge_chunk", "qz").language == "en"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert load_prompt("critique_query", folder=tmp_path).version == 7
    write(tmp_path, QUERY.replace("version: 7", "version: 8"))
    os.utime(path, ns=(1, 1))
    assert load_prompt("critique_query", folder=tmp_path).version == 8


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    write(tmp_path)
    plain = load_prompt("critique_query", folder=tmp_path)
    (tmp_path / "critique_query.md").write_bytes(b"\xef\xbb\xbf" + QUERY.replace("\n", "\r\n").encode())
    assert load_prompt("critique_query", folder=tmp_path).digest == plain.digest


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(PromptError, match=r"there is no prompt judge_chunks .*did you mean judge_chunk\?"):
        load_prompt("judge_chunks")


@pytest.mark.parametrize(("name", "language"), [("../judge_chunk", "en"), ("judge_chunk", "../de"), ("", "en")])
def test_a_name_cannot_lead_out_of_the_folder(name: str, language: str) -> None:
    with pytest.raises(PromptError):
        load_prompt(name, language)


def test_names_are_those_of_both_folders_each_once(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, name="evolve_rhyme.md")
    write(tmp_path, name="evolve_rhyme.de.md")
    write(tmp_path, "About these prompts.", "README.md")
    assert set(prompt_names(tmp_path)) == {*prompt_names(), "evolve_rhyme"}
    assert list(prompt_names(tmp_path)) == sorted(prompt_names(tmp_path))


def test_the_built_in_folder_holds_files(tmp_path: Path) -> None:
    assert (builtin_folder() / "judge_chunk.md").is_file()


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("---\nname", "name", "must begin with a YAML head"),
        ("## user", "## usher", "after the head come `## system` and `## user`"),
        ("## system", "Hello\n## system", "after the head come `## system` and `## user`"),
        ("## user", "## user\n## user", "after the head come `## system` and `## user`"),
        ("version: 7", "version: 7\nversion: 8", "version is there twice (line 3 of the YAML)"),
        ("version: 7", "version: [", "of the YAML)"),
        ("version: 7", "version: " + "[" * 5_000, "is nested too deeply"),
        ("version: 7", "system: x\nversion: 7", "system belongs under its own heading"),
        ("version: 7", "version: seven", "version: Input should be a valid integer"),
        ("version: 7", "vision: 7", "vision: Extra inputs are not permitted"),
        (
            "name: critique_query",
            "name: critique_quarry",
            "name: is critique_quarry, so the file must be",
        ),
        ("language: en", "language: de", "language: is de, the file's name says en"),
        ("reply: QueryCritique", "reply: Critique", "reply: must be QueryCritique, as of the built-in prompt"),
        ("inputs: [audience, query]", "inputs: [audience, text]", "user: 'query' is undefined"),
        ("{{ query }}", "{{ query }} {{ chunk }}", "user: 'chunk' is undefined"),
    ],
)
def test_a_file_that_breaks_a_rule_is_refused_with_its_name_and_the_field(
    tmp_path: Path, before: str, after: str, said: str
) -> None:
    path = write(tmp_path, QUERY.replace(before, after, 1))
    with pytest.raises(PromptError) as error:
        load_prompt("critique_query", folder=tmp_path)
    assert str(error.value).startswith(f"{path}: ")
    assert said in str(error.value)


def test_an_override_may_not_need_what_its_step_does_not_give(tmp_path: Path) -> None:
    text = QUERY.replace("query]", "query, chunk]").replace("</query>", "</query><chunk>{{ chunk }}</chunk>")
    write(tmp_path, text)
    with pytest.raises(PromptError, match="inputs: no chunk here, only audience, query"):
        load_prompt("critique_query", folder=tmp_path)


def test_an_override_may_leave_optional_inputs_out_and_has_none_of_its_own(tmp_path: Path) -> None:
    drafting = (builtin_folder() / "draft_open_query.md").read_text(encoding="utf-8")
    head, _, user = drafting.partition("## user\n")
    bare = (
        head.replace("optional: [title, focus, audience, persona, samples, form]\n", "optional: [title]\n")
        + "## user\n<title>{{ title }}</title>\n<chunk>{{ chunk }}</chunk>\n"
    )
    write(tmp_path, bare, "draft_open_query.md")
    assert load_prompt("draft_open_query", folder=tmp_path).optional == ("title",)
    mood = drafting.replace("samples, form]", "samples, form, mood]").replace(
        user, f"{user}<mood>{{{{ mood }}}}</mood>"
    )
    write(tmp_path, mood, "draft_open_query.md")
    with pytest.raises(PromptError, match=r"draft_open_query\.md: optional: no mood here, only title, focus, audience"):
        load_prompt("draft_open_query", folder=tmp_path)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "critique_query.md").write_bytes(QUERY.replace("Ours", "Nôtre").encode("latin-1"))
    with pytest.raises(PromptError, match="is not UTF-8"):
        load_prompt("critique_query", folder=tmp_path)
