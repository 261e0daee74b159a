"""The words of a text, as the lexical search and every comparison of wording count them, and characters by category."""

import re
import unicodedata
from itertools import chain

# All but ideographs, Hangul, private use, ancient scripts, frames around digits, variants of emoji, and typography.
_SCANNED = chain(range(0x80, 0x20D0), range(0x2100, 0x3400), range(0xA000, 0xAC00), range(0xF900, 0xFE00),
                 range(0xFE10, 0x12000), range(0x1D000, 0x1FB00))  # fmt: skip
_CHARACTERS = [character for character in map(chr, _SCANNED) if character not in "¬©®°"]


def _of(*categories: str) -> str:
    return "".join(character for character in _CHARACTERS if unicodedata.category(character) in categories)


# Each is the inside of a class of a regular expression.
MARKS = _of("Mn", "Mc")  # accents, and signs of vowels and tones, which belong to the letter before them
CURRENCIES = "$" + _of("Sc")
SYMBOLS = "+<=>" + _of("Sm", "So")  # signs of mathematics, arrows, pictures

TOKENS = 2  # which way of cutting texts into words this is: what was indexed by another is indexed again

SCRIPTS_WITHOUT_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
NO_MARK_BELOW = (
    "\u0300"  # one quick comparison, or every end of a word is looked up among all marks, in four times the time
)
# A letter with its marks: the signs of vowels in Devanagari and its like are no letters by themselves.
_LETTERS = (
    rf"[^\W_{SCRIPTS_WITHOUT_SPACES}]+(?:(?=[{NO_MARK_BELOW}-\U0010ffff])[{MARKS}]+[^\W_{SCRIPTS_WITHOUT_SPACES}]*)*"
)
_TOKEN = re.compile(rf"[{SCRIPTS_WITHOUT_SPACES}]+|{_LETTERS}(?:['’]{_LETTERS})*")
_UNSPACED = re.compile(rf"[{SCRIPTS_WITHOUT_SPACES}]")


def tokenise(text: str) -> list[str]:
    """The words of `text`, casefolded; character pairs in scripts that put no spaces between words."""
    tokens: list[str] = []
    for word in _TOKEN.findall(unicodedata.normalize("NFC", text.casefold())):
        if len(word) > 2 and not word.isascii() and writes_without_spaces(word):
            tokens.extend(word[i : i + 2] for i in range(len(word) - 1))
        else:
            tokens.append(word)
    return tokens


def writes_without_spaces(token: str) -> bool:
    """Whether `token` is of a script without spaces between words, as Chinese, Japanese, Thai or Khmer."""
    return _UNSPACED.match(token) is not None
