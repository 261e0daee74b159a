"""The words of a text, as the lexical search and every comparison of wording count them."""

import re
import unicodedata

from ragset.text.characters import MARKS

TOKENS = 2
"""Which way of cutting texts into words this is: what was indexed by another is indexed again."""

_SCRIPTS_WITHOUT_SPACES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# A letter with its marks: the signs of vowels in Devanagari and its like are no letters by themselves.
_LETTERS = rf"[^\W_{_SCRIPTS_WITHOUT_SPACES}]+(?:[{MARKS}]+[^\W_{_SCRIPTS_WITHOUT_SPACES}]*)*"
_TOKEN = re.compile(rf"[{_SCRIPTS_WITHOUT_SPACES}]+|{_LETTERS}(?:['’]{_LETTERS})*")
_UNSPACED = re.compile(rf"[{_SCRIPTS_WITHOUT_SPACES}]")


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
