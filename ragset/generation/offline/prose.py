"""A sentence on one line: as an answer, and as the patterns read it."""

import re

from ragset.generation.offline.text import tidy

_BRACKETS = re.compile(r"\s*(?:\([^()]{0,200}\)|\[[^\[\]]{0,60}\])")
_MARKUP = re.compile(r"^(?:[-*+•>]\s+|\d{1,2}[.)]\s+)|\*\*|__|`")
_NOTE = re.compile(r"\[(?:\d{1,3}|[a-z]|citation needed|not in citation given|update)\]")
_CONNECTIVE = re.compile(
    r"(?:However|Moreover|Furthermore|Therefore|Thus|Hence|Consequently|Nevertheless|Nonetheless|Meanwhile|Additionally"
    r"|Similarly|Likewise|Also|In addition|In fact|For example|For instance|In particular|As a result|In general|Generally"
    r"|In practice|Of course|Indeed|Finally|Eventually|Ultimately|Today|On the other hand|By contrast|In contrast"
    r"|Historically|Traditionally|Typically|Usually|Normally|Originally|Initially|Interestingly|Notably|Officially)\s?, "
)


def spoken(sentence: str) -> str:
    """`sentence` as an answer: on one line, without an opening "However," and the spaces of tokenised text."""
    text = _NOTE.sub("", _MARKUP.sub("", tidy(sentence)))
    return without_connective(_joined(text))


def plain(sentence: str) -> str:
    """`sentence` on one line, without brackets, list marks and the spaces of tokenised text."""
    text = _BRACKETS.sub("", _MARKUP.sub("", tidy(sentence)))
    return _joined(text)


def without_connective(text: str) -> str:
    """`However, it ran` → `It ran`."""
    found = _CONNECTIVE.match(text)
    return capital(text[found.end() :]) if found else text


def capital(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]


def _joined(text: str) -> str:
    """Corpora made of tokens have spaces before punctuation and `@-@` for a hyphen."""
    text = re.sub(r" @(.)@ ", r"\1", text)
    return tidy(re.sub(r" (['’]s\b|[,.;:?!%])", r"\1", text))
