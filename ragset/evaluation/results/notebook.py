"""How results of a benchmark show in a notebook: the leaderboard in the primary metric, best first."""

import html
from collections.abc import Iterable, Sequence
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
    head = ("configuration", found.primary, "95 % interval", "")
    notices = [by_rules(found.made_by_rules, found.goldens)]
    return html_table(title(name, found), head, leaderboard(found.standings, found.primary), notices)


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], notices: Iterable[str]) -> str:
    """A table with its title above and notices below; every text is escaped."""

    def row(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    below = "".join(f"<p>{html.escape(notice)}</p>" for notice in notices)
    return f"<p><b>{html.escape(title)}</b></p><table>{row('th', head)}{''.join(row('td', one) for one in rows)}</table>{below}"
