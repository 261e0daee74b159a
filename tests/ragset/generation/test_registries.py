"""A part of each kind is added through its registry alone, and does its work."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.single_chunk import single_chunk as flow
from ragset.generation.checks import CheckSettings
from ragset.generation.evolutions import EVOLUTIONS, WIDENING, evolution, long_facts
from ragset.generation.pipeline import CHECKS, Check
from ragset.generation.stage import Case, Outcome, Setup, Stage
from ragset.generation.styles import STYLES, style
from ragset.llm.replies import EvolvedQuery, QueryDraft
from ragset.models import Candidate, Reject
from ragset.settings import WritingSettings
from tests.samples import QUERY, candidate, outcome_of, stages_of
from tests.scripted import Scripted


@pytest.fixture(autouse=True)
def registries() -> Iterator[None]:
    """Put back as they were."""
    before = [(registry, dict(registry)) for registry in (EVOLUTIONS, STYLES, CHECKS)]
    yield
    for registry, parts in before:
        registry.clear()
        registry.update(parts)


async def test_an_evolution_is_one_line() -> None:
    evolution("translate", "in other words", prompt="evolve_reasoning")
    llm = Scripted({"evolve_reasoning": [EvolvedQuery(reason="x", query="Whose smiths built the clock of Salisbury?")]})
    outcome = await outcome_of("evolve", candidate(QUERY), llm, Setup(WritingSettings(evolutions={"translate": 1})))
    assert isinstance(outcome, Candidate)
    assert (outcome.metadata["evolution"], outcome.query) == ("translate", "Whose smiths built the clock of Salisbury?")
    assert "translate" in WritingSettings.model_json_schema()["properties"]["evolutions"]["properties"]


async def test_a_style_is_one_line() -> None:
    style("riddle", "a riddle", prompt="draft_open_query")
    llm = Scripted({"draft_open_query": [QueryDraft(reason="x", query=QUERY)]})
    outcome = await outcome_of("draft", candidate(), llm, Setup(WritingSettings(styles={"riddle": 1})))
    assert isinstance(outcome, Candidate)
    assert outcome.metadata["style"] == "riddle"
    assert "riddle" in WritingSettings.model_json_schema()["properties"]["styles"]["properties"]


async def test_a_check_is_a_setting_and_a_function() -> None:
    class Polite(CheckSettings):
        polite: bool = True

    async def polite(candidate: Candidate, case: Case) -> Outcome:
        return candidate if "please" in candidate.query else candidate.rejected(case.stage, "rude")

    def on(setup: Setup) -> bool:
        return getattr(setup.checks, "polite", False)

    CHECKS.add("polite", Check("query", on, lambda _: Stage("polite", polite)))
    setup = Setup(WritingSettings(), Polite())
    assert list(stages_of(setup))[:3] == ["draft", "polite", "answer"]
    outcome = await outcome_of("polite", candidate(QUERY), Scripted({}), setup)
    assert isinstance(outcome, Reject)
    assert (outcome.stage, outcome.reason) == ("polite", "rude")
    assert "polite" not in stages_of()


def test_the_form_lists_what_the_registries_hold() -> None:
    form = str(flow.parameters.model_dump())
    assert all(f"'{name}'" in form for name in (*EVOLUTIONS, *STYLES))
    assert set(WIDENING) == {"multi_context"}


def test_the_docs_say_what_each_evolution_does() -> None:
    docs = Path("docs/checks.md").read_text(encoding="utf-8")
    for name, part in [*EVOLUTIONS.items(), *WIDENING.items()]:
        mark = " *" if part.suits is long_facts else ""
        assert f"| `{name}`{mark} | {part.does} |" in docs


def test_two_parts_of_one_name_are_an_error() -> None:
    with pytest.raises(ValueError, match="styles: open is there already"):
        style("open", "again")
