"""What is said of results: sentences for the report and a terminal, and tables for a notebook."""

import html
from collections.abc import Iterable, Sequence

from ragset.evaluation.metrics.paired import FEWEST
from ragset.evaluation.results.model import Comparison, Standing


def many(count: int, what: str) -> str:
    """A count with its noun."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def differences_shown(comparisons: Sequence[Comparison]) -> str:
    """How large a difference from the best must be to show, as a sentence without a stop; empty where nothing is compared."""
    # The first are those with the best.
    pairs = [one for one in comparisons if one.against == comparisons[0].against]
    known = [one.smallest for one in pairs if one.smallest is not None]
    if not pairs:
        return ""
    if not known:
        needed = f"it takes more goldens, and {FEWEST} or more on which two configurations differ"
        return f"how large a difference must be to show is not known: {needed}"
    low, high = f"{min(known):.3f}", f"{max(known):.3f}"
    size = low if low == high else f"{low} to {high}, by pair,"
    rest = "" if len(known) == len(pairs) else f" (not known of {len(pairs) - len(known)} of {len(pairs)} pairs)"
    return f"a difference from the best of {size} would show in 4 of 5 benchmarks{rest}"


def by_rules(made: int, goldens: int) -> str:
    """That goldens were made by rules, as sentences; empty where none were."""
    if not made:
        return ""
    which = f"All {goldens:,} goldens were" if made == goldens else f"{made:,} of {goldens:,} goldens were"
    return (
        f"{which} made by rules (offline), not by a language model. Such queries repeat the words of their passages: they show "
        "that a benchmark runs, make no test set, and say little about which configuration answers people best."
    )


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


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], notices: Iterable[str]) -> str:
    """A table with its title above and notices below; every text is escaped."""

    def row(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    below = "".join(f"<p>{html.escape(notice)}</p>" for notice in notices)
    return f"<p><b>{html.escape(title)}</b></p><table>{row('th', head)}{''.join(row('td', one) for one in rows)}</table>{below}"
