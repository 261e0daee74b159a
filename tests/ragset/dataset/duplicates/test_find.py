from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragset.dataset.duplicates.alike import Query
from ragset.dataset.duplicates.find import OFFLINE_SEMANTIC, Repeat, find_repeats, least_cosine
from ragset.generation.selection import drop_repeats
from ragset.models import Candidate, Chunk, Golden, Span
from ragset.retrieval.embedding.offline import OfflineEmbedder
from tests.repeated_queries import PAIRS


def queries(language: str) -> list[Query]:
    made: list[Query] = []
    for number, pair in enumerate(PAIRS[language]):
        documents = (f"d{number}", f"d{number}" if pair.shared else f"e{number}")
        answers = pair.answers or (None, None)
        for query, document, answer in zip((pair.one, pair.other), documents, answers, strict=True):
            made.append(Query(query, (Span(doc_id=document, start=0, end=9),), answer))
    return made


def golden(query: str, start: int = 0, answer: str = "a") -> Golden:
    chunk = Chunk(doc_id="d", start=start, end=start + 5, text="words")
    return Golden.of(Candidate(chunks=(chunk,), query=query, answer=answer, evidence=(chunk.span,)))


@pytest.mark.parametrize(
    ("language", "least"), [("en", 0.75), ("es", 0.8), ("de", 0.9), ("fr", 0.9), ("hi", 1.0), ("th", 1.0), ("ta", 1.0)]
)
def test_finds_most_repeated_queries_and_hardly_any_other(
    language: str, least: float, record_property: Callable[[str, object], None]
) -> None:
    asked = queries(language)
    vectors = OfflineEmbedder().embed([one.query for one in asked])
    repeats = find_repeats(asked, vectors, semantic=OFFLINE_SEMANTIC, language=language)
    found = {(repeat.of, repeat.index) for repeat in repeats}
    wanted = {(2 * place, 2 * place + 1) for place, pair in enumerate(PAIRS[language]) if pair.same}
    precision, recall = len(found & wanted) / len(found), len(found & wanted) / len(wanted)
    record_property(
        f"repeated queries ({language})",
        f"precision {precision:.2f}, recall {recall:.2f} over {len(PAIRS[language])} pairs",
    )
    assert precision >= 0.95, found - wanted
    assert recall >= least, wanted - found


def test_the_labelled_pairs_are_many() -> None:
    assert len(PAIRS["en"]) >= 60
    assert sum(map(len, PAIRS.values())) >= 90


def test_the_same_words_in_another_order_are_an_exact_repeat_as_in_a_wave() -> None:
    asked = ["How does kefir differ from yoghurt?", "how does YOGHURT differ from kefir", "What is kefir?"]
    assert find_repeats([Query(query) for query in asked]) == [Repeat(1, 0, "exact", 1.0)]
    made = [Candidate(chunks=(Chunk(doc_id="d", start=0, end=1, text="x"),), query=query) for query in asked]
    assert len(drop_repeats(made, [], how="exact")[0]) == 2


def test_one_letter_of_a_name_keeps_queries_apart() -> None:
    spans = (Span(doc_id="d", start=0, end=90),)
    asked = [Query(f"When was {name} built?", spans, "1890") for name in ("A", "B")]
    assert find_repeats(asked, np.ones((2, 4), dtype=np.float32)) == []


def test_other_words_count_as_the_same_only_with_the_same_evidence() -> None:
    there, elsewhere = Span(doc_id="d", start=0, end=90), Span(doc_id="e", start=0, end=90)
    rows = np.ones((2, 4), dtype=np.float32)
    one = Query("What makes dough rise?", (there,), "gas")
    assert find_repeats([one, Query("What causes dough to rise?", (there,), "gas")], rows) == [
        Repeat(1, 0, "semantic", 1.0)
    ]
    assert find_repeats([one, Query("What causes dough to rise?", (elsewhere,), "gas")], rows) == []


def test_an_earlier_datasets_golden_is_named_by_its_id() -> None:
    before = golden("What is a Merkle tree?")
    repeats = find_repeats([Query("Who was Merkle?"), Query("What are Merkle trees?")], earlier=[before])
    assert [(repeat.index, repeat.of, repeat.how) for repeat in repeats] == [(1, before.id, "near")]


def test_earlier_goldens_are_not_compared_with_each_other() -> None:
    assert find_repeats([], earlier=[golden("What is kefir?"), golden("what is kefir", 9)]) == []


def test_a_cosine_means_less_by_the_offline_embedding() -> None:
    assert least_cosine("offline-512") == 0.7
    assert least_cosine("text-embedding-3-small") == 0.9


@settings(max_examples=15)
@given(st.permutations(range(60)))
def test_what_repeats_what_does_not_depend_on_the_order(order: list[int]) -> None:
    asked = queries("en")[:60]

    def pairs(shuffled: list[Query]) -> set[frozenset[str]]:
        found = find_repeats(shuffled)
        return {frozenset({shuffled[repeat.index].query, shuffled[int(repeat.of)].query}) for repeat in found}

    assert pairs([asked[place] for place in order]) == pairs(asked)


QUARTZ, LATTICE, ATOMIC = (Span(doc_id="clocks", start=start, end=start + 40) for start in (0, 50, 100))


@pytest.mark.parametrize(
    ("one", "other", "answers"),
    [
        (
            "How does a quartz clock differ from a lattice clock?",
            "How does an atomic clock differ from a lattice clock?",
            "",
        ),
        (
            "Which is older, the quartz clock or the lattice clock?",
            "Which is older, the lattice clock or the atomic clock?",
            "",
        ),
        ("What do quartz and lattices share?", "What do lattices and atoms share?", ""),
        (
            "Which clock beats both quartz and lattice?",
            "Which clock beats both atom and lattice?",
            "The lattice clock. ",
        ),
        ("Who improved quartz and lattice clocks?", "Who improved atomic and lattice clocks?", "Essen and Parry. "),
    ],
)
def test_half_of_the_evidence_in_common_makes_no_repeat(one: str, other: str, answers: str) -> None:
    said = f"{answers}A lattice clock traps strontium atoms in a standing wave of light"
    asked = [
        Query(one, (QUARTZ, LATTICE), f"{said}; quartz counts vibrations."),
        Query(other, (LATTICE, ATOMIC), f"{said}; an atom changes its state."),
    ]
    assert find_repeats(asked, np.ones((2, 4), dtype=np.float32)) == []


def test_what_only_says_more_repeats_on_half_of_the_evidence_too() -> None:
    answer = "A lattice clock traps atoms in a wave of light; quartz counts vibrations."
    asked = [
        Query("How does a quartz clock differ from a lattice clock?", (QUARTZ, LATTICE), answer),
        Query("How does a quartz clock differ from a strontium lattice clock?", (ATOMIC, LATTICE), answer),
    ]
    assert [repeat.how for repeat in find_repeats(asked)] == ["near"]


def test_nothing_but_the_order_counts_where_only_the_same_words_do() -> None:
    asked = ("How do I convert PDF to DOCX?", "How do I convert DOCX to PDF?", "how do i convert PDF to DOCX")
    made = [Candidate(chunks=(Chunk(doc_id="d", start=0, end=1, text="x"),), query=query) for query in asked]
    kept, (reject,) = drop_repeats(made, [], how="exact")
    assert [one.query for one in kept] in ([*asked[:2]], [*asked[1:]])
    assert reject.reason == "duplicate_query"
