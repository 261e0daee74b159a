from pathlib import Path

import pytest

from flows.cli.commands.making import key_without_model
from flows.parameters.models import SingleChunkParameters
from flows.parameters.reading import read_parameters, weights
from ragset.errors import InputError


def test_options_go_before_the_file_and_leave_the_rest_of_it(tmp_path: Path) -> None:
    config = tmp_path / "run.yaml"
    config.write_text("documents: {sources: [docs]}\nchunking: {strategy: words, size: 100}\nn: 7\n")
    read = read_parameters(SingleChunkParameters, config, {"chunking.size": 50, "n": "all"})
    assert (read.chunking.strategy, read.chunking.size, read.n, read.seed) == ("words", 50, "all", 0)


def test_every_bad_value_is_named_at_once() -> None:
    bad = {"documents.sources": ["docs"], "chunking.strategy": "magic", "n": "0", "writing.thresholds.clarity": 9}
    with pytest.raises(InputError) as raised:
        read_parameters(SingleChunkParameters, None, bad)
    message = str(raised.value)
    assert all(
        field in message
        for field in (
            "chunking.strategy (--chunking)",
            "n (--n): must be a whole number from 1, or all",
            "--min-clarity",
        )
    )


def test_an_unknown_name_in_the_file_is_an_error_that_names_file_line_and_what_may_be_meant(tmp_path: Path) -> None:
    config = tmp_path / "run.yaml"
    config.write_text("documents: {sources: [docs]}\nchunkin: {size: 3}\n")
    with pytest.raises(InputError, match=r"run\.yaml:2: chunkin: there is no such parameter; did you mean chunking\?"):
        read_parameters(SingleChunkParameters, config, {})


@pytest.mark.parametrize("text", ["- a\n- b\n", "a: [", "\x00", "a: " + "[" * 5_000])
def test_a_file_that_is_no_mapping_is_an_error_that_names_it(tmp_path: Path, text: str) -> None:
    config = tmp_path / "run.yaml"
    config.write_text(text)
    with pytest.raises(InputError, match=r"run\.yaml"):
        read_parameters(SingleChunkParameters, config, {})


def test_no_documents_is_an_error_that_says_so() -> None:
    with pytest.raises(InputError, match="name at least one file, folder or"):
        read_parameters(SingleChunkParameters, None, {})


def test_a_password_in_the_address_of_a_document_is_refused_in_one_line_without_it() -> None:
    with pytest.raises(InputError) as caught:
        read_parameters(SingleChunkParameters, None, {"documents.sources": ["https://me:hunter2@example.org/"]})
    assert str(caught.value) == (
        "documents.sources.0: names a user or a password, which would be kept with the run; leave them out of the address"
    )


def test_weights_are_typed_as_kinds_with_numbers() -> None:
    assert weights("styles", "open=2, factoid=.5,exam") == {"open": 2.0, "factoid": 0.5, "exam": 1.0}
    with pytest.raises(InputError, match="styles"):
        weights("styles", "open=much")


def test_a_key_without_a_model_gets_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    line = key_without_model("offline")
    assert "--model" in line
    assert "sk-planted" not in line
    assert key_without_model("gpt-x") == ""


def test_thresholds_may_be_a_file_and_options_win(tmp_path: Path) -> None:
    config, file = tmp_path / "run.yaml", tmp_path / "thresholds.yaml"
    config.write_text(f"documents: {{sources: [docs]}}\nwriting: {{audience: growers, thresholds: {file}}}\n")
    file.write_text("# by people\ngroundedness: 5\nclarity: 3\n")
    read = read_parameters(SingleChunkParameters, config, {"writing.thresholds.clarity": 5}).writing
    assert read.thresholds.model_dump() == {"groundedness": 5, "clarity": 5, "relevance": 4}
    file.write_text("clearness: 3\n")
    with pytest.raises(InputError, match=r"thresholds\.yaml:1: clearness: there is no such parameter"):
        read_parameters(SingleChunkParameters, config, {})
    file.write_text("- 3\n")
    with pytest.raises(InputError, match=r"thresholds\.yaml: is no file of thresholds"):
        read_parameters(SingleChunkParameters, config, {})
