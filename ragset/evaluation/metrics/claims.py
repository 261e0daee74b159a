"""Claims of the reference and of an answer, each held against the other text and against the passages.

The metrics are those of RAGChecker (Ru et al. 2024), under names that do not clash with metrics of chunks. One that is not
defined, such as the precision of an answer without claims, is NaN, where RAGChecker's program counts 0. Which
claims are vital is as in the nugget evaluation of TREC (Voorhees 2003; Pradeep et al. 2025).
"""

import math
from collections.abc import Callable, Iterable
from functools import partial

from ragset.evaluation.metrics.registry import Better, Metric, Need
from ragset.models import Model


class ReferenceClaim(Model):
    """A claim of the reference answer."""

    text: str
    vital: bool
    """Whether an answer without it does not answer the query, or only in part."""
    passages: tuple[int, ...]
    """Numbers, from 1, of those that state it, of the passages that the reader was given."""
    answered: bool | None
    """Whether the answer states it; None where nobody answers."""
    reason: str = ""
    """The critic's, of an assertion."""


class AnswerClaim(Model):
    """A claim of an answer."""

    text: str
    passages: tuple[int, ...]
    correct: bool
    """Whether the reference states it."""


class Diagnosis(Model):
    """What a critic found of one golden and one system."""

    passages: int
    """How many the reader was given."""
    reference: tuple[ReferenceClaim, ...]
    answer: tuple[AnswerClaim, ...] | None
    """None where nobody answers; empty where the answer claims nothing."""
    cited: tuple[int, ...] | None = None
    """Numbers of the passages that the answer cites; None where the system does not cite."""

    @property
    def relevant(self) -> set[int]:
        """The passages that state any claim of the reference."""
        return {number for claim in self.reference for number in claim.passages}


def _share(bits: Iterable[bool]) -> float:
    """NaN of nothing."""
    found = list(bits)
    return sum(found) / len(found) if found else math.nan


def _stated(of: Diagnosis, among: Callable[[ReferenceClaim], object]) -> float:
    """Of some claims of the reference, those that the answer states."""
    return _share(one.answered for one in of.reference if among(one) and one.answered is not None)


def _said(of: Diagnosis, counts: Callable[[AnswerClaim], bool]) -> float:
    """Of the answer's claims, those that count."""
    return _share(counts(one) for one in of.answer or ())


def _noise(of: Diagnosis, *, relevant: bool) -> float:
    return _said(
        of, lambda one: not one.correct and bool(one.passages) and relevant != of.relevant.isdisjoint(one.passages)
    )


def _citation_precision(of: Diagnosis) -> float:
    stating = {number for claim in of.answer or () for number in claim.passages}
    return _share(number in stating for number in of.cited or ()) if of.answer else math.nan


def _citation_recall(of: Diagnosis) -> float:
    cited = of.cited
    return math.nan if cited is None else _said(of, lambda one: not set(cited).isdisjoint(one.passages))


_vital = "of the claims without which an answer does not answer"
_noisy = "share of the answer's claims that are not in the reference and that {} states"
_missing = "share of the answer's claims that no passage states, and that {} in the reference"
_ROWS: tuple[tuple[str, Need, Better, str, Callable[[Diagnosis], float]], ...] = (
    ("claim_recall", "claims", "higher", "share of the reference's claims that the passages given to the reader state", lambda of: _share(bool(one.passages) for one in of.reference)),
    ("vital_claim_recall", "claims", "higher", f"claim_recall {_vital}", lambda of: _share(bool(one.passages) for one in of.reference if one.vital)),
    ("context_precision", "claims", "higher", "share of those passages that state a claim of the reference", lambda of: len(of.relevant) / of.passages if of.passages else 0.0),
    ("answer_recall", "answer claims", "higher", "share of the reference's claims that the answer states", lambda of: _stated(of, lambda _: True)),
    ("vital_answer_recall", "answer claims", "higher", f"answer_recall {_vital}", lambda of: _stated(of, lambda one: one.vital)),
    ("answer_precision", "answer claims", "higher", "share of the answer's claims that the reference states", lambda of: _said(of, lambda one: one.correct)),
    ("context_utilization", "answer claims", "higher", "share of the reference's claims in the passages that the answer states", lambda of: _stated(of, lambda one: one.passages)),
    ("noise_sensitivity_relevant", "answer claims", "lower", _noisy.format("a relevant passage"), partial(_noise, relevant=True)),
    ("noise_sensitivity_irrelevant", "answer claims", "lower", _noisy.format("only an irrelevant passage"), partial(_noise, relevant=False)),
    ("self_knowledge", "answer claims", "lower", _missing.format("are"), lambda of: _said(of, lambda one: one.correct and not one.passages)),
    ("hallucination", "answer claims", "lower", _missing.format("are not"), lambda of: _said(of, lambda one: not one.correct and not one.passages)),
    ("citation_precision", "citations", "higher", "share of the passages cited that state a claim of the answer", _citation_precision),
    ("citation_recall", "citations", "higher", "share of the answer's claims that a passage cited states", _citation_recall),
)  # fmt: skip
CLAIM_METRICS = {
    name: Metric(name, needs, meaning, 28, compute, judged=True, better=better)
    for name, needs, better, meaning, compute in _ROWS
}


def by_claims(name: str, of: Diagnosis) -> float:
    """One of `CLAIM_METRICS` of a golden; NaN where it is not defined."""
    compute = CLAIM_METRICS[name].compute
    return compute(of) if compute else math.nan
