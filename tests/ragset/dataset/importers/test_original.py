from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.importers.offsets import Original
from ragset.documents.cleaning import clean_text


def held(original: Original, place: tuple[int, int] | None) -> str | None:
    return place and original.cleaned[place[0] : place[1]]


def test_a_text_that_cleaning_leaves_alone_keeps_its_places() -> None:
    original = Original("Tea is hot. Tea is green.")
    assert original.find("Tea is green.", 12) == (12, 25)


def test_places_are_moved_by_what_cleaning_takes_out() -> None:
    # Three line ends become two and the blank before them goes: "Hot. \n\n\nTea" -> "Hot.\n\nTea", 8 becomes 6
    assert Original("Hot. \n\n\nTea").find("Tea", 8) == (6, 9)


def test_a_letter_and_its_accent_are_one_character_afterwards() -> None:
    # "cafe" + accent + " noir": 6 is "n", and 5 after they are composed
    original = Original("cafe\u0301 noir")
    assert original.cleaned == "café noir"
    assert original.find("cafe\u0301", 0) == (0, 4)
    assert original.find("noir", 6) == (5, 9)


def test_a_word_that_was_parted_at_a_line_end_is_found_whole() -> None:
    original = Original("Green tea con-\ntains caffeine.")
    assert original.cleaned == "Green tea contains caffeine."
    assert held(original, original.find("con-\ntains caffeine.", 10)) == "contains caffeine."


def test_a_word_that_cleaning_made_whole_elsewhere_is_not_taken_for_it() -> None:
    # "tea" is once in the text as given, at 12, and twice in the cleaned one: "A tea party. Tea is no tea" -> 2 and 22
    original = Original("A te-\na party. Tea is no tea.")
    assert original.cleaned == "A tea party. Tea is no tea."
    assert original.find("tea", 23) == (23, 26)


def test_what_cleaning_takes_out_has_no_place() -> None:
    assert Original("Tea\u200b is hot").find("\u200b", 3) is None


def test_of_two_places_the_one_nearest_to_the_offset_is_taken() -> None:
    # "hot tea" stands at 0 and at 16; the offset 14 is wrong by two
    original = Original("hot tea or cold hot tea")
    assert original.find("hot tea", 14) == (16, 23)
    assert original.find("hot tea", 3) == (0, 7)


def test_of_two_places_none_is_guessed_without_an_offset() -> None:
    assert Original("hot tea or cold hot tea").find("hot tea", None) is None
    assert Original("hot tea or cold").find("hot tea", None) == (0, 7)


def test_a_quote_may_have_other_white_space_and_no_other_words() -> None:
    text = Original("hot\n\ntea is hottea")
    assert text.find("hot tea", 0) == (0, 8)
    assert text.find("hot  tea is", 40) == (0, 11)
    assert text.find("hot water", 0) is None


def test_only_the_stretch_named_is_searched() -> None:
    assert Original("tea, tea").find("tea", 0, within=(4, 8)) == (5, 8)


def test_a_negative_offset_does_not_count_from_the_end() -> None:
    assert Original("tea or milk").find("milk", -4) == (7, 11)


@given(st.text("aé-. \n\u0301\u00ad", max_size=40), st.data())
def test_what_is_found_reads_as_the_quote_does(text: str, data: st.DataObject) -> None:
    original = Original(text)
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : data.draw(st.integers(start, len(text)))]
    if place := original.find(quote, start):
        assert original.cleaned[place[0] : place[1]].split() == clean_text(quote).split()


def test_of_two_places_the_one_with_as_many_letters_before_it_is_meant() -> None:
    # The soft hyphen hides one "Paris" from the original, and cleaning takes 60 blank lines away before it.
    parts = ["A list.\n", "   \n" * 60, "The town of Par\u00adis began. ", "Then Paris won. ", "Later Paris lost."]
    text = "".join(parts)
    original = Original(text)
    place = original.find("Paris", text.index("Paris won"))
    assert place
    assert original.cleaned[place[0] :].startswith("Paris won.")


def test_a_word_that_is_not_there_any_more_is_no_other_word() -> None:
    text = "They co-\noperate. Others cooperate too, and some cooperate less."
    original = Original(text)
    place = original.find("cooperate", text.index("cooperate less"))
    assert place
    assert original.cleaned[place[0] :].startswith("cooperate less")
