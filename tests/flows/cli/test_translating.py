import json
from collections.abc import Generator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from flows.__main__ import app
from ragset.llm.prompts import check_prompts, load_prompt, prompt_names
from tests.fake_openai import Fake, fake_openai


@pytest.fixture(scope="module")
def server() -> Generator[Fake]:
    with fake_openai() as running:
        yield running


@pytest.fixture
def fake(server: Fake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fake:
    server.reset()
    for name in ("OPENAI_API_KEY", "RAGSET_PROMPTS", "RAGSET_PRICES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "home"))
    return server


def translate(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["prompts", "translate", *arguments])


def test_every_prompt_without_a_file_in_the_language_gets_one(fake: Fake, tmp_path: Path) -> None:
    out = tmp_path / "own"
    result = translate("--to", "nl", "--model", "gpt-x", "--out", str(out))
    assert result.exit_code == 0, result.output
    wanted = {f"{name}.nl.md" for name in prompt_names() if name != "translate_prompt"}
    assert {path.name for path in out.iterdir()} == wanted
    assert check_prompts(out) == []
    assert load_prompt("judge_chunk", "nl", out).translated_by == "gpt-x"
    assert "should read and correct them" in " ".join(result.output.split())
    assert f"RAGSET_PROMPTS={out}" in " ".join(result.output.split())
    again = translate("--to", "nl", "--model", "gpt-x", "--out", str(out))
    assert again.exit_code == 0
    assert "Nothing to do" in again.output


def test_one_prompt_by_name_costs_one_call_and_the_same_again_none(fake: Fake, tmp_path: Path) -> None:
    arguments = ("--to", "nl", "--model", "gpt-x", "--only", "judge_chunk", "--out", str(tmp_path), "--json")
    result = translate(*arguments)
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert told["written"] == [str(tmp_path / "judge_chunk.nl.md")]
    assert told["totals"]["calls"] == 1
    asked = len(fake.log())
    assert translate(*arguments, "--force").exit_code == 0
    assert len(fake.log()) == asked


def test_a_file_that_is_there_is_not_written_over(fake: Fake, tmp_path: Path) -> None:
    (tmp_path / "judge_chunk.nl.md").write_text("corrected by hand", encoding="utf-8")
    result = translate("--to", "nl", "--model", "gpt-x", "--only", "judge_chunk", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "--force" in result.output
    assert fake.log() == []
    assert (tmp_path / "judge_chunk.nl.md").read_text(encoding="utf-8") == "corrected by hand"


def test_a_translation_that_loses_a_text_is_asked_for_again(fake: Fake, tmp_path: Path) -> None:
    fake.set(lost_texts=1.0)
    arguments = ("--to", "nl", "--model", "gpt-y", "--only", "judge_chunk", "--out", str(tmp_path), "--json")
    result = translate(*arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["totals"]["calls"] == 2


def test_what_is_never_translated_well_is_reported_and_not_written(fake: Fake, tmp_path: Path) -> None:
    fake.set(malformed=1.0)
    result = translate("--to", "nl", "--model", "gpt-z", "--only", "judge_chunk", "--out", str(tmp_path / "own"))
    assert result.exit_code == 4
    assert "judge_chunk: not written: malformed_reply" in result.output
    assert not (tmp_path / "own").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "nl"), "--model: the offline rules cannot translate"),
        (("--to", "en", "--model", "gpt-x"), "--to: 'en' is no language to translate into"),
        (("--to", "germna", "--model", "gpt-x"), "--to: there is no language 'germna'"),
        (("--to", "nl", "--model", "gpt-x", "--only", "judge_chunks"), "did you mean judge_chunk?"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_asked(
    fake: Fake, arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    result = translate(*arguments, "--out", str(tmp_path))
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
    assert fake.log() == []


def test_a_model_that_the_server_does_not_know_is_exit_code_3(fake: Fake, tmp_path: Path) -> None:
    fake.set(models="gpt-a")
    assert translate("--to", "nl", "--model", "gpt-unknown", "--out", str(tmp_path)).exit_code == 3


def test_a_users_folder_is_where_variants_go_and_are_used_at_once(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGSET_PROMPTS", str(tmp_path / "own"))
    result = translate("--to", "nl", "--model", "gpt-x", "--only", "judge_chunk")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "own" / "judge_chunk.nl.md").is_file()
    assert "To use them: --language nl." in result.output


def test_a_run_in_a_language_without_rules_says_what_is_not_checked(tmp_path: Path) -> None:
    texts = {
        "pl": "Zegar na wieży został zbudowany przez kowala z miasta i nie zatrzymał się do dziś. ",
        "de": "Die Uhr wurde von einem Schmied für den Turm der Stadt gebaut und wird seitdem von Hand aufgezogen. ",
    }
    for language, text in texts.items():
        page = tmp_path / f"{language}.txt"
        page.write_text(text * 20, encoding="utf-8")
        result = CliRunner().invoke(app, ["estimate", str(page)])
        assert result.exit_code == 0, result.output
        said = "No rules for Polish (pl), only for English" in " ".join(result.output.split())
        assert said is (language == "pl")


def test_the_offline_rules_do_not_write_in_another_language_than_that_of_the_documents(tmp_path: Path) -> None:
    page = tmp_path / "clock.txt"
    page.write_text("The clock was built by a smith for the tower of the town. " * 20, encoding="utf-8")
    result = CliRunner().invoke(app, ["estimate", str(page), "--language", "de"])
    assert result.exit_code == 2
    assert "the documents are in en" in " ".join(result.output.split())
