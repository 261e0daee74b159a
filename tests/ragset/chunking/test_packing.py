from itertools import pairwise

from ragset.chunking.boundaries import Places
from ragset.chunking.packing import pack
from ragset.chunking.ruler import Ruler

TEXT = "one two. three four. five six."
#       0   4    9     15    21   26   30
SENTENCES = Places([9, 21])
WORDS = Places([4, 9, 15, 21, 26])


def packed(size: int, text: str = TEXT, **options: object) -> list[str]:
    ruler = Ruler(text, "words")
    options.setdefault("levels", (SENTENCES, WORDS))
    levels = options.pop("levels")
    return [text[start:end] for start, end in pack(text, ruler, levels, size=size, **options)]  # type: ignore[arg-type]


def test_a_stretch_holds_as_many_whole_sentences_as_fit() -> None:
    assert packed(5) == ["one two. three four.", "five six."]


def test_a_sentence_that_just_fits_is_not_cut() -> None:
    assert packed(2) == ["one two.", "three four.", "five six."]
    assert packed(4) == ["one two. three four.", "five six."]


def test_a_sentence_that_is_too_long_is_cut_at_words() -> None:
    assert packed(1) == ["one", "two.", "three", "four.", "five", "six."]


def test_without_boundaries_it_is_cut_at_the_size() -> None:
    assert packed(4, levels=()) == ["one two. three four.", "five six."]


def test_a_boundary_short_of_the_fill_waits_for_a_lesser_one_beyond() -> None:
    # the sentence ends at 9 of 20 characters, less than half
    assert packed(4, levels=(Places([9]), WORDS), fill=0.5)[0] == "one two. three four."
    assert packed(4, levels=(Places([9]), WORDS))[0] == "one two."


def test_overlap_repeats_whole_sentences_where_they_fit() -> None:
    assert packed(4, overlap=2) == ["one two. three four.", "three four. five six."]
    assert packed(4, overlap=3) == ["one two. three four.", "three four. five six."]


def test_overlap_repeats_words_where_no_sentence_fits() -> None:
    assert packed(4, overlap=1) == ["one two. three four.", "four. five six."]


def test_overlap_without_boundaries_is_exact() -> None:
    assert packed(3, levels=(), overlap=2) == [
        "one two. three",
        "two. three four.",
        "three four. five",
        "four. five six.",
    ]


def test_what_is_shared_gives_way_to_a_sentence_that_needs_the_room() -> None:
    # "three four. five six." and the shared "two." are five words
    text, ends = "one two. three four five six.", Places([9])
    assert packed(4, text, levels=(ends, Places([4, 9, 15, 20, 25])), overlap=1) == [
        "one two.",
        "three four five six.",
    ]


def test_only_the_part_asked_for_is_packed() -> None:
    assert packed(9, start=9, end=21) == ["three four."]


def test_white_space_alone_gives_nothing() -> None:
    assert packed(9, " \n ") == []
    assert packed(9, "") == []


def test_a_block_that_fits_is_kept_whole() -> None:
    # the sentence would end within it: before it at a size of two words, behind it at three
    block = [(4, 14)]
    assert packed(2, blocks=block) == ["one", "two. three", "four.", "five six."]
    assert packed(3, blocks=block) == ["one two. three", "four. five six."]


def test_a_block_that_is_too_long_is_cut() -> None:
    assert packed(2, blocks=[(4, 20)]) == ["one two.", "three four.", "five six."]


def test_no_overlap_begins_within_a_block() -> None:
    # sharing one word would begin at "three", within the block of "two. three"
    assert packed(3, levels=(WORDS,), overlap=1, blocks=[(4, 14)]) == ["one two. three", "four. five six."]


def test_no_stretch_lies_within_another() -> None:
    # the sentence of two words is the best end twice over, but the second time it would add nothing
    text = "a b. c d e f g h i"
    ends = Places([5])
    stretches = list(pack(text, Ruler(text, "words"), (ends,), size=3, overlap=2))
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(stretches))
