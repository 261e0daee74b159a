"""What each metric means, and the order in which metrics are shown."""

import re
from collections.abc import Iterable

_MEANINGS = {
    "hit_rate": "share of goldens with a relevant chunk among the first {k}",
    "recall": "share of a golden's relevant chunks that are among the first {k}",
    "ndcg": "discounted cumulative gain of the first {k} chunks over that of the best order",
    "mrr": "one over the rank of the first relevant chunk; 0 where none was found",
    "map": "precision at the rank of each relevant chunk, averaged over the relevant ones",
    "precision": "share of the first {k} chunks that are relevant",
    "span_recall": "share of the characters of the evidence that the first {k} chunks hold",
    "span_precision": "share of the characters of the first {k} chunks that are evidence",
    "span_precision_omega": "span precision of a search that finds every chunk over the evidence and no other: what the chunking allows",
    "span_iou": "characters of evidence among the first {k} chunks over all characters of either",
    "recall_tokens": "share of the characters of the evidence in the first {k} tokens retrieved: every chunking has the same room",
    "correctness": "agreement of the answer with the reference, 1 to 5 by the critic, scaled from 0 to 1",
    "completeness": "share of the reference answer that the answer covers, by the critic",
    "conciseness": "how little the answer says beyond what was asked, by the critic",
    "faithfulness": "share of the answer's claims that the retrieved passages support, by the critic",
    "token_f1": "harmonic mean of precision and recall of the answer's words against the reference's",
    "exact_match": "whether the answer is the reference, case, articles and punctuation apart",
    "rouge_l": "longest common subsequence of words of answer and reference, as an F measure",
    "abstention": "share of the queries that the corpus does not answer where the system abstained, as it should",
    "attempted": "share of the queries that the corpus answers where the system did not abstain",
    "gold_rank": "rank of the first relevant chunk",
}
_AT = re.compile(r"(?P<name>\w+)@(?P<k>\d+)(?P<tokens>tokens)?")


def meaning(metric: str) -> str:
    """In a phrase; empty for a metric that nobody defined."""
    found = _AT.fullmatch(metric)
    name, size = (found["name"], f"{int(found['k']):,}") if found else (metric, "k")
    return _MEANINGS.get(f"{name}_tokens" if found and found["tokens"] else name, "").format(k=size)


def in_order(metrics: Iterable[str], primary: str) -> tuple[str, ...]:
    """The primary one first, then as listed above, smaller cut-offs first; others by name at the end."""
    known = {name: number for number, name in enumerate(_MEANINGS)}

    def place(metric: str) -> tuple[bool, int, int, str]:
        found = _AT.fullmatch(metric)
        name, size = (found["name"] + ("_tokens" if found["tokens"] else ""), int(found["k"])) if found else (metric, 0)
        return metric != primary, known.get(name, len(known)), size, metric

    return tuple(sorted(metrics, key=place))
