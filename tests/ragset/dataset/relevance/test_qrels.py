from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.relevance.qrels import gold_of, grades_of, is_relevant, qrels
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Document, Golden, Span
from tests.ragset.evaluation.metrics.gold import golden, span

CUTS = st.lists(st.integers(1, 99), unique=True, max_size=12).map(lambda cuts: [0, *sorted(cuts), 100])
EVIDENCE = st.tuples(st.integers(0, 80), st.integers(1, 20)).map(lambda pair: span(pair[0], pair[0] + pair[1]))


def test_a_chunk_with_half_of_a_shorter_evidence_span_is_relevant() -> None:
    # evidence of 20: chunk 0-110 holds 10 of it, half; chunk 110-300 the other half; 0-109 only 9
    gold = {"g": (((span(100, 120),),),)}
    assert qrels(gold, ["d:0-110", "d:110-300"]) == {"g": ({"d:0-110": 1, "d:110-300": 1},)}
    assert qrels(gold, ["d:0-109", "d:109-300"]) == {"g": ({"d:109-300": 1},)}


def test_a_chunk_shorter_than_the_evidence_is_relevant_with_half_of_itself_in_it() -> None:
    # chunks of 10 against evidence of 100: 95-105 has 5 inside, 94-104 only 4
    assert is_relevant(95, 105, span(100, 200))
    assert not is_relevant(94, 104, span(100, 200))


def test_every_place_of_a_text_makes_its_chunks_relevant() -> None:
    gold = {"g": (((span(0, 20), span(50, 70, "e")),),)}
    assert qrels(gold, ["d:0-30", "e:40-80", "f:0-30"]) == {"g": ({"d:0-30": 1, "e:40-80": 1},)}


def test_evidence_in_several_pieces_has_the_chunks_of_all_of_them() -> None:
    gold = {"g": (((span(0, 20),), (span(200, 220),)),)}
    assert qrels(gold, ["d:0-100", "d:100-190", "d:190-300"]) == {"g": ({"d:0-100": 1, "d:190-300": 1},)}


def test_a_golden_whose_chunk_was_dropped_stays_with_nothing_relevant() -> None:
    assert qrels({"g": (((span(0, 20),),),)}, ["d:100-200"]) == {"g": ({},)}


def test_a_golden_without_evidence_is_left_out() -> None:
    assert qrels({"g": ()}, ["d:0-10"]) == {}


@given(CUTS, EVIDENCE)
def test_a_chunking_that_leaves_nothing_out_has_a_relevant_chunk_for_every_span(
    cuts: list[int], evidence: Span
) -> None:
    chunks = [f"d:{start}-{end}" for start, end in pairwise(cuts)]
    # Of two neighbours one has half of the span; of three or more the middle ones lie within it.
    assert qrels({"g": (((evidence,),),)}, chunks)["g"][0]


def corpus_of(folder: Path, *texts: str) -> tuple[Corpus, list[str]]:
    documents = [Document.of(text, source=f"{place}.txt") for place, text in enumerate(texts)]
    return Corpus.write(folder / "corpus.jsonl", documents), [document.id for document in documents]


SAID = "The tower clock strikes every quarter of an hour."


def test_evidence_comes_first_and_then_its_other_places(tmp_path: Path) -> None:
    corpus, (first, second) = corpus_of(tmp_path, f"{SAID} Then silence. {SAID}", f"Also: {SAID}")
    # SAID has 49 characters; the second time it starts at 49 + 15 = 64
    own = span(64, 113, first)
    places = gold_of([golden("g", own)], corpus)["g"][0]
    assert places[0][0] == own
    assert set(places[0]) == {own, span(0, 49, first), span(6, 55, second)}


def test_white_space_is_no_difference_and_the_place_has_its_own_length(tmp_path: Path) -> None:
    # a line end and two spaces in place of one space: one character more; an indented line after it: 4 more
    corpus, (first, second) = corpus_of(tmp_path, SAID, "x  The tower clock\n strikes every\n    quarter of an hour. y")
    places = gold_of([golden("g", span(0, 49, first))], corpus)["g"][0][0]
    # 49 + 1 + 4 = 54, from 3
    assert places == (span(0, 49, first), span(3, 57, second))


def test_white_space_around_evidence_is_not_looked_for(tmp_path: Path) -> None:
    corpus, (first, second) = corpus_of(tmp_path, f"One.\n\n{SAID}\n\nTwo.", f"({SAID})")
    places = gold_of([golden("g", span(4, 57, first))], corpus)["g"][0][0]
    assert places == (span(4, 57, first), span(1, 50, second))


def test_a_number_that_ends_alike_is_another_fact(tmp_path: Path) -> None:
    corpus, (first, _) = corpus_of(tmp_path, "100 metres of rope were used.", "So 2100 metres of rope were used.")
    assert gold_of([golden("g", span(0, 29, first))], corpus)["g"][0] == ((span(0, 29, first),),)


def test_a_script_without_spaces_is_found_within_its_sentence(tmp_path: Path) -> None:
    said = "钟楼的大钟每隔一刻钟敲响一次从早上六点一直到晚上十点"
    corpus, (first, second) = corpus_of(tmp_path, said, f"据说{said}都是如此")
    places = gold_of([golden("g", span(0, len(said), first))], corpus)["g"][0][0]
    assert places == (span(0, len(said), first), span(2, 2 + len(said), second))


def test_short_evidence_stands_for_itself_alone(tmp_path: Path) -> None:
    # 19 and 20 characters
    corpus, (first, _) = corpus_of(tmp_path, "It strikes at seven.", "We heard: It strikes at seven.")
    assert len(gold_of([golden("g", span(0, 19, first))], corpus)["g"][0][0]) == 1
    assert len(gold_of([golden("g", span(0, 20, first))], corpus)["g"][0][0]) == 2


def test_places_that_overlap_the_evidence_or_each_other_are_one(tmp_path: Path) -> None:
    # a period of 4 characters: evidence 0-20 stands at 4, 8, … too
    corpus, (first,) = corpus_of(tmp_path, "ab, " * 20)
    places = gold_of([golden("g", span(0, 19, first)), golden("h", span(0, 23, first))], corpus)
    assert places["g"][0] == ((span(0, 19, first),),)
    # "ab, " six times without the last space: 23 characters; next at 24 and 48
    assert places["h"][0] == ((span(0, 23, first), span(24, 47, first), span(48, 71, first)),)


def test_characters_beyond_the_basic_plane_count_once(tmp_path: Path) -> None:
    said = "🕛 midnight and the clock strikes 𝔱welve"
    corpus, (first, second) = corpus_of(tmp_path, said, f"🕛🕛 {said}")
    places = gold_of([golden("g", span(0, len(said), first))], corpus)["g"][0][0]
    assert places == (span(0, len(said), first), span(3, 3 + len(said), second))


def test_a_golden_without_evidence_has_none(tmp_path: Path) -> None:
    corpus, _ = corpus_of(tmp_path, SAID)
    assert gold_of([golden("g")], corpus) == {"g": ()}


def test_evidence_outside_its_document_is_refused(tmp_path: Path) -> None:
    corpus, (first,) = corpus_of(tmp_path, SAID)
    with pytest.raises(InputError, match="ends before"):
        gold_of([golden("g", span(0, 60, first))], corpus)


def test_a_repeat_far_into_a_long_document_is_found(tmp_path: Path) -> None:
    # more than a million characters before it, so that it lies across two blocks
    filler = "0123456 " * 131_069
    corpus, (first, second) = corpus_of(tmp_path, SAID, filler + SAID)
    start = len(filler)
    assert start < 2**20 < start + len(SAID)
    places = gold_of([golden("g", span(0, 49, first))], corpus)["g"][0][0]
    assert places == (span(0, 49, first), span(start, start + 49, second))


def test_each_equivalent_is_a_set_of_its_own_with_its_places(tmp_path: Path) -> None:
    other = "Four times an hour one hears the bell."
    corpus, (first, second, third) = corpus_of(tmp_path, SAID, f"{other} Loudly.", f"They say: {other}")
    one = golden("g", span(0, 49, first)).model_copy(update={"equivalents": (span(0, 38, second),)})
    evidence, equivalent = gold_of([one], corpus)["g"]
    assert evidence == ((span(0, 49, first),),)
    # "They say: " has 10 characters
    assert equivalent == ((span(0, 38, second), span(10, 48, third)),)


def test_every_set_has_its_relevant_chunks() -> None:
    gold = {"g": (((span(0, 20),), (span(200, 220),)), ((span(0, 20, "e"),),))}
    chunks = ["d:0-100", "d:190-300", "e:0-50", "f:0-9"]
    assert qrels(gold, chunks) == {"g": ({"d:0-100": 1, "d:190-300": 1}, {"e:0-50": 1})}


def test_an_equivalent_outside_its_document_is_refused(tmp_path: Path) -> None:
    corpus, (first,) = corpus_of(tmp_path, SAID)
    one = golden("g", span(0, 20, first)).model_copy(update={"equivalents": (span(30, 60, first),)})
    with pytest.raises(InputError, match="ends before"):
        gold_of([one], corpus)


def test_the_grade_of_a_chunk_is_the_highest_of_what_it_is_relevant_to() -> None:
    one = Golden(id="g", query="?", answer="!", evidence=(span(0, 40), span(40, 80)), grades=(1, 3), chunks=())
    gold = {"g": (((span(0, 40), span(200, 240)), (span(40, 80),)), ((span(100, 140),),))}
    found = qrels(gold, ["d:0-40", "d:20-60", "d:0-80", "d:200-240", "d:100-140"], grades_of([one]))
    # 20-60 has half of both; a place that says the same has the grade of what it repeats; an equivalent is alone
    assert found == {"g": ({"d:0-40": 1, "d:20-60": 3, "d:0-80": 3, "d:200-240": 1}, {"d:100-140": 1})}


def test_grades_are_one_for_each_span_of_evidence_or_none() -> None:
    assert grades_of([golden("g", span(0, 9))]) == {}
    with pytest.raises(ValueError, match="grades: 1 for 2 spans"):
        Golden(id="g", query="?", answer="!", evidence=(span(0, 4), span(5, 9)), grades=(2,), chunks=())
    with pytest.raises(ValueError, match="from 1"):
        Golden(id="g", query="?", answer="!", evidence=(span(0, 4),), grades=(0,), chunks=())
