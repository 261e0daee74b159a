"""Other RAG systems: an HTTP endpoint, a Python function, or a file of what one found."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ragset.documents.corpus import Corpus
from ragset.evaluation.grid import ExternalSystem
from ragset.evaluation.results.external import ExternalFacts
from ragset.evaluation.results.model import Run
from ragset.evaluation.systems.asking import ask_queries
from ragset.evaluation.systems.placing import place_replies
from ragset.evaluation.systems.runs import read_chunks, read_runs
from ragset.models import Golden

__all__ = ["External", "ask_system"]


class External(NamedTuple):
    """What a system said to all queries, with its passages as hits."""

    run: Run
    """Of the goldens that it answered; a hit may be several places of documents (`ragset.evaluation.metrics.layout`)."""
    answers: Mapping[str, str | None]
    """Empty where it answered nothing."""
    texts: Mapping[str, str]
    """Of passages by the id of their hit, as the system gave them."""
    facts: ExternalFacts


def ask_system(system: ExternalSystem, goldens: Sequence[Golden], corpus: Corpus) -> External:
    """Every query asked, or looked up in the file; passages are found again in the corpus.

    A passage that is not there is no hit, keeps its rank, and is counted. So is a query that fails, which has no hits.

    Raises:
        ProviderError: more queries fail than `max_failures` allows.
        InputError: the address, the function or a file cannot be used.
    """
    chunks = read_chunks(Path(system.chunks)) if system.chunks else {}
    if system.runs:
        file = read_runs(Path(system.runs), goldens)
        replies, failed, unknown, unknown_count = file.replies, (), file.unknown, file.unknown_count
    else:
        replies, failed = ask_queries(system, goldens)
        unknown, unknown_count = (), 0
    placed = place_replies(replies, goldens, corpus, chunks)
    answers = {golden: reply.answer for golden, reply in replies.items()}
    facts = ExternalFacts(
        queries=len(goldens),
        answered=len(replies),
        failed=failed,
        passages=placed.passages,
        unaligned=placed.unaligned,
        unaligned_queries=placed.unaligned_queries,
        examples=placed.examples,
        alignment=placed.alignment,
        unknown=unknown,
        unknown_count=unknown_count,
    )
    return External(placed.run, answers if any(answers.values()) else {}, placed.texts, facts)
