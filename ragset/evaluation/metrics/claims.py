"""Claims of the reference and of an answer, each held against the other text and against the passages.

The metrics are those of RAGChecker (Ru et al. 2024), under names that do not clash with metrics of chunks. One that is not
defined, such as the precision of an answer without claims, is NaN, where RAGChecker's program counts 0. Which
claims are vital is as in the nugget evaluation of TREC (Voorhees 2003; Pradeep et al. 2025).
"""

import math
from collections.abc import Iterable, Sequence

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


def claim_recall(of: Diagnosis) -> float:
    """Of the reference's claims, those that a passage states."""
    return _share(bool(claim.passages) for claim in of.reference)


def vital_claim_recall(of: Diagnosis) -> float:
    """The same of the vital ones."""
    return _share(bool(claim.passages) for claim in of.reference if claim.vital)


def context_precision(of: Diagnosis) -> float:
    """Of the passages, those that state a claim of the reference."""
    return len(of.relevant) / of.passages if of.passages else 0.0


def answer_recall(of: Diagnosis) -> float:
    """Of the reference's claims, those that the answer states."""
    return _share(claim.answered for claim in of.reference if claim.answered is not None)


def vital_answer_recall(of: Diagnosis) -> float:
    """The same of the vital ones."""
    return _share(claim.answered for claim in of.reference if claim.vital and claim.answered is not None)


def answer_precision(of: Diagnosis) -> float:
    """Of the answer's claims, those that the reference states."""
    return _share(claim.correct for claim in of.answer or ())


def context_utilization(of: Diagnosis) -> float:
    """Of the reference's claims that a passage states, those that the answer states."""
    return _share(claim.answered for claim in of.reference if claim.passages and claim.answered is not None)


def noise_sensitivity_relevant(of: Diagnosis) -> float:
    """Of the answer's claims, the wrong ones that a relevant passage states."""
    return _share(not claim.correct and _from(claim, of.relevant) for claim in of.answer or ())


def noise_sensitivity_irrelevant(of: Diagnosis) -> float:
    """Of the answer's claims, the wrong ones that only irrelevant passages state."""
    return _share(
        not claim.correct and bool(claim.passages) and not _from(claim, of.relevant) for claim in of.answer or ()
    )


def self_knowledge(of: Diagnosis) -> float:
    """Of the answer's claims, the right ones that no passage states."""
    return _share(claim.correct and not claim.passages for claim in of.answer or ())


def hallucination(of: Diagnosis) -> float:
    """Of the answer's claims, the wrong ones that no passage states."""
    return _share(not claim.correct and not claim.passages for claim in of.answer or ())


def citation_precision(of: Diagnosis) -> float:
    """Of the passages cited, those that state a claim of the answer; an answer without citations has none."""
    stating = {number for claim in of.answer or () for number in claim.passages}
    return _share(number in stating for number in of.cited or ()) if of.answer else math.nan


def citation_recall(of: Diagnosis) -> float:
    """Of the answer's claims, those that a cited passage states."""
    return math.nan if of.cited is None else _share(_from(claim, of.cited) for claim in of.answer or ())


def _from(claim: AnswerClaim, passages: Sequence[int] | set[int]) -> bool:
    return any(number in passages for number in claim.passages)
