"""What a system retrieved and answered, scored golden by golden."""

from collections.abc import Callable, Sequence

from ragset.dataset.relevance.qrels import NO_GRADES, Gold, Grades, qrels
from ragset.documents.corpus import Corpus
from ragset.evaluation.citations import without_citations
from ragset.evaluation.metrics.ranking import ranking_scores, with_unaligned
from ragset.evaluation.metrics.registry import answer_metrics, has_mean
from ragset.evaluation.metrics.scores import UNKNOWN, Score
from ragset.evaluation.metrics.spans import recall_at_tokens, span_scores
from ragset.evaluation.results.model import Run
from ragset.models import Golden, Span
from ragset.text.tokens import count_tokens


def score_retrieval(
    run: Run,
    gold: Gold,
    chunk_ids: Sequence[str] | None,
    *,
    cutoffs: Sequence[int],
    budgets: Sequence[int],
    tokens: Callable[[Span], int],
    grades: Grades = NO_GRADES,
) -> list[Score]:
    """Ranking, span and token-budget metrics of every golden with evidence.

    `chunk_ids` are all chunks of the index, or None for another system. Its recall is of the relevant passages that it
    returned for any query, it has no span_precision_omega, and goldens without a reply and passages that are in no document
    have bounds. Of the metrics nDCG alone looks at `grades`.
    """
    known = chunk_ids if chunk_ids is not None else sorted({hit.id for hits in run.values() for hit in hits})
    relevant = qrels(gold, known, grades)
    scores = ranking_scores(run, relevant, cutoffs)
    if chunk_ids is None:
        scores = with_unaligned(scores, run, relevant, cutoffs)
    for place, cutoff in enumerate(cutoffs):
        scores += span_scores(run, gold, cutoff, chunk_ids if place == 0 else None)
    for budget in budgets:
        scores += recall_at_tokens(run, gold, budget, tokens)
    if chunk_ids is not None:
        return scores
    return [
        score if score.golden in run or not has_mean(score.metric) else score._replace(bounds=UNKNOWN)
        for score in scores
    ]


def token_counter(corpus: Corpus) -> Callable[[Span], int]:
    """A function that counts the tokens of a span, each span once."""
    counted: dict[Span, int] = {}

    def tokens(span: Span) -> int:
        if span not in counted:
            # Of a passage that is not in the corpus nothing but its length in characters is known.
            known = span.doc_id in corpus
            counted[span] = count_tokens(corpus.text(span)) if known else max(1, (span.end - span.start) // 4)
        return counted[span]

    return tokens


def score_answer(golden: Golden, answer: str | None) -> dict[str, float]:
    """The metrics of an answer that need no critic; where nothing was answered those with a reference are 0."""
    said = without_citations(answer or "").strip()
    return {
        metric.name: metric.compute(said, golden.answer) if metric.needs == "reference" else metric.compute(said)
        for metric in answer_metrics(golden, judged=False)
        if metric.compute
    }


def unanswered_scores(golden: Golden, *, judged: bool) -> list[Score]:
    """Scores of a query without a reply, which is no abstention: each metric of answers is 0, and could be anything."""
    metrics = sorted(answer_metrics(golden, judged=judged), key=lambda metric: metric.judged)
    return [Score(golden.id, metric.name, UNKNOWN.worst, UNKNOWN) for metric in metrics]
