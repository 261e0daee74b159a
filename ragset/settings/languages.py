"""Languages as people name them, in parameters and in notices: by code or by name."""

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator, Field

from ragset.errors import InputError

_WIDESPREAD = "ar cs da de el es fi fr he hi hu it ja ko nl no pl pt ro ru sv th tr uk vi zh"
_CODE = re.compile(r"[a-z]{2}")
_WITH_COUNTRY = re.compile(r"([a-z]{2})[-_][a-z]{2,4}")


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    from babel import Locale  # imported here, since it takes a quarter of a second

    return {code: name for code, name in Locale("en").languages.items() if _CODE.fullmatch(code)}


def _own_names() -> dict[str, str]:
    """Codes of widespread languages by the name of each in itself, in lower case; to load all languages takes seconds."""
    from babel import Locale

    return {str(Locale.parse(code).languages.get(code, "")).lower(): code for code in _WIDESPREAD.split()}


def is_language(code: str) -> bool:
    """Whether `code` is the ISO 639-1 code of a language."""
    return code in _names()


def language_name(code: str) -> str:
    """The English name of a language; a description with the code for an unknown one."""
    return _names().get(code, f"the language with ISO 639-1 code {code}")


def language_code(said: str) -> str:
    """The ISO 639-1 code of a language named by its code (`de`, `pt-BR`), or by its name in English or in itself.

    Any two letters are a code; an empty text stays empty.

    Raises:
        InputError: no language has that name; the message proposes the nearest one.
    """
    text = said.strip().lower()
    if not text or _CODE.fullmatch(text):
        return text
    if country := _WITH_COUNTRY.fullmatch(text):
        return country[1]
    codes = {name.lower(): code for code, name in _names().items()}
    if code := codes.get(text) or _own_names().get(text):
        return code
    close = get_close_matches(text, codes, n=1, cutoff=0.7)
    meant = f"; did you mean {_names()[codes[close[0]]]}?" if close else ""
    raise InputError(f"there is no language {said!r}; write a name or two letters, such as German or de{meant}")


def _valid(said: str) -> str:
    try:
        return language_code(said)
    except InputError as error:
        raise ValueError(str(error)) from None


Language = Annotated[str, AfterValidator(_valid), Field(max_length=40)]
"""A language, which is kept as its code; empty: to be detected, or another's."""
