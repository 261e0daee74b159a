"""Other RAG systems under test: an HTTP endpoint, a Python function, or a file of what one found.

Here they are asked and their passages are aligned with the documents; how they score is in `ragset.evaluation.scoring`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ragset.documents.corpus import Corpus
from ragset.evaluation.grid import ExternalSystem
from ragset.evaluation.results.external import ExternalFacts
from ragset.evaluation.results.model import Run
from ragset.evaluation.systems.alignment import align_replies
from ragset.evaluation.systems.asking import ask_queries
from ragset.evaluation.systems.runs import read_chunks, read_runs
from ragset.models import Golden

__all__ = ["External", "ask_system"]

_NAMED = 10
"""Queries of no golden that are named."""


class External(NamedTuple):
    """What a system replied to all queries, with its passages as hits."""

    run: Run
    """Of the goldens that it answered; a hit may be several places of documents (`ragset.evaluation.metrics.layout`)."""
    answers: Mapping[str, str | None]
    """Empty where it answered nothing."""
    texts: Mapping[str, str]
    """Of passages by the id of their hit, as the system gave them."""
    facts: ExternalFacts


def ask_system(system: ExternalSystem, goldens: Sequence[Golden], corpus: Corpus) -> External:
    """Every query asked, or looked up in the file; passages are found again in the corpus.

    A passage that is not there keeps its rank and is counted. So is a query that fails, which has no hits.

    Raises:
        ProviderError: more queries fail than `max_failures` allows.
        InputError: the address, the function or a file cannot be used.
    """
    chunks = read_chunks(Path(system.chunks)) if system.chunks else {}
    if system.runs:
        replies, unknown = read_runs(Path(system.runs), goldens)
        named = tuple(" ".join(one.split())[:100] for one in unknown[:_NAMED])
        known = {"unknown": named, "unknown_count": len(unknown)}
    else:
        replies, failed = ask_queries(system, goldens)
        known = {"failed": failed}
    run, texts, facts = align_replies(replies, goldens, corpus, chunks)
    answers = {golden: reply.answer for golden, reply in replies.items()}
    return External(run, answers if any(answers.values()) else {}, texts, facts.model_copy(update=known))
