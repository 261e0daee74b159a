"""Contexts worked out by hand on vectors of two dimensions, and laws on random ones."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.generation.contexts import InMemory, candidates_of, expand
from ragset.models import Chunk
from ragset.settings import ContextSettings

LONG = "The keeper of the clock of the town wound it every morning and oiled the wheels once a month. " * 3


def pool(*degrees: float, documents: str = "", texts: dict[int, str] | None = None, overlap: bool = False) -> InMemory:
    """Chunks as directions in a plane, the cosine of two being that of the angle between; `documents` a letter each."""
    names = documents or "a" * len(degrees)
    chunks: list[Chunk] = []
    for row, name in enumerate(names):
        text = (texts or {}).get(row, LONG)
        start = row * (len(LONG) // 2 if overlap else 10 * len(LONG))
        chunks.append(Chunk(doc_id=name, start=start, end=start + len(text), text=text))
    angles = np.radians(np.array(degrees, dtype=np.float32))
    return InMemory(chunks, np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32))


def grown(
    chunks: InMemory, seeds: list[int], least: float = 0.5, **fields: object
) -> tuple[list[tuple[int, ...]], dict[str, int]]:
    given = ContextSettings.model_validate({"max_similarity": 0.9999, **fields})
    contexts, rejects = expand(chunks, chunks.search, seeds, given, least=least, min_chars=100)
    reasons = {reject.reason: chunks.ids.index(reject.chunks[0]) for reject in rejects}
    return contexts, reasons


def test_a_seed_takes_the_most_similar_chunks_first() -> None:
    contexts, _ = grown(pool(0, 40, 10, 20), [0])
    assert contexts == [(0, 2, 3)]


def test_what_is_less_similar_than_the_least_stays_out() -> None:
    # cos 50° is 0.64, cos 70° is 0.34
    contexts, reasons = grown(pool(0, 50, 70, 160), [0, 3])
    assert contexts == [(0, 1)]
    assert reasons == {"too_few_similar": 3}


def test_near_duplicates_and_overlapping_spans_stay_out() -> None:
    contexts, _ = grown(pool(0, 1, 30, 31), [0], max_similarity=math.cos(math.radians(2)))
    assert contexts == [(0, 2)]
    contexts, _ = grown(pool(0, 10, 20, overlap=True), [0])
    assert contexts == [(0, 2)]


def test_the_same_chunks_make_one_context_and_a_chunk_is_in_so_many_at_most() -> None:
    contexts, reasons = grown(pool(0, 10, 20), [0, 1, 2])
    assert contexts == [(0, 1, 2)]
    assert reasons == {"same_context": 2}
    contexts, reasons = grown(pool(0, 10, 20, 30), [0, 1, 2], max_contexts=1)
    assert contexts == [(0, 1, 2)]
    assert reasons == {"seed_used_up": 2}


def test_contexts_of_before_count() -> None:
    chunks = pool(0, 10, 20)
    given = ContextSettings(max_similarity=0.9999)
    contexts, rejects = expand(chunks, chunks.search, [0], given, least=0.5, min_chars=0, before=[(2, 1, 0)])
    assert contexts == []
    assert [reject.reason for reject in rejects] == ["same_context"]


@pytest.mark.parametrize(
    ("spread", "context"), [("any", (0, 1, 2)), ("within-document", (0, 1, 3)), ("cross-document", (0, 2, 4))]
)
def test_spread_says_which_documents_come_first(spread: str, context: tuple[int, ...]) -> None:
    contexts, _ = grown(pool(0, 10, 20, 30, 40, documents="aabab"), [0], spread=spread)
    assert contexts == [context]


def test_cross_document_falls_back_on_the_same_document_rather_than_on_nothing() -> None:
    contexts, _ = grown(pool(0, 10, 20, documents="aaa"), [0], spread="cross-document")
    assert contexts == [(0, 1, 2)]


def test_short_chunks_are_no_members() -> None:
    contexts, _ = grown(pool(0, 10, 20, texts={1: "Too short."}), [0])
    assert contexts == [(0, 2)]


def test_a_candidate_holds_the_chunks_of_its_context_seed_first() -> None:
    chunks = pool(0, 10, 20, documents="aba")
    (candidate,) = candidates_of(chunks, [(2, 0, 1)])
    assert [chunk.id for chunk in candidate.chunks] == [chunks.ids[2], chunks.ids[0], chunks.ids[1]]
    assert candidate.kind == "multi-chunk"


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.tuples(st.floats(0, 180), st.sampled_from("abc")), min_size=1, max_size=25),
    st.integers(2, 3),
    st.integers(0, 2),
    st.integers(1, 3),
    st.sampled_from(["any", "within-document", "cross-document"]),
)
def test_every_context_keeps_the_rules(
    placed: list[tuple[float, str]], fewest: int, more: int, uses: int, spread: str
) -> None:
    chunks = pool(*(degree for degree, _ in placed), documents="".join(name for _, name in placed))
    given = ContextSettings.model_validate(
        {"min_chunks": fewest, "max_chunks": fewest + more, "max_contexts": uses, "spread": spread, "top_k": 6}
    )
    seeds = list(range(len(placed)))
    contexts, rejects = expand(chunks, chunks.search, seeds, given, least=0.8, min_chars=0)
    assert len(contexts) + len(rejects) == len(seeds)
    assert len({frozenset(context) for context in contexts}) == len(contexts)
    for context in contexts:
        assert fewest <= len(context) <= fewest + more
        assert len(set(context)) == len(context)
        for row in context[1:]:
            assert float(chunks.vectors[context[0]] @ chunks.vectors[row]) >= 0.8
        for one, other in combinations(context, 2):
            assert float(chunks.vectors[one] @ chunks.vectors[other]) < given.max_similarity
        if spread == "within-document":
            assert len({chunks.doc_ids[row] for row in context}) == 1
    used = [row for context in contexts for row in context]
    assert all(used.count(row) <= uses for row in used)
