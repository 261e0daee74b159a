"""A change to measure: queries whose passage moves to given ranks."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ragset.documents.corpus import Corpus
from ragset.evaluation.effect.measure import EvaluationSet
from ragset.models import Document, Golden, Span
from ragset.retrieval.fusion import Hit

CHUNKS = 12
_WIDTH = 40


def documents_of(number: int) -> tuple[Document, ...]:
    """Each with as many passages as `CHUNKS`, all of one length."""
    return tuple(
        Document.of(
            "".join(f"Clock {one} has wheel {wheel:2} of brass.".ljust(_WIDTH) for wheel in range(CHUNKS)),
            source=f"clock-{one}.md",
            title=f"Clock {one}",
        )
        for one in range(number)
    )


def golden_at(document: Document, wheel: int = 0, *, split: str = "test", **metadata: object) -> Golden:
    """Answered by one passage of its document."""
    span = Span(doc_id=document.id, start=wheel * _WIDTH, end=(wheel + 1) * _WIDTH)
    name = f"g-{document.title.split()[-1]}-{wheel}"
    return Golden(
        id=name,
        query=f"What is wheel {wheel} of {document.title.lower()} made of?",
        answer="Brass.",
        evidence=(span,),
        chunks=(),
        split=split,
        metadata=dict(metadata),
    )


def evaluation_set_of(folder: Path, goldens: Sequence[Golden], documents: Sequence[Document]) -> EvaluationSet:
    """Chunks are the passages of all documents."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus = Corpus.write(folder / "corpus.jsonl", documents)
    ids = [f"{one.id}:{at * _WIDTH}-{(at + 1) * _WIDTH}" for one in documents for at in range(CHUNKS)]
    return EvaluationSet.of(goldens, corpus, ids)


def run_with(evaluation_set: EvaluationSet, ranks: Mapping[str, int] | int) -> dict[str, list[Hit]]:
    """Each golden's passage at its rank, from 1, among the others of its document; 0: not found."""
    run: dict[str, list[Hit]] = {}
    for golden in evaluation_set.goldens:
        rank = ranks if isinstance(ranks, int) else ranks[golden.id]
        own = golden.evidence[0].id
        found = [id_ for id_ in evaluation_set.chunks if id_.startswith(golden.evidence[0].doc_id) and id_ != own]
        if rank:
            found.insert(rank - 1, own)
        run[golden.id] = [Hit(id_, 1 - place / 100) for place, id_ in enumerate(found)]
    return run
