"""How much each stage lets through, assumed until a run has measured it: what estimates rest on.

These are priors of ours and not measurements: no run with a language model stands behind them. `estimate --pilot` measures
them on a corpus and a model; the funnel of a finished run (`show`) tells what to write here instead.
"""

PASS_RATES = {
    "judge": 0.85,
    "score": 0.9,
    "draft": 0.95,
    "split": 0.95,
    "screen": 0.9,
    "evolve": 0.95,
    "relevant": 0.75,
    "necessity": 0.75,
    "answer": 0.95,
    "critique": 0.85,
    "keep": 0.95,
}
"""Shares of candidates by stage; a stage that is not here only labels, and lets all through."""
FILTERED = {"find": 0.8, "closed_book": 0.7}
"""Of a check that is set to `filter`."""
UNANSWERED = 0.6
"""Of unanswerable queries, those that the corpus does not answer after all."""
