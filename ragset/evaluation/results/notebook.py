"""How results of a benchmark show in a notebook: the leaderboard in the primary metric, best first."""

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ragset.evaluation.results.model import Standing
from ragset.evaluation.results.sentences import by_rules

if TYPE_CHECKING:
    from ragset.evaluation.results.folder import Benchmark


def title(name: str, found: "Benchmark") -> str:
    """The results in a line."""
    systems = len(found.systems)
    return f"{name}: {systems} configuration{'s'[: systems != 1]} on {found.goldens:,} goldens of {found.corpus}, by {found.primary}"


def leaderboard(standings: Iterable[Standing], primary: str) -> list[tuple[str, str, str, str]]:
    """Configuration, mean, 95 % interval, and whether it is the best or cannot be told from it; those not judged are last."""
    rows = [one for one in standings if one.metric == primary]
    rows.sort(key=lambda one: (one.mean is None, -(one.mean or 0.0)))
    tied = any(one.tied for one in rows)
    return [
        (
            one.configuration,
            "not judged" if one.mean is None else f"{one.mean:.3f}",
            "" if one.low is None or one.high is None else f"{one.low:.3f}–{one.high:.3f}",
            "not told from the best"
            if one.tied
            else "best"
            if place == 0 and one.mean is not None and not tied
            else "",
        )
        for place, one in enumerate(rows)
    ]


def as_html(name: str, found: "Benchmark") -> str:
    """The title, the leaderboard and what must be known of it."""
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        for row in leaderboard(found.standings, found.primary)
    )
    told = html.escape(by_rules(found.made_by_rules, found.goldens))
    head = f"<tr><th>configuration</th><th>{html.escape(found.primary)}</th><th>95 % interval</th><th></th></tr>"
    return f"<p><b>{html.escape(title(name, found))}</b></p><table>{head}{rows}</table><p>{told}</p>"
