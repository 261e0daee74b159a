"""Other RAG systems under test: an HTTP endpoint, a Python function, an object of a framework, or a file of what one found.

Here they are asked and their passages are aligned with the documents; how they score is in `ragset.evaluation.scoring`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ragset.documents.corpus import Corpus
from ragset.evaluation.conversations import Form
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.systems.alignment import align_replies
from ragset.evaluation.systems.asking import Ask, ask_queries, check_system
from ragset.evaluation.systems.replies import Returned, read_chunks, read_runs
from ragset.models import Golden

__all__ = ["ask_system", "check_system"]


def ask_system(
    system: ExternalSystem,
    goldens: Sequence[Golden],
    corpus: Corpus,
    ask: Ask | None = None,
    chunks: Mapping[str, Returned] | None = None,
    form: Form = "rewritten",
) -> RetrievalResult:
    """Ask every query, or look it up in the file, and align the passages with the corpus.

    `ask` is the system itself, where it is in this process and not only named, and `chunks` are its passages by their ids.
    `form` is what it receives of goldens of several turns.

    Raises:
        ProviderError: more queries fail than `max_failures` allows.
        InputError: the address, the function or a file cannot be used.
    """
    chunks = chunks or (read_chunks(Path(system.chunks)) if system.chunks else {})
    if not system.runs:
        replies, failed = ask_queries(system, goldens, ask, form)
        return align_replies(replies, goldens, corpus, chunks, failed=failed)
    replies, unknown = read_runs(Path(system.runs), goldens)
    named = tuple(" ".join(one.split())[:100] for one in unknown[:10])
    return align_replies(replies, goldens, corpus, chunks, unknown=named, unknown_count=len(unknown))
