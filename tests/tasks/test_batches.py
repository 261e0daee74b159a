from pathlib import Path
from typing import Any

import pytest

from flows.parameters.models import MultiChunkParameters, SingleChunkParameters
from flows.steps.checks import check_estimate
from ragset.errors import InputError
from ragset.generation.checks import CheckSettings
from ragset.generation.stage import Models
from ragset.settings import ModelSettings, Persona, WritingSettings
from tasks.batches import Recipe

MODEL = ModelSettings(model="m")
QUERIES = "reset password\nvpn drops on mac why\n"


def samples(folder: Path, text: str = QUERIES) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "queries.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


def recipe(checks: CheckSettings | None = None, **writing: Any) -> Recipe:
    return Recipe.load(WritingSettings(**writing), MODEL, MODEL, 0, checks=checks or CheckSettings())


def test_what_is_made_depends_on_the_queries_of_the_samples_and_not_on_where_they_are(tmp_path: Path) -> None:
    here, there = recipe(samples=samples(tmp_path / "a")), recipe(samples=samples(tmp_path / "b"))
    assert here.samples.queries == ("reset password", "vpn drops on mac why")
    assert here.identity == there.identity
    assert str(tmp_path) not in str(here.identity)
    assert recipe(samples=samples(tmp_path / "a", "boiler F28")).identity != here.identity
    assert recipe().identity != here.identity


def test_what_is_made_depends_on_the_personas() -> None:
    one, other = (recipe(personas=(Persona(name="nurse", voice=voice),)) for voice in ("in a hurry", "with care"))
    assert one.identity != other.identity


def test_the_reader_is_a_part_of_what_is_made_where_it_is_asked() -> None:
    named = CheckSettings(closed_book="label", closed_book_reader="r")
    found = recipe(named)
    assert [settings.model for settings in found.models] == ["m", "m", "r"]
    assert len(found.models) == len(Models._fields)
    assert found.identity["reader"]["model"] == "r"
    assert found.identity != recipe(CheckSettings(closed_book="label")).identity
    assert recipe(named.model_copy(update={"closed_book": "off"})).models == (MODEL, MODEL, MODEL)


@pytest.mark.parametrize(("language", "ordered"), [("", False), ("en", False), ("de", True)])
def test_a_language_is_ordered_where_it_is_known_and_another_than_that_of_the_documents(
    language: str, *, ordered: bool
) -> None:
    found = Recipe.load(WritingSettings(language=language), MODEL, MODEL, 0, documents="en")
    assert any(prompt.ordered for prompt in found.prompts.values()) is ordered


@pytest.mark.parametrize("model", [SingleChunkParameters, MultiChunkParameters])
def test_parameters_are_known_and_written_down_without_the_place_of_the_samples(model: Any, tmp_path: Path) -> None:
    def asked(folder: str) -> Any:
        writing = {"samples": samples(tmp_path / folder)}
        return model.model_validate({"documents": {"sources": ["docs"]}, "writing": writing})

    here = asked("a")
    assert here.identity == asked("b").identity
    assert here.portable["writing"]["samples"] == "queries.txt"
    assert str(tmp_path) not in str(here.portable)


@pytest.mark.parametrize("model", [SingleChunkParameters, MultiChunkParameters])
def test_samples_that_are_not_there_are_found_missing_before_anything_starts(model: Any, tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text("Green tea turns bitter above 80 °C.")
    writing = {"samples": str(tmp_path / "none.txt")}
    asked = model.model_validate({"documents": {"sources": [str(tmp_path)]}, "writing": writing})
    with pytest.raises(InputError, match=r"none\.txt: cannot be read"):
        check_estimate(asked, asks=False)
