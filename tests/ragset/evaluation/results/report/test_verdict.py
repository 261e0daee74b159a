from pathlib import Path
from typing import Any

from lxml import html

from ragset.evaluation.metrics.scores import Bounds
from ragset.evaluation.results.model import Standing, System
from ragset.evaluation.results.report import render_results
from ragset.evaluation.results.report.board import Verdict, find_verdict, make_board
from ragset.models import Step
from tests.small_results import compared_of, standing_of, tea_results


def verdict_of(folder: Path, *standings: Standing, **changes: Any) -> Verdict:
    results = tea_results(folder, standings=standings, **changes)
    return find_verdict(results, make_board(results))


def said(folder: Path, *standings: Standing, **changes: Any) -> str:
    page = html.document_fromstring(render_results(tea_results(folder, standings=standings, **changes)))
    return " ".join(page.xpath("//*[@class='verdict']")[0].text_content().split())


def test_a_winner_is_named_where_no_other_is_tied(tmp_path: Path) -> None:
    verdict = verdict_of(tmp_path, standing_of("fine", 0.9, tied=True), standing_of("coarse", 0.5))
    assert verdict.winner is not None
    assert verdict.winner.name == "fine"
    assert (verdict.tied, verdict.behind) == ((), 1)


def test_a_tie_names_no_winner(tmp_path: Path) -> None:
    verdict = verdict_of(tmp_path, standing_of("fine", 0.9), standing_of("coarse", 0.5, tied=True))
    assert verdict.winner is None
    assert [entry.name for entry in verdict.tied] == ["fine", "coarse"]


def test_equal_means_are_a_tie_whatever_they_are_said_to_be(tmp_path: Path) -> None:
    assert verdict_of(tmp_path, standing_of("fine", 0.9), standing_of("coarse", 0.9)).winner is None


def test_a_configuration_that_is_alone_is_no_winner(tmp_path: Path) -> None:
    one = (System(name="fine", chunking="recursive-96"),)
    assert verdict_of(tmp_path, standing_of("fine", 0.9), systems=one).winner is None
    assert said(tmp_path, standing_of("fine", 0.9), systems=one).startswith("Only fine was measured")


def test_the_verdict_on_a_winner_in_words(tmp_path: Path) -> None:
    pair = compared_of("coarse", "fine", -0.4).model_copy(update={"smallest": 0.25})
    assert said(tmp_path, standing_of("fine", 0.9), standing_of("coarse", 0.5), comparisons=(pair,)) == (
        "recursive-96 is the best of 2 configurations. recall@5 0.900 (0.800 to 1.000). It is not tied with any other. "
        "A difference from the best of 0.250 would show in 4 of 5 benchmarks. A smaller one may be there and not be seen."
    )


def test_what_could_not_be_judged_stands_in_the_verdict_with_its_bounds(tmp_path: Path) -> None:
    unsure = standing_of("fine", 0.9, missing=3, bounds=Bounds(worst=0.45, best=0.95), tied=True)
    told = said(tmp_path, unsure, standing_of("coarse", 0.5, tied=True))
    assert "0.900 (0.800 to 1.000), 3 not judged, could be 0.450–0.950" in told
    assert "two configurations are told apart only if both ways say so" in told
    assert "both ways" not in said(tmp_path, standing_of("fine", 0.9), standing_of("coarse", 0.5))


def test_a_report_on_goldens_made_by_rules_says_so(tmp_path: Path) -> None:
    ruled = Step(stage="draft", prompt="draft_open_query@1#0", model="offline")
    results = tea_results(tmp_path)
    assert "made by rules" not in render_results(results)
    goldens = tuple(golden.model_copy(update={"lineage": (ruled,)}) for golden in results.goldens)
    results = tea_results(tmp_path, goldens=goldens)
    assert results.made_by_rules == 2
    assert "All 2 goldens were made by rules (offline), not by a language model." in render_results(results)


def test_the_verdict_on_a_tie_in_words(tmp_path: Path) -> None:
    systems = tuple(System(name=name, chunking=name) for name in "abc")
    standings = (standing_of("a", 0.9), standing_of("b", 0.8, tied=True), standing_of("c", 0.2))
    told = said(tmp_path, *standings, systems=systems)
    assert told.startswith(
        "No winner: these 2 configurations cannot be told apart. a 0.900 (0.800 to 1.000)b 0.800 (0.700 to 0.900) "
        "Each is tied with the first of them, which has the highest mean. The other 1 is behind: the data tell it from the best."
    )
    assert "best of" not in told


def test_where_all_are_tied_the_verdict_says_all(tmp_path: Path) -> None:
    told = said(tmp_path, standing_of("fine", 0.9), standing_of("coarse", 0.8, tied=True))
    assert told.startswith("No winner: all 2 configurations cannot be told apart.")


def test_nothing_judged_and_nothing_known_of_differences_are_said(tmp_path: Path) -> None:
    told = said(tmp_path, standing_of("fine", None), standing_of("coarse", None))
    assert told == "Nothing could be judged."


def test_the_others_are_counted_against_the_baseline_by_corrected_p_values(tmp_path: Path) -> None:
    systems = tuple(System(name=name, chunking=name) for name in "abcd")
    comparisons = (
        compared_of("a", "d", 0.4, p=0.01),
        compared_of("b", "d", -0.4, p=0.01),
        compared_of("c", "d", 0.4, p=0.06),
        compared_of("b", "a", 0.4, p=0.01),
    )
    standings = tuple(standing_of(name, 0.5) for name in "abcd")
    verdict = verdict_of(tmp_path, *standings, systems=systems, comparisons=comparisons, baseline="d")
    assert verdict.baseline == ("d", 1, 1, 1)
