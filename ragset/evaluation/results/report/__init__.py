"""The report of a benchmark: one page in one file, which asks nothing of the network."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from ragset.dataset.report.page import HERE, flat, script_of, template_of
from ragset.evaluation.metrics.registry import in_order, meaning
from ragset.evaluation.results.facts import favour_notices
from ragset.evaluation.results.model import Results
from ragset.evaluation.results.report.board import Board, find_verdict, make_board
from ragset.evaluation.results.report.breakdown import FEW, breakdowns
from ragset.evaluation.results.report.browser import LARGEST, MOST_HITS, browser_data, gold_places, left_out
from ragset.evaluation.results.report.charts import bar_axis, forests, lines
from ragset.evaluation.results.report.efficiency import efficiency_section
from ragset.evaluation.results.report.failures import failure_section
from ragset.evaluation.results.report.filters import FILTERS
from ragset.evaluation.results.report.people import people_section
from ragset.evaluation.results.sentences import by_rules, differences_shown

__all__ = ["render_results"]

_HERE = Path(__file__).parent
_STYLES = (HERE / "page.css", _HERE / "results.css")
_SCRIPTS = (HERE / "page.js", HERE / "list.js", _HERE / "browser.js", _HERE / "tables.js", HERE / "next.js")
"""In this order they make one script."""


def render_results(results: Results, *, stored: bool = True) -> str:
    """The page as HTML. The same results give the same page; text from documents and models is shown, never run.

    What to run next is on it where the results are `stored` in the folder of the page.
    """
    board = make_board(results)
    script = script_of(_SCRIPTS)
    measured = {standing.metric for standing in results.standings} | set(map(str, results.scores["metric"]))
    return _template().render(
        results=results,
        stored=stored,
        board=board,
        places={entry.name: entry.place for entry in board.entries},
        verdict=find_verdict(results, board),
        smallest=differences_shown(results.comparisons),
        unsure=any(standing.bounds for standing in results.standings if standing.metric == results.primary),
        by_rules=by_rules(results.made_by_rules, len(results.goldens)),
        favoured=list(favour_notices(results.cut_rates)),
        rates={(one.chunking, one.dataset): one for one in results.cut_rates},
        mappings=list({one.chunking: one.mapping for one in results.systems if one.mapping}.items()),
        bar_axis=bar_axis(board),
        forests=forests(results, board),
        lines=lines(board),
        people=people_section(results),
        efficiency=efficiency_section(board),
        failures=failure_section(results, board),
        breakdowns=breakdowns(results, board),
        few=FEW,
        parameters=list(flat(results.parameters)),
        meanings=[(metric, meaning(metric)) for metric in in_order(measured, results.primary)],
        style="\n".join(path.read_text(encoding="utf-8") for path in _STYLES),
        script=script.text,
        script_hash=script.digest,
        **_data(results, board),
    )


def _data(results: Results, board: Board) -> dict[str, str]:
    """The two parts of the data as JSON that may stand in a page, and what was left out for its size."""
    from jinja2.utils import htmlsafe_json_dumps

    gold = gold_places(results)
    form: Any = {"ensure_ascii": False, "separators": (",", ":"), "allow_nan": False}
    data, runs, most = "", "", 0
    for most in MOST_HITS:
        data, runs = (htmlsafe_json_dumps(part, **form) for part in browser_data(results, board, most, gold))
        if len(data) + len(runs) <= LARGEST:
            break
    return {"data": data, "runs": runs, "left_out": left_out(most)}


@lru_cache(maxsize=1)
def _template() -> Any:
    return template_of(_HERE / "results.html.jinja", FILTERS)
