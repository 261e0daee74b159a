"""The metrics of a benchmark. Add one here: nothing else lists them."""

import math
from collections.abc import Sequence
from functools import partial

from ragset.evaluation.metrics.claims import CLAIM_METRICS
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


def _abstains(answer: str) -> float:
    return float(not answer)


_mrr = "one over the rank of the first relevant chunk; 0 where none was found"
_map = "precision at the rank of each relevant chunk, averaged over the relevant ones"
_ndcg = "discounted cumulative gain of the first {k} chunks over that of the best order"
_hit = "share of goldens with a relevant chunk among the first {k}"
_recall = "share of a golden's relevant chunks that are among the first {k}"
_precision = "share of the first {k} chunks that are relevant"
_ranking = partial(Metric, needs="chunks")
register(_ranking("mrr", meaning=_mrr, place=4, measure="RR"))
register(_ranking("map", meaning=_map, place=5, measure="AP"))
register(_ranking("hit_rate@{k}", meaning=_hit, place=1, measure="Success@{k}"))
register(_ranking("recall@{k}", meaning=_recall, place=2, measure="R@{k}"))
register(_ranking("precision@{k}", meaning=_precision, place=6, measure="P@{k}", any_set=True))
register(_ranking("ndcg@{k}", meaning=_ndcg, place=3, measure="nDCG@{k}"))
_rank = "rank of the first relevant chunk"
register(_ranking("gold_rank", meaning=_rank, place=21, compute=_gold_rank, better=""))

_held = "share of the characters of the evidence that the first {k} chunks hold"
register(Metric("span_recall@{k}", "spans", _held, 7, RetrievedSpans.recall))
_evidence = "share of the characters of the first {k} chunks that are evidence"
register(Metric("span_precision@{k}", "spans", _evidence, 8, RetrievedSpans.precision))
_either = "characters of evidence among the first {k} chunks over all characters of either"
register(Metric("span_iou@{k}", "spans", _either, 10, RetrievedSpans.iou))
_allowed = "span precision of a search that finds every chunk over the evidence and no other: what the chunking allows"
register(Metric("span_precision_omega", "index", _allowed, 9, precision_omega))
_fits = "share of the characters of the evidence in the first {k} tokens retrieved: every chunking has the same room"
register(Metric("recall@{k}tokens", "tokens", _fits, 11, RetrievedSpans.recall))

_words = "harmonic mean of precision and recall of the answer's words against the reference's"
register(Metric("token_f1", "reference", _words, 16, token_f1))
_same = "whether the answer is the reference, case, articles and punctuation apart"
register(Metric("exact_match", "reference", _same, 17, exact_match))
_common = "longest common subsequence of words of answer and reference, as an F measure"
register(Metric("rouge_l", "reference", _common, 18, rouge_l))
_supported = "share of the answer's claims that the retrieved passages support, by the critic"
register(Metric("faithfulness", "answer", _supported, 15, judged=True))
_agrees = "agreement of the answer with the reference, 1 to 5 by the critic, scaled from 0 to 1"
register(Metric("correctness", "reference", _agrees, 12, judged=True))
_covered = "share of the reference answer that the answer covers, by the critic"
register(Metric("completeness", "reference", _covered, 13, judged=True))
_brief = "how little the answer says beyond what was asked, by the critic"
register(Metric("conciseness", "reference", _brief, 14, judged=True))
_stated = "share of the assertions of a corpus-wide query that the answer makes, by the critic"
register(Metric("assertions_met", "assertions", _stated, 12, judged=True))
_tried = "share of the queries that the corpus answers where the system did not abstain"
register(Metric("attempted", "answerable", _tried, 20, _attempted))
_abstained = "share of the queries that the corpus does not answer where the system abstained, as it should"
register(Metric("abstention", "unanswerable", _abstained, 19, _abstains))

_effort = partial(Metric, needs="effort", better="")
_alone = "seconds that the search took for this query alone, its embedding included"
register(_effort("retrieval_seconds", meaning=_alone, place=22))
register(_effort("reranking_seconds", meaning="seconds that the reranker took", place=23))
register(_effort("answering_seconds", meaning="seconds until the reader's reply was there", place=24))
register(_effort("seconds", meaning="seconds from query to answer, or to the passages of a retriever", place=25))
register(
    _effort("tokens", meaning="tokens of prompts and replies, and of the query where its embedding is paid", place=26)
)
register(_effort("cost", meaning="US dollars that the query took, by the price list", place=27))

for _metric in CLAIM_METRICS.values():
    register(_metric)
