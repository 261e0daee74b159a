"""Words are found in texts of every script."""

from ragset.text.words import MARKS, NO_MARK_BELOW, tokenise


def test_no_mark_is_below_the_one_that_the_search_for_marks_starts_at() -> None:
    assert min(MARKS) >= NO_MARK_BELOW


def test_marks_stay_with_the_letter_before_them() -> None:
    assert tokenise("हिन्दी q\u0301a l'heure") == ["हिन्दी", "q\u0301a", "l'heure"]
