from hypothesis import given
from hypothesis import strategies as st

from ragset.dataset.importers.original import Original


def held(original: Original, place: tuple[int, int] | None) -> str | None:
    return place and original.cleaned[place[0] : place[1]]


def test_a_text_that_cleaning_leaves_alone_keeps_its_places() -> None:
    original = Original("Tea is hot. Tea is green.")
    assert original.find("Tea is green.", 12) == (12, 25)


def test_places_are_moved_by_what_cleaning_takes_out() -> None:
    # Three line ends become two and the blank before them goes: "Hot. \n\n\nTea" -> "Hot.\n\nTea", 8 becomes 6
    original = Original("Hot. \n\n\nTea")
    assert original.moved(8, 11) == (6, 9)


def test_a_letter_and_its_accent_are_one_character_afterwards() -> None:
    # "cafe" + accent + " noir": 6 is "n", and 5 after they are composed
    original = Original("cafe\u0301 noir")
    assert original.cleaned == "café noir"
    assert original.moved(0, 5) == (0, 4)
    assert original.moved(6, 10) == (5, 9)


def test_an_accent_that_nothing_composes_with_stays_with_its_letter() -> None:
    original = Original("a  \n\n\n\nq\u0301 b")
    assert held(original, original.moved(7, 9)) == "q\u0301"


def test_a_word_that_was_parted_at_a_line_end_is_found_whole() -> None:
    original = Original("Green tea con-\ntains caffeine.")
    assert original.cleaned == "Green tea contains caffeine."
    assert held(original, original.moved(10, 30)) == "contains caffeine."


def test_hyphens_at_the_ends_are_kept() -> None:
    original = Original("Teas:\n\n\n\n- green\n- black")
    assert held(original, original.moved(9, 16)) == "- green"


def test_what_cleaning_takes_out_has_no_place() -> None:
    assert Original("Tea\u200b is hot").moved(3, 4) is None


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


@given(st.text(st.sampled_from("eé\u0301\u00adqx- \n\r\t.\u200b\u2028Å한"), max_size=40), st.data())
def test_what_is_moved_keeps_its_letters(text: str, data: st.DataObject) -> None:
    original = Original(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    place = original.moved(start, end)
    letters = [character for character in text[start:end] if character in "qx한."]
    if place is None:
        assert not letters
    else:
        found = original.cleaned[place[0] : place[1]]
        assert [character for character in found if character in "qx한."] == letters
        assert found == found.strip()
