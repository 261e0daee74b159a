"""The registry of metrics. Scoring, `--primary`, the report and its legend take their lists from it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from ragset.errors import InputError
from ragset.models import CORPUS_WIDE, UNANSWERABLE, Golden
from ragset.settings.registry import Registry

Better = Literal["higher", "lower", ""]
Need = Literal[
    "chunks", "spans", "tokens", "index", "reference", "answer", "answerable", "unanswerable", "effort",
    "claims", "answer claims", "citations", "assertions",
]  # fmt: skip
"""What a metric is computed from, and the arguments of `Metric.compute`:

- chunks: the ids that were retrieved, the relevant chunks of each set of evidence, and the cut-off;
- spans: the `RetrievedSpans` of the first k hits, and how many unaligned characters count as evidence not yet found;
- tokens: the same of the hits within k tokens;
- index: the evidence of one set, the layout of all chunks of the configuration, and whether touching chunks count;
- reference: the answer and the reference answer;
- answerable, unanswerable, answer: the answer to a query that the documents answer, do not answer, or to any;
- effort: what the system took for the query (`ragset.evaluation.efficiency`, which computes it);
- claims, answer claims, citations: the `Diagnosis` of a golden, of one with an answer, of a system that cites;
- assertions: the answer to a corpus-wide query, which has no other metric (the critic judges it).
"""


OF_CLAIMS: tuple[Need, ...] = ("claims", "answer claims", "citations")
ALL_NEEDS: Set[Need] = frozenset(get_args(Need))
_OF_ANSWERS: tuple[Need, ...] = ("reference", "answer", "answerable", "unanswerable", "assertions")


@dataclass(frozen=True)
class Metric:
    """One metric, or where the name has `{k}` one for each cut-off or token budget."""

    name: str
    needs: Need
    meaning: str
    place: int
    """The lower, the further left in the report."""
    compute: Callable[..., float] | None = None
    """See `Need`. None: ir-measures computes it (`measure`), or the critic judges it."""
    measure: str = ""
    """Of ir-measures, such as `nDCG@{k}`."""
    any_set: bool = False
    """Of a `measure`: a chunk counts that is relevant to any set. Otherwise each set is scored by itself, and the best counts."""
    judged: bool = False
    better: Better = "higher"
    """`lower`: it has a mean and does not rank. Empty: it has no mean, and the report shows it query by query."""

    def named(self, k: int) -> str:
        """The name at a cut-off or budget."""
        return self.name.replace("{k}", str(k))


METRICS = Registry[Metric]("metrics")
"""By name, in the order in which scores are written."""


def register(metric: Metric) -> Metric:
    """Add a metric to the registry."""
    return METRICS.add(metric.name, metric)


def find_metric(name: str) -> tuple[Metric, int] | None:
    """The metric and cut-off (0: none) of a name such as `recall@5` or `mrr`; None where nobody registered it."""
    for metric in METRICS.values():
        pattern = re.escape(metric.name).replace(re.escape("{k}"), r"(\d+)")
        if found := re.fullmatch(pattern, name):
            return metric, int(found[1]) if found.groups() else 0
    return None


def metrics_of(*needs: Need) -> list[Metric]:
    """All that need one of these."""
    return [metric for metric in METRICS.values() if metric.needs in needs]


def at_sizes(metrics: Iterable[Metric], sizes: Iterable[int]) -> Iterator[tuple[str, Metric, int]]:
    """Name, metric and size: first those without `{k}`, then all others at each size."""
    metrics = list(metrics)
    yield from ((metric.name, metric, 0) for metric in metrics if "{k}" not in metric.name)
    for size in dict.fromkeys(sizes):
        yield from ((metric.named(size), metric, size) for metric in metrics if "{k}" in metric.name)


def has_mean(name: str) -> bool:
    """Whether means of it say something; also of a metric that nobody registered."""
    found = find_metric(name)
    return found is None or bool(found[0].better)


def ranks(name: str) -> bool:
    """Whether a higher mean of it is better, so that it can rank configurations; also of a metric that nobody registered."""
    found = find_metric(name)
    return found is None or found[0].better == "higher"


def meaning(name: str) -> str:
    """What a metric says, in a phrase; empty for one that nobody registered."""
    found = find_metric(name)
    return found[0].meaning.replace("{k}", f"{found[1]:,}") if found else ""


def in_order(names: Iterable[str], primary: str) -> tuple[str, ...]:
    """As a report shows them: the primary one, then by `place` and cut-off; unknown ones by name at the end."""

    def place(name: str) -> tuple[bool, float, int, str]:
        metric, k = find_metric(name) or (None, 0)
        return name != primary, metric.place if metric else float("inf"), k, name

    return tuple(sorted(names, key=place))


def needs_of(golden: Golden) -> set[Need]:
    """What metrics need that this golden has, if it is searched for, answered and judged."""
    if golden.kind == CORPUS_WIDE:
        return {"assertions"}
    found: set[Need] = {"answer"}
    if golden.evidence:
        found.update(("chunks", "spans", "tokens", "index"))
    if golden.answer is None or golden.kind == UNANSWERABLE:
        found.add("unanswerable")
    else:
        found.update(("answerable", "reference", *OF_CLAIMS) if golden.answer.strip() else ("answerable",))
    return found


def measurable(goldens: Iterable[Golden]) -> Set[Need]:
    """What any of the goldens has of it."""
    return set[Need]().union(*map(needs_of, goldens))


def metric_names(
    has: Set[Need],
    *,
    cutoffs: Sequence[int],
    budgets: Sequence[int],
    indexed: bool,
    answers: bool,
    judged: bool,
    diagnosed: bool = False,
) -> tuple[str, ...]:
    """The metrics that can rank and that a benchmark will yield, known before anything is measured.

    `indexed` says whether any system is ours, so that all its chunks are known; `answers` whether any gives answers,
    `judged` whether a language model judges them, and `diagnosed` whether it looks at their claims.
    """
    asked: dict[Need, bool] = {
        "index": indexed and bool(cutoffs),
        **dict.fromkeys(_OF_ANSWERS, answers),
        "claims": diagnosed,
        **dict.fromkeys(OF_CLAIMS[1:], diagnosed and answers),
    }
    return tuple(
        name
        for metric in METRICS.values()
        if metric.needs in has and asked.get(metric.needs, True)
        if metric.better == "higher" and (judged or not metric.judged)
        for name, _, _ in at_sizes([metric], budgets if metric.needs == "tokens" else cutoffs)
    )


def answer_metrics(golden: Golden, *, judged: bool) -> list[Metric]:
    """Those that an answer to this golden has, without or with a critic."""
    needs = needs_of(golden).intersection(_OF_ANSWERS)
    return [metric for metric in metrics_of(*needs) if judged or not metric.judged]


class Primary(NamedTuple):
    """The metric that ranks, and a sentence why where it is neither named nor the usual one."""

    name: str
    basis: str = ""


def usual_primary(
    names: Sequence[str], answers: str, cutoffs: Sequence[int], budgets: Sequence[int], *, whole: bool
) -> Primary:
    """The metric of `names` that ranks where none is asked for.

    `answers` is the usual one of answers, empty without readers. Else it is recall near 512 tokens, or nDCG near 10
    chunks where `whole` documents are the evidence, which no such recall can find.
    """
    if answers in names:
        return Primary(answers)
    if not names:
        raise InputError(
            "datasets: there is nothing to measure in these goldens; name a dataset with evidence, or for corpus-wide goldens a "
            "reader (--reader) and a critic that is a model (--critic), as answers to them are graded"
        )
    if tuple(names) == ("assertions_met",):
        return Primary(names[0], "All goldens are corpus-wide: their answers are graded, and nothing else of them.")
    basis = f"No golden has a reference answer, so {answers} cannot be had." if answers else ""
    ndcg = f"ndcg@{min(cutoffs, key=lambda k: abs(k - 10))}" if cutoffs else "mrr"
    if whole and ndcg in names:
        why = "as whole documents are the evidence here: recall within some tokens cannot get near 1."
        return Primary(ndcg, f"{basis} Ranked by {ndcg}, {why}".strip())
    recall = f"recall@{min(budgets, key=lambda size: abs(size - 512))}tokens" if budgets else ndcg
    return Primary(recall if recall in names else names[0], basis)
