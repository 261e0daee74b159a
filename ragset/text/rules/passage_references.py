"""Does a query lean on a text that its reader does not see, or on a thing that it does not name? Its own tables and code do not count."""

import logging
import re
import unicodedata
from functools import lru_cache

from ragset.text.rules import LANGUAGES
from ragset.text.rules.tables import FUNCTION_WORDS, table

_BLOCK = re.compile(
    r"""
      ^[ ]{0,3}(?P<fence>```|~~~).*?(?:^[ ]{0,3}(?P=fence)[ ]*$|\Z)          # fenced code
    | (?:^[ ]{0,3}\|[^\n]*(?:\n|\Z)){2,}                                    # a table, of two rows or more
    | (?:^[^\n|]+\|[^\n]*\n)[ ]*:?-{2,}:?[ ]*\|[ :|-]*(?:\n[^\n|]+\|[^\n]*)*   # a table without outer bars
    | \$\$.+?\$\$ | \\\[.+?\\\] | \\begin\{(?P<named>\w+\*?)\}.+?\\end\{(?P=named)\}   # a formula
    | (?:(?<=\n\n)|\A)(?:(?:[ ]{4}|\t)[^\n]+(?:\n|\Z))+                     # indented code
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
# How a query speaks of its own block.
_NAMED = re.compile(
    r"""\b(?:
      (?:the|this|these|that) (?:[ ](?:given|following|above|preceding|short|small))?
        [ ](?P<en>(?:code|table|data|formula|equation|function|script|program|snippet|query|listing|rows?|columns?)
          (?:[ ](?:snippet|sample|block|fragment|row|column))?) \b (?![ ]of\b)
        (?:[ ](?:above|below|here))?
    | (?:el|la|este|esta|estos|estas|los|las) (?:[ ]siguientes?)?
        [ ](?P<es>tabla|código|datos|fórmula|ecuación|función) \b (?:[ ](?:siguientes?|anterior|de[ ](?:abajo|arriba)))?
    | (?:der|die|das|den|dem|diese[rsmn]?) (?:[ ](?:folgende|obige)[nrsm]?)?
        [ ](?P<de>Tabelle|Code|Daten|Formel|Gleichung|Funktion) \b (?:[ ](?:unten|oben))?
    | (?:le|la|les|ce|cet|cette|ces) [ ](?P<fr>tableau|code|données|formule|équation|fonction) \b
        (?:[ ](?:suivant(?:e|es|s)?|ci-dessous|ci-dessus|précédente?))?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_BACK = re.compile(r"\b(?:above|preceding|anterior|arriba|obige\w?|oben|ci-dessus|précédente?)\b", re.IGNORECASE)
_ON = re.compile(r"\b(?:below|following|siguientes?|abajo|folgende\w?|unten|suivant\w*|ci-dessous)\b", re.IGNORECASE)


def plain_prose(query: str) -> str:
    """The prose of a query, in NFC, on one line, cut off at 2,000 characters: no query is longer on purpose."""
    return " ".join(unicodedata.normalize("NFC", prose(query)[:2_000]).split())


def prose(query: str) -> str:
    """The query without its tables, code and formulas, and without words that point at one of them: "in this table:".

    "The table above" stays where no block comes before it, because it leans on something unseen.
    """
    blocks = [found.span() for found in _BLOCK.finditer(query)]
    if not blocks:
        return query

    def bare(found: re.Match[str]) -> str:
        if any(start < found.end() and found.start() < end for start, end in blocks):
            return found[0]
        unseen_above = _BACK.search(found[0]) and blocks[0][0] > found.start()
        unseen_below = _ON.search(found[0]) and blocks[-1][0] < found.start()
        return found[0] if unseen_above or unseen_below else next(name for name in found.groups() if name)

    return _BLOCK.sub("\n\n", _NAMED.sub(bare, query)).strip()


logger = logging.getLogger(__name__)

_ASKING = frozenset[str]().union(*(table(language).words.questions for language in LANGUAGES))
_WORD = re.compile(r"[^\W\d_][\w'’]*")


def leans(query: str, language: str = "en") -> str | None:
    """The phrase in `language` or English with which `query` leans on an unseen text ("in the passage"), or None."""
    if language not in LANGUAGES:
        _say_unknown(language)
        return None
    text = plain_prose(query).strip(" \"'“”«»")
    for known in dict.fromkeys((language, "en")):
        for wording in _wordings(known):
            if found := wording.search(text):
                return (found.groupdict().get("shown") or found[0]).strip()
    return None


def unnamed(query: str, language: str = "en") -> str | None:
    """The pronoun that comes before anything it could stand for ("In what year did it open?"), or None.

    After a word of content any pronoun passes ("What happens to water when it freezes?"), as does everything in a
    language without a table.
    """
    if language not in LANGUAGES:
        return None
    told = table(language)
    text = prose(query)
    # "How long does it take to …": such a pronoun stands for nothing.
    empty = re.compile(told.leaning.nothing or "(?!)", re.IGNORECASE)
    nothing = {place for found in empty.finditer(text) for place in range(*found.span())}
    for found in _WORD.finditer(text):
        word = found[0].casefold()
        if word in told.words.pronouns and found.start() not in nothing:
            return found[0]
        # In German the verb stands before its subject, and nouns have a capital.
        noun = language != "de" or (found[0][0].isupper() and found.start() > 0)
        if noun and word not in FUNCTION_WORDS and word not in _ASKING and len(word) > 2:
            return None
    return None


@lru_cache
def _wordings(language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in table(language).leaning.patterns)


@lru_cache(maxsize=64)
def _say_unknown(language: str) -> None:
    logger.warning("no rules for queries in %s: they are not checked for leaning on the passage", language)
