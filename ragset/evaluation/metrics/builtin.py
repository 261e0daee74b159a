"""The metrics of a benchmark. Add one here: nothing else lists them."""

import math
from collections.abc import Callable, Sequence

from ragset.evaluation.metrics.ranking import Relevant, union_of
from ragset.evaluation.metrics.registry import Metric, Need, register
from ragset.evaluation.metrics.spans import RetrievedSpans, precision_omega
from ragset.evaluation.metrics.text import exact_match, rouge_l, token_f1


def _ranking(name: str, place: int, measure: str, meaning: str, *, any_set: bool = False) -> None:
    """Of ir-measures."""
    register(Metric(name, "chunks", meaning, place, measure=measure, any_set=any_set))


def _computed(name: str, place: int, needs: Need, compute: Callable[..., float], meaning: str) -> None:
    register(Metric(name, needs, meaning, place, compute=compute))


def _judged(name: str, place: int, needs: Need, meaning: str) -> None:
    register(Metric(name, needs, f"{meaning}, by the critic", place, judged=True))


def _gold_rank(ranking: Sequence[str], sets: Sequence[Relevant], _: int) -> float:
    """From 1; NaN where no relevant chunk was found."""
    relevant = union_of(sets)
    return next((float(rank) for rank, chunk in enumerate(ranking, start=1) if relevant.get(chunk, 0) > 0), math.nan)


def _attempted(answer: str) -> float:
    return float(bool(answer))


def _abstains(answer: str) -> float:
    return float(not answer)


_ranking("mrr", 4, "RR", "one over the rank of the first relevant chunk; 0 where none was found")
_ranking("map", 5, "AP", "precision at the rank of each relevant chunk, averaged over the relevant ones")
_ranking("hit_rate@{k}", 1, "Success@{k}", "share of goldens with a relevant chunk among the first {k}")
_ranking("recall@{k}", 2, "R@{k}", "share of a golden's relevant chunks that are among the first {k}")
_ranking("precision@{k}", 6, "P@{k}", "share of the first {k} chunks that are relevant", any_set=True)
_ranking("ndcg@{k}", 3, "nDCG@{k}", "discounted cumulative gain of the first {k} chunks over that of the best order")
_rank = "rank of the first relevant chunk"
register(Metric("gold_rank", "chunks", _rank, 21, compute=_gold_rank, higher_is_better=False))

_held = "share of the characters of the evidence that the first {k} chunks hold"
_computed("span_recall@{k}", 7, "spans", RetrievedSpans.recall, _held)
_evidence = "share of the characters of the first {k} chunks that are evidence"
_computed("span_precision@{k}", 8, "spans", RetrievedSpans.precision, _evidence)
_either = "characters of evidence among the first {k} chunks over all characters of either"
_computed("span_iou@{k}", 10, "spans", RetrievedSpans.iou, _either)
_allowed = "span precision of a search that finds every chunk over the evidence and no other: what the chunking allows"
_computed("span_precision_omega", 9, "index", precision_omega, _allowed)
_fits = "share of the characters of the evidence in the first {k} tokens retrieved: every chunking has the same room"
_computed("recall@{k}tokens", 11, "tokens", RetrievedSpans.recall, _fits)

_words = "harmonic mean of precision and recall of the answer's words against the reference's"
_computed("token_f1", 16, "reference", token_f1, _words)
_same = "whether the answer is the reference, case, articles and punctuation apart"
_computed("exact_match", 17, "reference", exact_match, _same)
_common = "longest common subsequence of words of answer and reference, as an F measure"
_computed("rouge_l", 18, "reference", rouge_l, _common)
_judged("faithfulness", 15, "answer", "share of the answer's claims that the retrieved passages support")
_agrees = "agreement of the answer with the reference, 1 to 5 by the critic, scaled from 0 to 1"
register(Metric("correctness", "reference", _agrees, 12, judged=True))
_judged("completeness", 13, "reference", "share of the reference answer that the answer covers")
_judged("conciseness", 14, "reference", "how little the answer says beyond what was asked")
_tried = "share of the queries that the corpus answers where the system did not abstain"
_computed("attempted", 20, "answerable", _attempted, _tried)
_abstained = "share of the queries that the corpus does not answer where the system abstained, as it should"
_computed("abstention", 19, "unanswerable", _abstains, _abstained)
