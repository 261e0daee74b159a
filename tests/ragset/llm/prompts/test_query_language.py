import pytest

from ragset.llm.prompts import builtin_folder, check_prompts, load_prompt, written_in


def test_a_prompt_that_writes_queries_is_told_the_language_last_of_all_instructions() -> None:
    prompt = load_prompt("draft_open_query")
    german = written_in(prompt, "de")
    assert german.system.startswith(prompt.system)
    assert "write `query` and `answer` in German" in german.system.removeprefix(prompt.system)
    assert german.examples == prompt.examples
    assert german.user == prompt.user


def test_answers_are_in_the_language_and_quotes_in_the_passages_own() -> None:
    system = written_in(load_prompt("answer_query"), "de").system
    assert "write `answer` in German" in system
    assert "Quotes are not translated" in system


def test_fields_of_inner_models_count() -> None:
    assert "write `query` in French" in written_in(load_prompt("split_query"), "fr").system


@pytest.mark.parametrize("name", ["judge_chunk", "critique_golden", "compare_answers"])
def test_a_prompt_that_writes_neither_stays_as_it_is(name: str) -> None:
    prompt = load_prompt(name)
    assert written_in(prompt, "de") is prompt


def test_such_a_prompt_has_a_digest_of_its_own_for_each_language_and_the_same_name_and_version() -> None:
    prompt = load_prompt("draft_open_query")
    german, french = written_in(prompt, "de"), written_in(prompt, "fr")
    assert len({prompt.digest, german.digest, french.digest}) == 3
    assert german.key == prompt.key
    assert written_in(prompt, "de").digest == german.digest


def test_the_file_and_its_pin_are_not_touched() -> None:
    written_in(load_prompt("draft_open_query"), "de")
    assert [line for line in check_prompts(builtin_folder()) if "draft_open_query" in line] == []
