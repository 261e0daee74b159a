"""Where a system fails: the first step at which it lost what a query needs."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ragset.dataset.relevance.qrels import Gold
from ragset.evaluation.metrics.claims import Diagnosis, by_claims
from ragset.evaluation.metrics.spans import span_scores
from ragset.models import CORPUS_WIDE, UNANSWERABLE, Golden
from ragset.retrieval.fusion import Hit

RIGHT = "right"
RETRIEVAL, RERANKING, READING, REFUSING = FAILURES = ("retrieval", "reranking", "reading", "refusing")
MEANINGS: Mapping[str, str] = {
    RETRIEVAL: "the search did not return what the answer needs",
    RERANKING: "it was returned, and ranked too low to be given to the reader (by the search itself, without a reranker)",
    READING: "the reader was given it, and the answer is wrong or incomplete",
    REFUSING: "the reader was given it and abstained, or answered a query that the documents do not answer",
}
HELD = 0.8
"""Share of the characters of the evidence from which passages hold it: a border may cut a little off."""
CORRECT = 0.75
"""Correctness from which an answer is right, 4 of 5, where its claims were not looked at."""


def failing_step(*, retrieved: bool | None, given: bool | None, right: bool | None, abstained: bool) -> str | None:
    """The step at which the answer to an answerable query was lost, `right`, or None where that is not known.

    `right` is None of a system that does not answer only if `given` says all; for one that does, where nobody judged.
    """
    if right:
        return RIGHT
    if right is None or given is None:
        return None
    if not given:
        return RERANKING if retrieved else RETRIEVAL
    return REFUSING if abstained else READING


def find_failures(
    goldens: Iterable[Golden],
    held: tuple[Mapping[str, float], Mapping[str, float]],
    scores: Mapping[tuple[str, str], float],
    diagnoses: Mapping[str, Diagnosis],
    *,
    answers: bool,
) -> dict[str, str]:
    """By golden, where it is known, `right` or the step that failed.

    `held` are the shares of the evidence that all retrieved passages hold, and those given to the reader. The claims of a
    diagnosis go before them, and before correctness.
    """
    found: dict[str, str] = {}
    for golden in goldens:
        id_ = golden.id
        if golden.kind == CORPUS_WIDE:
            continue  # where a part of the corpus gets lost is not known
        if golden.kind == UNANSWERABLE:
            abstained = scores.get((id_, "abstention")) if answers else None
            step = {1.0: RIGHT, 0.0: REFUSING}.get(-1.0 if abstained is None else abstained)
        else:
            retrieved, given = (of[id_] >= HELD if id_ in of else None for of in held)
            correctness = scores.get((id_, "correctness"))
            right = None if correctness is None else correctness >= CORRECT
            if diagnosis := diagnoses.get(id_):
                stated, said = (by_claims(f"vital_{of}_recall", diagnosis) for of in ("claim", "answer"))
                # Passages are ranked too low only where they hold evidence that those given lack.
                retrieved = retrieved and held[0][id_] > held[1][id_]
                given = given if math.isnan(stated) else stated == 1
                right = right if math.isnan(said) else said == 1
            abstains = scores.get((id_, "attempted")) == 0
            right = right if answers else given
            step = failing_step(retrieved=retrieved or given, given=given, right=right, abstained=abstains)
        if step:
            found[id_] = step
    return found


def evidence_held(
    hits: Mapping[str, Sequence[Hit]], gold: Gold, final: int | None
) -> tuple[dict[str, float], dict[str, float]]:
    """By golden that was answered, the share of its evidence in all hits, and in the first `final` (None: all)."""

    def held(k: int) -> dict[str, float]:
        scored = span_scores(hits, {golden: sets for golden, sets in gold.items() if golden in hits}, k)
        return {score.golden: score.value for score in scored if score.metric == f"span_recall@{k}"}

    most = max(map(len, hits.values()), default=0)
    if not most:  # a system that only answers: nobody knows what it found
        return {}, {}
    whole = held(most)
    return whole, whole if final is None or final >= most else held(final)


def diagnosis_lines(
    failures: Mapping[str, Mapping[str, str]], diagnoses: Mapping[str, Mapping[str, Diagnosis]]
) -> Iterator[dict[str, Any]]:
    """A line for each configuration and golden: where it failed, and the claims where a critic looked at them."""
    for configuration, of in failures.items():
        found = diagnoses.get(configuration, {})
        for golden in dict.fromkeys((*of, *found)):
            claims = found[golden].model_dump() if golden in found else {}
            yield {"configuration": configuration, "golden": golden, "fails_at": of.get(golden), **claims}
