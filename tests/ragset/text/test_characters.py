import re
import unicodedata

import pytest

from ragset.text.words import CURRENCIES, MARKS, SYMBOLS


@pytest.mark.parametrize(
    ("name", "inside", "belonging", "other"),
    [
        ("marks", MARKS, "\u0301\u093e\u0947\u0bbe\u0e34\u0e48\u05b8", "aक1 \ufe0f\u20e3+"),
        ("currencies", CURRENCIES, "$€£₹¥", "S5+%"),
        ("symbols", SYMBOLS, "+<>=≤×→🚲☃", "-–°©a1#%"),
    ],
)
def test_a_class_holds_what_it_says(name: str, inside: str, belonging: str, other: str) -> None:
    one = re.compile(f"[{inside}]")
    assert [character for character in belonging if not one.match(character)] == [], name
    assert [character for character in other if one.match(character)] == [], name


def test_no_letter_is_a_mark_or_a_symbol() -> None:
    one = re.compile(f"[{MARKS}{SYMBOLS}{CURRENCIES}]")
    letters = (chr(code) for code in range(0x20000) if unicodedata.category(chr(code))[0] in "LNP")
    assert [letter for letter in letters if one.match(letter)] == []
