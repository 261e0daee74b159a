"""What is said of results in the report, in a terminal and in a notebook."""

from collections.abc import Sequence

from ragset.evaluation.metrics.paired import FEWEST
from ragset.evaluation.results.model import Comparison


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
