"""Links and contexts worked out by hand on vectors of two dimensions, and laws on random ones."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.generation.contexts import SHOWN, Context, Yields, candidates_of, expand
from ragset.generation.links import NEAR_DUPLICATE, InMemory, Link, links_of
from ragset.generation.shared_terms import SharedTerms
from ragset.models import Chunk
from ragset.settings import ContextSettings


def pool(*degrees: float, documents: str = "", texts: dict[int, str] | None = None, overlap: bool = False) -> InMemory:
    """Chunks as directions in a plane, the cosine of two being that of the angle between; `documents` a letter each."""
    names = documents or "a" * len(degrees)
    chunks: list[Chunk] = []
    for row, name in enumerate(names):
        text = (texts or {}).get(row, "x" * 200)
        start = row * (100 if overlap else 1_000)
        chunks.append(Chunk(doc_id=name, start=start, end=start + len(text), text=text))
    angles = np.radians(np.array(degrees, dtype=np.float32))
    return InMemory(chunks, np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32))


def grown(chunks: InMemory, seeds: list[int], **fields: object) -> tuple[list[tuple[int, ...]], list[str]]:
    contexts, rejects = expand(chunks, chunks.search, seeds, ContextSettings.model_validate(fields), min_chars=0)
    assert {reject.reason for reject in rejects} <= {"too_few_linked"}
    return [context.rows for context in contexts], [reject.chunks[0] for reject in rejects]


def linked(chunks: InMemory, seed: int) -> list[Link]:
    terms = SharedTerms(chunk.text for chunk in chunks.chunks(range(len(chunks.ids))))
    (found,) = links_of(chunks, terms, chunks.search, [seed], np.ones(len(chunks.ids), dtype=bool))
    return found


def test_without_terms_in_common_the_most_similar_chunks_come_first() -> None:
    found = linked(pool(0, 70, 30, 50), 0)
    # half of the cosines of 30, 50 and 70 degrees
    assert [link.row for link in found] == [2, 3, 1]
    assert [link.strength for link in found] == pytest.approx([0.433, 0.3214, 0.171], abs=1e-3)
    assert found[0].kind == "no terms, nearest, same document"


def test_rare_terms_in_common_link_chunks_that_are_little_alike() -> None:
    texts = {0: "the torc of gold", 1: "one torc in clay"}
    found = linked(pool(0, 80, 40, 50, documents="abaa", texts=texts), 0)
    # "torc" weighs 1 and is the only term that the two share: own (1 - 1 + 1) / (1 + 1), times (1/2 + cos 80°) / 2
    assert found[-1].row == 1
    assert found[-1].strength == pytest.approx(0.5 * (0.5 + math.cos(math.radians(80))) / 2, abs=1e-4)
    assert found[-1].kind == "some terms, nearest, other document"


def test_a_chunk_with_terms_of_its_own_is_linked_more_than_one_without() -> None:
    texts = {0: "torc greave", 1: "torc", 2: "torc linen", 3: "greave linen"}
    strengths = {link.row: link.strength for link in linked(pool(0, 60, -60, 180, texts=texts), 0)}
    assert strengths[2] > strengths[1]


def test_near_duplicates_and_overlapping_chunks_are_not_linked() -> None:
    # cos 10° is 0.985, cos 30° is 0.866
    assert [link.row for link in linked(pool(0, 10, 30), 0)] == [2]
    assert [link.row for link in linked(pool(0, 30, 40, overlap=True), 0)] == [2]


def test_a_context_begins_with_two_chunks_that_none_has_shown_together() -> None:
    # of 0 and 1 as of 1 and 2 the cosine is that of 40°; of 0 and 2 it is less
    assert grown(pool(0, 40, 80), [0, 1, 2]) == ([(0, 1, 2)], [])
    chunks = pool(0, 40, 80)
    made, rejects = expand(chunks, chunks.search, [0], ContextSettings(), min_chars=0, before=[(0, 1)])
    assert ([one.rows for one in made], rejects) == ([(0, 2)], [])
    made, _ = expand(chunks, chunks.search, [0, 1], ContextSettings(), min_chars=0, before=[(1, 0, 2)])
    assert made == []


def test_a_context_begins_with_its_seed() -> None:
    # 1 is linked to 0 as strongly as to 2
    assert grown(pool(0, 40, 80), [1]) == ([(1, 0, 2)], [])
    assert grown(pool(0, 40, 80), [2]) == ([(2, 1, 0)], [])


def test_a_context_grows_by_the_chunk_that_is_linked_to_most_of_it() -> None:
    # 2 is at 65° and 25° from 0 and 1, and 3 at 40° and 80°: cos 65° + cos 25° is 1.33, cos 40° + cos 80° is 0.94
    assert grown(pool(0, 40, 65, -40), [0, 1, 2, 3])[0][0] == (1, 2, 0, 3)


def test_the_strongest_seeds_come_first_spread_over_documents() -> None:
    # pairs of 30° and of 32° in document a, of 60° in b; the second seed of a counts its strength / sqrt(2)
    chunks = pool(0, 30, 120, 152, 240, 300, documents="aaaabb")
    contexts, _ = expand(chunks, chunks.search, range(6), ContextSettings(spread="within-document"), min_chars=0)
    strengths = [context.strength for context in contexts]
    assert strengths == sorted(strengths, reverse=True)
    assert contexts[0].rows[:2] == (0, 1)
    # cos 32° / 2 / sqrt 2 = 0.2998 comes before cos 60° / 2 = 0.25
    assert [chunks.doc_ids[context.rows[0]] for context in contexts][:3] == ["a", "a", "b"]
    assert strengths[1:3] == pytest.approx([0.2998, 0.25], abs=1e-3)


@pytest.mark.parametrize(
    ("spread", "context"),
    [("any", (0, 1, 2, 3)), ("within-document", (0, 1, 3)), ("cross-document", (0, 2))],
)
def test_spread_says_which_documents_come_first(spread: str, context: tuple[int, ...]) -> None:
    contexts, _ = grown(pool(0, 25, 50, 75, documents="aaba"), [0], spread=spread)
    assert contexts == [context]


def test_cross_document_makes_no_context_of_one_document() -> None:
    contexts, refused = grown(pool(0, 25, 50, documents="aaa"), [0], spread="cross-document")
    assert (contexts, len(refused)) == ([], 1)


def test_short_chunks_are_no_members() -> None:
    chunks = pool(0, 30, 60, texts={1: "Too short."})
    contexts, _ = expand(chunks, chunks.search, [0], ContextSettings(), min_chars=100)
    assert [context.rows for context in contexts] == [(0, 2)]


def test_a_candidate_holds_the_chunks_of_its_context_seed_first() -> None:
    chunks = pool(0, 10, 20, documents="aba")
    (candidate,) = candidates_of(chunks, [(2, 0, 1)])
    assert [chunk.id for chunk in candidate.chunks] == [chunks.ids[2], chunks.ids[0], chunks.ids[1]]
    assert candidate.origin == f"{chunks.ids[2]} {chunks.ids[0]}"


WORDS = ["torc", "fibula", "Anna Berg", "12 kg", "greave", "plaque", "linen"]


@given(
    st.lists(st.tuples(st.floats(0, 180), st.sampled_from("abc"), st.lists(st.sampled_from(WORDS))), max_size=20),
    st.integers(2, 4),
    st.sampled_from(["any", "within-document", "cross-document"]),
    st.integers(1, 3),
)
def test_every_context_keeps_the_rules(
    placed: list[tuple[float, str, list[str]]], fewest: int, spread: str, step: int
) -> None:
    if not placed:
        return
    texts = {row: " ".join(["text", *words]) for row, (_, _, words) in enumerate(placed)}
    chunks = pool(*(one for one, _, _ in placed), documents="".join(name for _, name, _ in placed), texts=texts)
    given = ContextSettings.model_validate({"min_chunks": fewest, "max_chunks": 4, "spread": spread})
    seeds = list(range(0, len(placed), step))
    before: list[tuple[int, ...]] = []
    for _ in range(2):
        contexts, rejects = expand(chunks, chunks.search, seeds, given, min_chars=0, before=before)
        assert len(contexts) <= len(seeds)
        assert {context.rows[0] for context in contexts} <= {*seeds}
        linked = {row for context in contexts for row in context.rows}
        assert not linked & {chunks.ids.index(reject.chunks[0]) for reject in rejects}
        shown = {frozenset(pair) for rows in before for pair in combinations(rows, 2)}
        began = {frozenset(context.rows[:2]) for context in contexts}
        assert len(began) == len(contexts)
        assert not began & shown
        assert contexts == expand(chunks, chunks.search, seeds, given, min_chars=0, before=before)[0]
        before += [context.rows for context in contexts]
        for context in contexts:
            keeps_the_rules(chunks, context, given)


def keeps_the_rules(chunks: InMemory, context: Context, given: ContextSettings) -> None:
    rows, documents = context.rows, {chunks.doc_ids[row] for row in context.rows}
    assert given.min_chunks <= len(rows) <= SHOWN
    assert len(set(rows)) == len(rows)
    assert 0 < context.strength <= 1
    for one, other in combinations(rows, 2):
        assert float(chunks.vectors[one] @ chunks.vectors[other]) < NEAR_DUPLICATE + 1e-6
    if given.spread != "any":
        assert (len(documents) == 1) == (given.spread == "within-document")


def context(row: int, kind: str, strength: float) -> Context:
    return Context(rows=(row, row + 1), kind=kind, strength=strength)


WAITING = [context(0, "terms", 0.3), context(2, "near", 0.5), context(4, "terms", 0.4), context(6, "near", 0.4)]


def test_before_anything_is_known_the_strongest_come_first_and_of_equals_the_first() -> None:
    assert Yields().best(WAITING, 3) == [1, 2, 3]
    assert Yields().rate("near") == 1


def test_contexts_like_those_that_gave_goldens_come_first() -> None:
    yields = Yields()
    yields.learn(
        {f"{kind} {n}": kind for kind in ("terms", "near") for n in range(10)}, ["terms 1"] * 3 + ["terms 2"] * 7
    )
    # all kinds: (10 + 1) / (20 + 1); terms (10 + 8 * 11/21) / 18, near (0 + 8 * 11/21) / 18
    assert yields.rate("terms") == pytest.approx((10 + 8 * 11 / 21) / 18)
    assert yields.rate("near") == pytest.approx(8 * 11 / 21 / 18)
    assert yields.rate("other") == pytest.approx(11 / 21)
    assert yields.best(WAITING, 2) == [2, 0]


@pytest.mark.parametrize(
    ("rounds", "dry"),
    [
        ([(40, 0)], False),  # too few to say
        ([(48, 3)], True),  # 1 in 16
        ([(48, 4)], False),  # 1 in 12
        ([(40, 20), (24, 1), (24, 2)], True),  # those of the last two rounds
        ([(40, 20), (24, 1), (23, 2)], False),  # 23 of all 87
        ([(100, 0), (48, 6)], False),
    ],
)
def test_contexts_are_dry_where_fewer_than_one_in_twelve_of_the_last_gave_a_golden(
    rounds: list[tuple[int, int]], dry: bool
) -> None:
    yields, number = Yields(), 0
    for tried, gave in rounds:
        drawn = {str(number + one): "kind" for one in range(tried)}
        yields.learn(drawn, list(drawn)[:gave])
        number += tried
    assert yields.dry is dry
