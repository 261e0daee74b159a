"""The metrics of a benchmark. Add one here: nothing else lists them."""

import math
from collections.abc import Sequence

from ragset.evaluation.metrics.ranking import Relevant, union_of
from ragset.evaluation.metrics.registry import Metric, register
from ragset.evaluation.metrics.spans import RetrievedSpans, precision_omega
from ragset.evaluation.metrics.text import exact_match, rouge_l, token_f1


def _gold_rank(ranking: Sequence[str], sets: Sequence[Relevant], _: int) -> float:
    """From 1; NaN where no relevant chunk was found."""
    relevant = union_of(sets)
    return next((float(rank) for rank, chunk in enumerate(ranking, start=1) if relevant.get(chunk, 0) > 0), math.nan)


def _attempted(answer: str) -> float:
    return float(bool(answer))


def _abstained(answer: str) -> float:
    return float(not answer)


for _metric in (
    Metric("mrr", "chunks", "one over the rank of the first relevant chunk; 0 where none was found", 4, measure="RR"),
    Metric(
        "map",
        "chunks",
        "precision at the rank of each relevant chunk, averaged over the relevant ones",
        5,
        measure="AP",
    ),
    Metric(
        "hit_rate@{k}",
        "chunks",
        "share of goldens with a relevant chunk among the first {k}",
        1,
        measure="Success@{k}",
    ),
    Metric(
        "recall@{k}", "chunks", "share of a golden's relevant chunks that are among the first {k}", 2, measure="R@{k}"
    ),
    Metric(
        "precision@{k}", "chunks", "share of the first {k} chunks that are relevant", 6, measure="P@{k}", any_set=True
    ),
    Metric(
        "ndcg@{k}",
        "chunks",
        "discounted cumulative gain of the first {k} chunks over that of the best order",
        3,
        measure="nDCG@{k}",
    ),
    Metric("gold_rank", "chunks", "rank of the first relevant chunk", 21, compute=_gold_rank, higher_is_better=False),
    Metric(
        "span_recall@{k}",
        "spans",
        "share of the characters of the evidence that the first {k} chunks hold",
        7,
        compute=RetrievedSpans.recall,
    ),
    Metric(
        "span_precision@{k}",
        "spans",
        "share of the characters of the first {k} chunks that are evidence",
        8,
        compute=RetrievedSpans.precision,
    ),
    Metric(
        "span_iou@{k}",
        "spans",
        "characters of evidence among the first {k} chunks over all characters of either",
        10,
        compute=RetrievedSpans.iou,
    ),
    Metric(
        "span_precision_omega",
        "index",
        "span precision of a search that finds every chunk over the evidence and no other: what the chunking allows",
        9,
        compute=precision_omega,
    ),
    Metric(
        "recall@{k}tokens",
        "tokens",
        "share of the characters of the evidence in the first {k} tokens retrieved: every chunking has the same room",
        11,
        compute=RetrievedSpans.recall,
    ),
    Metric(
        "token_f1",
        "reference",
        "harmonic mean of precision and recall of the answer's words against the reference's",
        16,
        compute=token_f1,
    ),
    Metric(
        "exact_match",
        "reference",
        "whether the answer is the reference, case, articles and punctuation apart",
        17,
        compute=exact_match,
    ),
    Metric(
        "rouge_l",
        "reference",
        "longest common subsequence of words of answer and reference, as an F measure",
        18,
        compute=rouge_l,
    ),
    Metric(
        "faithfulness",
        "answer",
        "share of the answer's claims that the retrieved passages support, by the critic",
        15,
        judged=True,
    ),
    Metric(
        "correctness",
        "reference",
        "agreement of the answer with the reference, 1 to 5 by the critic, scaled from 0 to 1",
        12,
        judged=True,
    ),
    Metric(
        "completeness",
        "reference",
        "share of the reference answer that the answer covers, by the critic",
        13,
        judged=True,
    ),
    Metric(
        "conciseness",
        "reference",
        "how little the answer says beyond what was asked, by the critic",
        14,
        judged=True,
    ),
    Metric(
        "attempted",
        "answerable",
        "share of the queries that the corpus answers where the system did not abstain",
        20,
        compute=_attempted,
    ),
    Metric(
        "abstention",
        "unanswerable",
        "share of the queries that the corpus does not answer where the system abstained, as it should",
        19,
        compute=_abstained,
    ),
):
    register(_metric)
