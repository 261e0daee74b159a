from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragset.dataset.cut_rates import PANEL, EvidencePlaces, cut_rates
from ragset.dataset.manifest import CutRate
from ragset.documents.corpus import Corpus
from ragset.models import Document, Golden, Span

# Sentences begin at 0, 9, 18 and 27.
FOUR = Document.of("Tea was. Cup was. Pot was. Jug was.", source="four.txt")
WORDS = st.lists(st.sampled_from(["tea", "cup", "kettle", "lid"]), min_size=1, max_size=6)
TEXTS = st.lists(WORDS, min_size=2, max_size=12).map(
    lambda all_: " ".join(" ".join(w).capitalize() + "." for w in all_)
)
BORDERS = st.lists(st.integers(1, 400), max_size=12)


def golden_of(number: int, spans: Iterable[Span]) -> Golden:
    return Golden(id=f"g-{number}", query="?", answer="", evidence=tuple(spans), chunks=())


def at(document: Document, *ranges: tuple[int, int]) -> list[Span]:
    return [Span(doc_id=document.id, start=start, end=end) for start, end in ranges]


def corpus_of(folder: Path, document: Document) -> Corpus:
    return Corpus.write(folder / "corpus.jsonl", [document])


def chunks_at(document: Document, borders: list[int]) -> list[Span]:
    ends = [*sorted({one for one in borders if one < len(document.text)}), len(document.text)]
    return at(document, *zip([0, *ends], ends, strict=False))


def each_sentence(document: Document) -> list[Golden]:
    starts = [0, *(place + 2 for place in range(len(document.text)) if document.text[place : place + 2] == ". ")]
    ends = [start - 1 for start in starts[1:]] + [len(document.text)]
    return [golden_of(number, at(document, range_)) for number, range_ in enumerate(zip(starts, ends, strict=True))]


def test_the_share_cut_and_the_share_by_chance(tmp_path: Path) -> None:
    goldens = [
        # Of its two other places, 9-26 and 18-35, the first is cut: 1/2.
        golden_of(1, at(FOUR, (0, 17))),
        # Cut by the border at 17; of the places 0-17 and 18-35 none is: 0.
        golden_of(2, at(FOUR, (9, 26))),
        # Each span by itself 1/2: 1 - 1/2 · 1/2 = 3/4.
        golden_of(3, at(FOUR, (0, 17), (18, 35))),
        golden_of(4, []),
    ]
    found = EvidencePlaces(goldens, corpus_of(tmp_path, FOUR)).rate("two", at(FOUR, (0, 17), (18, 35)))
    # 1 of 3; (1/2 + 0 + 3/4) / 3; 1.96 · sqrt(1/4 + 0 + 3/16) / 3
    assert found == CutRate(chunking="two", goldens=3, cut=0.3333, chance=0.4167, noise=0.4321)


def test_a_part_of_a_sentence_keeps_its_distances(tmp_path: Path) -> None:
    # "was." in the second sentence; the chunks cut that of the third alone, between 22 and 26
    golden = golden_of(1, at(FOUR, (13, 17)))
    found = EvidencePlaces([golden], corpus_of(tmp_path, FOUR)).rate("", at(FOUR, (0, 24), (24, 35)))
    assert (found.cut, found.chance) == (0, pytest.approx(1 / 3, abs=1e-4))


def test_chunks_that_overlap_cut_less(tmp_path: Path) -> None:
    places = EvidencePlaces([golden_of(1, at(FOUR, (9, 26)))], corpus_of(tmp_path, FOUR))
    assert places.rate("", at(FOUR, (0, 17), (17, 35))).cut == 1
    assert places.rate("", at(FOUR, (0, 17), (9, 26), (18, 35))).cut == 0


def test_places_over_a_paragraph_break_are_no_chance_for_evidence_within_one(tmp_path: Path) -> None:
    document = Document.of("Tea was. Cup was.\n\nPot was. Jug was.", source="two.txt")
    golden = golden_of(1, at(document, (0, 17)))
    # Of the places of two sentences, the one over the break is cut and the one in the other paragraph is not.
    found = EvidencePlaces([golden], corpus_of(tmp_path, document)).rate("", at(document, (0, 17), (19, 36)))
    assert (found.cut, found.chance) == (0, 0)


def test_evidence_with_no_other_place_is_cut_by_chance_as_it_is(tmp_path: Path) -> None:
    places = EvidencePlaces([golden_of(1, at(FOUR, (0, 35)))], corpus_of(tmp_path, FOUR))
    assert [places.rate("", at(FOUR, *of)).chance for of in ([(0, 35)], [(0, 17), (18, 35)])] == [0, 1]


def test_a_set_without_evidence_has_no_rate(tmp_path: Path) -> None:
    assert cut_rates([golden_of(1, [])], corpus_of(tmp_path, FOUR)) == ()


def test_a_set_is_compared_with_each_chunking_of_the_panel(tmp_path: Path) -> None:
    found = cut_rates([golden_of(1, at(FOUR, (0, 8)))], corpus_of(tmp_path, FOUR))
    assert [one.chunking for one in found] == [one.name for one in PANEL]


def test_a_chunking_is_favoured_that_cuts_less_than_the_noise_allows() -> None:
    rate = CutRate(chunking="", goldens=100, cut=0.2, chance=0.3, noise=0.09)
    assert rate.favoured
    assert not rate.model_copy(update={"cut": 0.22}).favoured
    assert not rate.model_copy(update={"cut": 0.5}).favoured


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, BORDERS)
def test_where_every_sentence_is_evidence_once_as_many_are_cut_as_by_chance(
    tmp_path: Path, text: str, borders: list[int]
) -> None:
    document = Document.of(text, source="any.txt")
    places = EvidencePlaces(each_sentence(document), corpus_of(tmp_path, document))
    found = places.rate("", chunks_at(document, borders))
    # of m sentences k are cut; each has a chance of (k - its own) / (m - 1), which is k / m on average
    assert found.chance == pytest.approx(found.cut, abs=1e-4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, BORDERS, BORDERS)
def test_more_borders_never_cut_less(tmp_path: Path, text: str, borders: list[int], more: list[int]) -> None:
    document = Document.of(text, source="any.txt")
    places = EvidencePlaces(each_sentence(document), corpus_of(tmp_path, document))
    few, many = (places.rate("", chunks_at(document, of)) for of in (borders, borders + more))
    assert 0 <= few.cut <= many.cut <= 1
    assert 0 <= few.chance <= many.chance <= 1
