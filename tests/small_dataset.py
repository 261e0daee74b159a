"""A dataset small enough to work its values out by hand."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from ragset.dataset import CorpusFacts, FunnelRow, Manifest, Models, Totals, write_dataset
from ragset.dataset.report import make_chunk_map
from ragset.dataset.report.chunk_map import ChunkMap
from ragset.documents.corpus import Corpus
from ragset.models import Assertion, Candidate, Chunk, Conversation, Document, Golden, Reject, Span, Step, Turn, Usage

TEA = Document.of("Green tea turns bitter above 80 °C. Steep it for two minutes.", source="tea.md", title="Tea")
JUDGED = Usage(stage="judge", prompt="judge_chunk", model="m", calls=2, prompt_tokens=90, completion_tokens=9, cost=0.5)


def corpus_of(folder: Path, *documents: Document) -> Corpus:
    folder.mkdir(parents=True, exist_ok=True)
    return Corpus.write(folder / "given.jsonl", documents or (TEA,))


def chunk_of(document: Document, start: int = 0, end: int | None = None) -> Chunk:
    end = len(document.text) if end is None else end
    return Chunk(doc_id=document.id, start=start, end=end, text=document.text[start:end], title=document.title)


def golden_of(
    query: str = "How hot may green tea be?",
    answer: str = "80 °C",
    *,
    document: Document = TEA,
    evidence: Sequence[tuple[int, int]] = ((0, 35),),
    chunk: Chunk | None = None,
    style: str = "open",
) -> Golden:
    step = Step(stage="draft", kind=style, prompt="draft_open_query@1#b2079b38e986", model="m", query=query)
    return Golden.of(
        Candidate(
            chunks=(chunk or chunk_of(document),),
            query=query,
            answer=answer,
            evidence=tuple(Span(doc_id=document.id, start=start, end=end) for start, end in evidence),
            scores={"groundedness": 5, "relevance": 4, "clarity": 5},
            lineage=(step,),
            metadata={"style": style, "evolution": "none"},
        )
    )


def in_conversation(golden: Golden) -> Golden:
    """The golden as the last question of a dialogue about tea."""
    before = Turn(
        question="How long is green tea steeped?", answer="Two minutes.", evidence=(chunk_of(TEA, 36, 61).span,)
    )
    return golden.model_copy(update={"conversation": Conversation(turns=(before,), question="And how hot?")})


def corpus_wide_of(query: str = "What spoils tea?") -> Golden:
    """A golden of two assertions, proven by the two sentences about tea."""
    heat, time = (chunk_of(TEA, *place).span for place in ((0, 35), (36, 61)))
    assertions = (
        Assertion(statement="Heat makes it bitter.", evidence=(heat,)),
        Assertion(statement="Time does too.", evidence=(time,)),
    )
    answer = "\n".join(one.statement for one in assertions)
    return Golden.of(Candidate(chunks=(chunk_of(TEA),), query=query, answer=answer, assertions=assertions))


def multi_of(
    query: str = "Which is made hotter, tea or coffee?",
    *parts: tuple[Chunk, Sequence[tuple[int, int]]],
    answer: str = "Coffee.",
    shape: str = "comparison",
    left_out: Sequence[tuple[Chunk, str, str]] = (),
) -> Golden:
    """A golden of several chunks, each given with where in its document its quotes stand."""
    step = Step(stage="draft", kind=shape, prompt="draft_multi_query@1#b2079b38e986", model="m", query=query)
    told = [{"chunk": chunk.id, "stage": stage, "reason": reason} for chunk, stage, reason in left_out]
    made = Candidate(
        chunks=tuple(chunk for chunk, _ in parts),
        query=query,
        answer=answer,
        evidence=tuple(Span(doc_id=chunk.doc_id, start=a, end=b) for chunk, quotes in parts for a, b in quotes),
        scores={"groundedness": 5, "relevance": 4, "clarity": 5},
        lineage=(step,),
        metadata={"shape": shape, "evolution": "none", **({"left_out": told} if told else {})},
    )
    return Golden.of(made).model_copy(update={"kind": "multi-chunk" if len(parts) > 1 else "single-chunk"})


def reject_of(reason: str = "not_self_contained", *, stage: str = "judge", detail: str = "Opens with It.") -> Reject:
    return Reject(stage=stage, reason=reason, detail=detail, chunks=(chunk_of(TEA).id,))


def manifest_of(corpus: Corpus, kept: int = 1, *, model: str = "m", name: str = "teas") -> Manifest:
    facts = CorpusFacts(name=name, hash=corpus.hash, documents=len(corpus), characters=61, chunks=3)
    return Manifest(
        wanted=2,
        kept=kept,
        seed=0,
        ended="corpus used up",
        corpus=facts,
        models=Models(generator=model, critic=model, embedding="offline-512"),
        parameters={"chunking": {"size": 96}, "n": 2},
        prompts=("judge_chunk@1#84d4858af6ef",),
        funnel=(FunnelRow(stage="judge", entered=3, left=1, rejected={"not_self_contained": 2}),),
        usage=(JUDGED,),
        totals=Totals.of((JUDGED,)),
        versions={"ragset": "0.1.0"},
    )


def map_of(goldens: Iterable[Golden]) -> ChunkMap:
    chunks = sorted({chunk for golden in goldens for chunk in golden.chunks})
    vectors = np.eye(len(chunks), 8, dtype=np.float32)
    return make_chunk_map(vectors, [chunk.rpartition(":")[0] for chunk in chunks], chunks, chunks)


def write_small(
    folder: Path, corpus: Corpus, goldens: Sequence[Golden], rejects: Iterable[Reject] = (), report: str = "<p>"
) -> None:
    manifest = manifest_of(corpus, len(goldens))
    write_dataset(folder, goldens=goldens, rejects=rejects, corpus=corpus, manifest=manifest, report=report)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}
