"""Sentences with exact offsets, words, and the light stemming that overlaps are counted with."""

import re
from typing import NamedTuple

_ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof rev hon st mt ft sr jr gen col lt capt sgt adm gov sen rep pres messrs
    vs etc al ca cf approx no nos vol vols pp ed eds fig figs sec ch art eq jan feb mar apr jun jul aug sep sept
    oct nov dec e.g i.e a.m p.m b.c a.d u.s u.k u.n inc ltd co corp bros dept univ lit c r
    sra srta sres dra dña avda excmo ud uds núm pág p.ej ej bzw ca z.b d.h usw nr bd hrsg dr.-ing mio mrd vgl sog inkl evtl mme mlle mgr av""".split()  # noqa: SIM905 (read as text)
)
_END = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?:\*\*|__)?(?=(?:\[[\w ]{1,20}\])*(?:\s|$))|\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*+•|>#]|\d{1,2}[.)])[ \t])|(?<=\n)(?=#)"
)
_AFTER_ORDINAL = re.compile(
    r"(?:Januar|Jänner|Februar|März|April|Mai|Juni?|Juli?|August|September|Oktober|November|Dezember|Jan\.|Feb\.|Mär\.|Apr\.|Aug\."
    r"|Sept?\.|Okt\.|Nov\.|Dez\.|Jahrhunderts?|Jahrtausends?|Jahrestage?s?|Jh\.|Jhs?\b)(?!\w)"
)
"""What German writes after "1."."""
_BEFORE_ORDINAL = re.compile(r"\b(?:[Ii]m|[Aa]m|[Dd]em|[Dd]es|[Zz]um|[Zz]ur|[Vv]om|[Bb]eim|[Dd]er|[Dd]as) \d{1,2}$")
"""What it writes before one."""
_DOUBLED = re.compile(r"([A-Z])\1")
"""Spanish doubles the letters of a plural: EE. UU., JJ. OO."""
_BEFORE = re.compile(r"(?:^|[\s(\[\"“])([^\s(\[\"“]{1,12})$")
_REFERENCE = re.compile(r"(?:\[[\w ]{1,20}\])+")
_LIST_MARK = re.compile(r"\s*(?:(?:[-*+•>]|\d{1,2}[.)])\s+)?")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_TOKENISED = re.compile(r" @(.)@ ")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


NAME_TITLES = frozenset(
    [
        "Mr",
        "Mrs",
        "Ms",
        "Dr",
        "Prof",
        "Professor",
        "President",
        "King",
        "Queen",
        "Sir",
        "Lord",
        "Lady",
        "Emperor",
        "Pope",
        "Saint",
        "St",
    ]
)
"""What stands before a name without being part of it."""


class Sentence(NamedTuple):
    """`text == chunk[start:end]`, stripped of white space at either end."""

    start: int
    end: int
    text: str


def sentences(text: str) -> list[Sentence]:
    """The sentences, headings, list items and table rows of `text`, in order, with exact offsets."""
    found: list[Sentence] = []
    start = 0
    for mark in _END.finditer(text):
        if mark[0][:1] in ".!?…" and mark[0] and not _ends(text, mark):
            continue
        end = mark.end() if mark[0].strip() else mark.start()
        _keep(found, text, start, end)
        reference = _REFERENCE.match(text, mark.end())
        start = reference.end() if reference else mark.end()
    _keep(found, text, start, len(text))
    return found


def _keep(found: list[Sentence], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    mark = _LIST_MARK.match(piece)
    begin = mark.end() if mark else 0
    shown = piece[begin:].strip()
    if shown:
        start += begin
        found.append(Sentence(start, start + len(shown), shown))


def _ends(text: str, mark: re.Match[str]) -> bool:
    """Whether the full stop ends a sentence, and not an abbreviation, an initial or an ordinal."""
    after = text[mark.end() : mark.end() + 40].lstrip()
    if not after:
        return True
    if after[0].islower() or after[0] in ",;:":
        return False
    if mark[0][0] != ".":
        return True
    before = _BEFORE.search(text[max(0, mark.start() - 13) : mark.start()])
    if before is None:
        return True
    word = before[1]
    if len(word) == 1 and word.isupper() and word != "I":
        return False
    if word.lower() in _ABBREVIATIONS or re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word):
        return False
    if _DOUBLED.fullmatch(word) and re.match(r"([A-Z])\1\.", after):
        return False
    if word in {"a", "d"} and after.startswith("C."):
        return False
    if (
        re.fullmatch(r"\d{1,2}", word)
        and mark[0] == "."
        and (_AFTER_ORDINAL.match(after) or _BEFORE_ORDINAL.search(text[max(0, mark.start() - 12) : mark.start()]))
    ):
        return False
    return not (word.isdigit() and len(word) <= 2 and mark[0] == "." and text[: mark.start()].endswith("\n" + word))


def tidy(text: str) -> str:
    """On one line, with single spaces."""
    return " ".join(text.split())


def words(text: str) -> list[str]:
    """In lower case, with inner apostrophes, hyphens and points."""
    return [word.lower() for word in _WORD.findall(_TOKENISED.sub(r"\1", text))]


def numbers(text: str) -> list[str]:
    """As written."""
    return _NUMBER.findall(text)


def stem(word: str) -> str:
    """Without the commonest English endings; other languages lose little by it."""
    word = word.removesuffix("'s").removesuffix("’s")
    for ending, least in (("ies", 3), ("ied", 3), ("ing", 4), ("ed", 3), ("es", 3), ("s", 3), ("e", 3), ("y", 3)):
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    return word
