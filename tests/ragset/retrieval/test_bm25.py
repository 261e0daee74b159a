import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragset.retrieval.bm25 import NO_TERM, Statistics, term_id
from ragset.retrieval.keyword_matrix import KeywordMatrix, write_matrix
from ragset.text.words import tokenise


def score(statistics: Statistics, query: str, text: str) -> float:
    document = statistics.document_weights(tokenise(text))
    return sum(weight * document.get(term, 0) for term, weight in statistics.query_weights(tokenise(query)).items())


def test_words_are_casefolded_and_punctuation_parts_them() -> None:
    assert tokenise("The Straße, re-paved: 3.5 km_h!") == [
        "the",
        "strasse",
        "re",
        "paved",
        "3",
        "5",
        "km",
        "h",
    ]


def test_an_apostrophe_inside_a_word_belongs_to_it() -> None:
    assert tokenise("the brewer's 'tea'") == ["the", "brewer's", "tea"]


def test_accents_are_kept() -> None:
    assert tokenise("Añada té") == ["añada", "té"]


def test_scripts_without_spaces_are_cut_into_pairs_of_characters() -> None:
    assert tokenise("緑茶の味 is 茶") == ["緑茶", "茶の", "の味", "is", "茶"]


def test_a_score_is_the_one_worked_out_by_hand() -> None:
    # 2 chunks, tea in one: idf = ln(1 + 1.5/1.5) = ln 2. Lengths 3 and 1, average 2.
    # tf = 2, length 3: norm = 1.2 * (0.25 + 0.75 * 3/2) = 1.65; 2 * 2.2 / (2 + 1.65) = 4.4 / 3.65
    statistics = Statistics.of(["tea green tea", "water"])
    assert score(statistics, "tea", "tea green tea") == pytest.approx(math.log(2) * 4.4 / 3.65)


def test_a_word_twice_in_the_query_counts_twice() -> None:
    statistics = Statistics.of(["tea green tea", "water"])
    assert score(statistics, "tea tea", "tea") == pytest.approx(2 * score(statistics, "tea", "tea"))


def test_a_word_in_every_chunk_still_counts_for_something() -> None:
    # N = df = 2: ln(1 + 0.5 / 2.5) = ln 1.2
    assert Statistics.of(["tea", "tea"]).query_weights(["tea"]) == {term_id("tea"): pytest.approx(math.log(1.2))}


def test_a_query_of_unknown_words_asks_for_nothing() -> None:
    assert Statistics.of(["tea"]).query_weights(["coffee"]) == {}


def test_a_text_without_words_has_a_vector_that_no_query_meets() -> None:
    assert Statistics.of(["tea", "***"]).document_weights([]) == {NO_TERM: 1.0}


def test_no_word_takes_the_place_of_texts_without_words() -> None:
    assert all(term_id(f"w{i}") < NO_TERM for i in range(10_000))


@pytest.mark.parametrize(
    ("lengths", "typical"), [([187, 187, 188], 190.0), ([1, 2], 1.5), ([8, 9, 8], 8.3), ([0, 0], 1.0)]
)
def test_the_typical_length_is_the_average_to_two_digits(lengths: list[int], typical: float) -> None:
    assert Statistics(len(lengths), sum(lengths), {}).typical_length == typical


def test_chunks_that_come_change_no_weight_while_the_typical_length_stays() -> None:
    before = Statistics.of(["tea green tea", "a b c"])
    after = Statistics.of(["tea green tea", "a b c", "tea tea tea"])
    assert before.document_weights(["tea", "green"]) == after.document_weights(["tea", "green"])


def test_statistics_survive_the_disk(tmp_path: Path) -> None:
    statistics = Statistics.of(["tea green tea", "water and tea"])
    statistics.save(tmp_path / "bm25.npz")
    loaded = Statistics.load(tmp_path / "bm25.npz")
    assert (loaded.count, loaded.length, loaded.frequencies) == (2, 6, statistics.frequencies)


TEXTS = st.lists(st.text("abc ", min_size=1), max_size=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS, TEXTS)
def test_texts_that_go_and_come_leave_the_counts_of_those_that_stay(
    tmp_path: Path, stay: list[str], go: list[str], come: list[str]
) -> None:
    changed = Statistics.of([*stay, *go])
    changed.add(come)
    changed.add(go, by=-1)
    changed.save(tmp_path / "changed.npz")
    Statistics.of([*stay, *come]).save(tmp_path / "anew.npz")
    assert (tmp_path / "changed.npz").read_bytes() == (tmp_path / "anew.npz").read_bytes()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=TEXTS, query=st.text("abcd "), block=st.integers(1, 4))
def test_a_matrix_gives_the_scores_of_the_weights_in_memory_and_from_a_file(
    tmp_path: Path, texts: list[str], query: str, block: int
) -> None:
    statistics = Statistics.of(texts)
    expected = pytest.approx([score(statistics, query, text) for text in texts], rel=1e-5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ragset.retrieval.keyword_matrix.BLOCK", block)
        write_matrix(tmp_path / "words.arrow", texts, statistics)
    for matrix in (KeywordMatrix.of(texts, statistics), KeywordMatrix.open(tmp_path / "words.arrow", len(texts))):
        assert matrix.scores(statistics.query_weights(tokenise(query))).tolist() == expected


@given(st.lists(st.text("abc ", min_size=1), min_size=1, max_size=8), st.text("abc "))
def test_scores_are_never_negative(texts: list[str], query: str) -> None:
    statistics = Statistics.of(texts)
    assert all(score(statistics, query, text) >= 0 for text in texts)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("राम और रोम", ["राम", "और", "रोम"]),
        ("क्षत्रिय की", ["क्षत्रिय", "की"]),
        ("தமிழ் மொழி", ["தமிழ்", "மொழி"]),
        ("বাংলা গান", ["বাংলা", "গান"]),
        ("ਪੰਜਾਬੀ", ["ਪੰਜਾਬੀ"]),
        ("తెలుగు", ["తెలుగు"]),
        ("שָׁלוֹם", ["שָׁלוֹם"]),
    ],
)
def test_a_letter_keeps_its_marks(text: str, words: list[str]) -> None:
    assert tokenise(text) == words


def test_an_accent_is_the_same_however_it_is_written() -> None:
    assert tokenise("cafe\u0301") == tokenise("café") == ["café"]


def test_what_is_drawn_around_a_digit_is_none_of_it() -> None:
    assert tokenise("1\ufe0f\u20e3 \u0301 2") == ["1", "2"]
