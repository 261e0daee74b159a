from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.review.apply import Applied, apply_reviews
from ragset.dataset.review.records import Edit, Review
from ragset.documents.corpus import Corpus
from ragset.models import Golden, Span
from tests.small_dataset import TEA, corpus_of, golden_of

GOLDEN = golden_of()  # evidence 0 to 35
OTHER = golden_of("How long does it steep?", "Two minutes", evidence=((36, 61),))
HALF = Span(doc_id=TEA.id, start=36, end=61)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return corpus_of(tmp_path_factory.mktemp("teas"))


def said(verdict: str | None = "good", reviewer: str = "Ada", golden: Golden = GOLDEN, **more: Any) -> Review:
    return Review.of(reviewer, golden.id, "golden", "golden@1", verdict=verdict, **more)


def applied(corpus: Corpus, *reviews: Review, goldens: Sequence[Golden] = (GOLDEN, OTHER)) -> Applied:
    return apply_reviews(goldens, reviews, corpus)


def test_a_bad_golden_becomes_a_reject_with_the_reason_and_the_note_and_no_name(corpus: Corpus) -> None:
    reviews = (
        said("bad", reasons=("unclear", "trivial"), note=" Which tea? "),
        said("bad", "Bo", reasons=("trivial",)),
        said("good", "Cy"),
    )
    found = applied(corpus, *reviews)
    assert [golden.id for golden in found.goldens] == [OTHER.id]
    (reject,) = found.rejects
    assert (reject.stage, reject.reason, reject.query) == ("review", "trivial", GOLDEN.query)
    assert reject.detail == "trivial, unclear; Which tea?"
    assert found.unapplied == ()


def test_a_correction_goes_in_the_id_stays_and_what_was_measured_before_is_gone(corpus: Corpus) -> None:
    measured = GOLDEN.model_copy(update={"metadata": {**GOLDEN.metadata, "hardness": {"level": "easy"}}})
    edit = Edit(query="How hot may it be?", evidence=(HALF, *GOLDEN.evidence))
    golden, other = applied(corpus, said(edit=edit), goldens=(measured, OTHER)).goldens
    assert (golden.id, golden.query, golden.answer) == (GOLDEN.id, "How hot may it be?", "80 °C")
    assert golden.evidence == (*GOLDEN.evidence, HALF)
    assert golden.scores == {}
    assert golden.metadata == {**GOLDEN.metadata, "review": {"verdict": "corrected", "people": 1}}
    assert golden.lineage[-1].model_dump() == {
        "stage": "review",
        "kind": "correct",
        "prompt": "golden@1",
        "model": "people",
        "query": "How hot may it be?",
    }
    assert other == OTHER


def test_one_more_place_that_answers_leaves_scores_and_labels(corpus: Corpus) -> None:
    golden = applied(corpus, said(edit=Edit(equivalents=(HALF,)))).goldens[0]
    assert (golden.equivalents, golden.scores, golden.lineage) == ((HALF,), GOLDEN.scores, GOLDEN.lineage)


def test_places_that_two_people_add_are_both_taken_and_one_that_either_takes_out_goes(corpus: Corpus) -> None:
    old, new, newer = (Span(doc_id=TEA.id, start=start, end=start + 5) for start in (0, 10, 20))
    golden = GOLDEN.model_copy(update={"equivalents": (old,)})
    found = applied(
        corpus,
        said(edit=Edit(equivalents=(old, newer))),
        said("good", "Bo", edit=Edit(equivalents=(new,))),
        goldens=(golden,),
    )
    assert found.goldens[0].equivalents == (new, newer)
    assert found.unapplied == ()


@pytest.mark.parametrize(
    ("reviews", "why"),
    [
        ([said("bad"), said("good", "Bo")], "1 call it good and 1 bad"),
        ([said(edit=Edit(answer="85 °C")), said("good", "Bo")], "answer: people want different ones"),
        ([said(edit=Edit(evidence=(Span(doc_id=TEA.id, start=0, end=99),)))], "ends before"),
        ([said(edit=Edit(equivalents=(Span(doc_id="f" * 16, start=0, end=9),)))], "there is no document"),
        ([said(edit=Edit(evidence=(Span(doc_id=TEA.id, start=35, end=36),)))], "is white space"),
    ],
)
def test_what_is_even_or_does_not_fit_stays_as_it_is_and_is_listed(
    corpus: Corpus, reviews: list[Review], why: str
) -> None:
    found = applied(corpus, *reviews)
    assert [golden.model_copy(update={"metadata": GOLDEN.metadata}) for golden in found.goldens] == [GOLDEN, OTHER]
    (left,) = found.unapplied
    assert left.golden == GOLDEN.id
    assert why in left.why


def test_of_two_corrections_the_one_that_most_want_is_taken(corpus: Corpus) -> None:
    edits = (("Ada", "85 °C"), ("Bo", "at 80 °C"), ("Cy", "at 80 °C"))
    found = applied(corpus, *(said("good", name, edit=Edit(answer=answer)) for name, answer in edits))
    assert found.goldens[0].answer == "at 80 °C"


def test_an_unanswerable_golden_gets_no_answer(corpus: Corpus) -> None:
    golden = GOLDEN.model_copy(update={"kind": "unanswerable", "answer": None, "evidence": ()})
    found = applied(corpus, said(edit=Edit(answer="80 °C")), goldens=(golden,))
    assert found.goldens[0].answer is None
    assert "unanswerable" in found.unapplied[0].why


def test_a_skip_and_an_edit_without_a_verdict_change_nothing(corpus: Corpus) -> None:
    assert applied(corpus, said(None, edit=Edit(answer="85 °C"))).goldens == (GOLDEN, OTHER)


def test_grades_follow_their_spans(corpus: Corpus) -> None:
    golden = GOLDEN.model_copy(update={"grades": (3,)})
    found = applied(corpus, said(edit=Edit(evidence=(*GOLDEN.evidence, HALF))), goldens=(golden,))
    assert found.goldens[0].grades == (3, 1)


_EDITS = st.none() | st.builds(
    Edit,
    query=st.none() | st.sampled_from(["A?", "B?"]),
    answer=st.none() | st.sampled_from(["a", "b"]),
    evidence=st.none() | st.just((HALF,)),
    equivalents=st.none() | st.just((HALF,)),
)
_VOTES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.booleans(), st.sampled_from(["good", "bad"]), _EDITS),
    max_size=6,
    unique_by=lambda vote: vote[:2],
)


@given(_VOTES, st.randoms())
def test_nothing_is_lost_whatever_people_say_and_the_order_in_which_they_say_it_is_nothing(
    corpus: Corpus, votes: list[tuple[str, bool, str, Edit | None]], random: Any
) -> None:
    reviews = [said(verdict, name, GOLDEN if first else OTHER, edit=edit) for name, first, verdict, edit in votes]
    found = applied(corpus, *reviews)
    ids = [golden.id for golden in found.goldens]
    assert ids == [golden.id for golden in (GOLDEN, OTHER) if golden.id in ids]
    assert len(ids) + len(found.rejects) == 2
    assert found.judged == len({first for _, first, _, _ in votes})
    random.shuffle(reviews)
    assert applied(corpus, *reviews) == found
