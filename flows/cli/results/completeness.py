"""Prints how complete the labels of pooled queries are likely to be."""

from flows.cli.terminal import output, say, table
from ragset.dataset.completeness import Completeness


def print_completeness(found: Completeness) -> None:
    """Print at which depth of the pool relevant passages were found."""
    rows = table("pool depth", right=("relevant passages found", "queries complete"))
    for row in found.rows:
        rows.add_row(str(row.depth), f"{row.passages:.0%}", f"{row.queries:.0%}")
    output.print(rows)
    if found.asked > found.queries:
        share = f"{found.asked_answered / found.asked:.0%}"
        say(f"The queries with a relevant passage are {share} of the {found.asked:,} times that people asked.")
    alone = ", ".join(f"{name} {count:,}" for name, count in found.alone)
    say(f"{found.relevant:,} of {found.judged:,} graded passages are relevant; found by one search alone: {alone}")
    if found.at_most is not None:
        say(f"At most {found.at_most:.1%} of all relevant passages are labelled, by what two searches share.")
