"""Chunks that are plainly not content: reference lists, link farms, contents, boilerplate, bare numbers.

Precision comes first: what these rules refuse is final, and a model judges what they let pass.
"""

import re
from itertools import pairwise

from ragset.text.rules import LANGUAGES
from ragset.text.rules.tables import FUNCTION_WORDS, table

# A code (`references`, `links`, `contents`, `boilerplate`, `mostly_symbols`) and what was seen.
Finding = tuple[str, str]


def _any(name: str) -> str:
    found = [getattr(table(language).pages, name) for language in LANGUAGES]
    return "|".join(one for page in found for one in ([page] if isinstance(page, str) else page))


# An address, or a link in Markdown with its text.
_LINK = re.compile(
    r"!?\[(?P<text>[^\[\]\n]{0,300})\]\([ \t]*(?:https?://|www\.|/|#|mailto:)[^\s()]{0,500}\)"
    r"|<?https?://[^\s<>()\[\]]+>?|(?<![\w@.])www\.[^\s<>()\[\]]+",
    re.IGNORECASE,
)
# A whole line that is a link into its own page.
_ANCHOR = re.compile(r"(?:[-*+]|\d+[.)])?\s*\[[^\[\]]+\]\(#[^()]*\)")

_CONTENTS_HEADING = re.compile(rf"#*\s*(?:{_any('contents')})\s*:?\s*", re.IGNORECASE)
# Leader dots and a page number.
_CONTENTS_ENTRY = re.compile(r"(?<!\.)(?<!\.[ \t])(?<!…)(?:(?:\.[ \t]?){3,}+|…++)[ \t]*+(\d{1,4})\b")
_ENTRY_WORDS = 20  # of the text for each entry; more is an abstract with contents below it
# A whole line: a section number, a title, a page number.
_NUMBERED_ENTRY = re.compile(
    rf"(?P<number>(?:{_any('divisions')})"
    r" (?:\d{1,3}|[IVXL]{1,6}|[A-H])|\d{1,2}(?:\.\d{1,2}){0,3})[.:)]?\s++[^\s\d|][^\n|]*?\s(?P<page>\d{1,4})",
    re.IGNORECASE,
)

_REFERENCES_HEADING = re.compile(rf"#*\s*(?:\d+\.?\s+)?(?:{_any('references')})\s*:?\s*", re.IGNORECASE)
# What a reference is made of; prose has some of these, thinly.
_CITATION_MARKS = {
    "year": re.compile(r"(?<![\d.,€$£-])(?:1[6-9]|20)\d\d[a-f]?(?![\d%])"),
    "initial": re.compile(
        r"(?<![^\W\d_])[^\W\d_]{2,}+, (?:[A-ZÀ-Þ]\.[ -]?){1,3}|(?<![\w.])(?:[A-ZÀ-Þ]\. ?){1,3}[A-ZÀ-Þ][^\W\d_]{2,}(?=[,;&.])"
    ),
    "pages": re.compile(r"\b(?:pp?|S)\. ?\d+|(?<![\d-])\d{1,4}[–-]\d{1,4}(?![\d-])"),
    "volume": re.compile(r"\b(?:vol|no|nr|núm|bd|jg|t)\. ?\d+|\bn[º°] ?\d+|\b\d{1,4} ?\(\d{1,3}\)", re.IGNORECASE),
    "identifier": re.compile(r"\bdoi\b|\barxiv\b|\bisbn\b|\bissn\b|\bpmid\b|\b10\.\d{4,9}/", re.IGNORECASE),
    "link": _LINK,
    "retrieved": re.compile(rf"\b(?:{_any('consulted')})\b", re.IGNORECASE),
    "publisher": re.compile(
        r"\b(?:et al|u\. ?a|y otros|in press|im Druck|en prensa|sous presse|ibid|ebd|ibíd|eds?|hrsg|dir|Press|Journal|Proceedings|Proc|Verlag|Zeitschrift|Diss|Editorial|Revista|Tesis|Éditions|Revue|Thèse|Publishers?|Springer"
        r"|Elsevier|Wiley|Routledge|Transactions|Trans|Conference|Dissertation|Thesis)\b(?=[.,:;) ])"
    ),
    "number": re.compile(r"^\s*(?:\[\d{1,3}\]|\^|\d{1,3}\.\s(?=[^\W\d_]{2,}, [A-ZÀ-Þ]\.))", re.MULTILINE),
}

# What pages, imprints and licences say of themselves, and what menus and imprints consist of.
_STOCK_PHRASE = re.compile(rf"\b(?:{_any('stock')})\b|©|\(c\) (?:19|20)\d\d", re.IGNORECASE)
_MENU_WORD = re.compile(rf"\b(?:{_any('menu')})\b", re.IGNORECASE)

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SEGMENT = re.compile(r"(?<=[.!?])\s+|\n+|\s[|•·]\s")


def metadata_reason(text: str) -> Finding | None:
    """Why `text` is not worth asking about; None if nothing speaks against it."""
    rules = (_contents, _links, _references, _boilerplate, _mostly_symbols)
    return next((finding for rule in rules if (finding := rule(text))), None)


def _mostly_symbols(text: str) -> Finding | None:
    """Numbers and punctuation; a table whose headings have words is not that."""
    shown = len("".join(text.split()))
    letters = sum(map(str.isalpha, text))
    # Scripts without spaces between words have few "words" and many letters.
    if not shown or letters >= 0.2 * shown:
        return None
    words = {word.lower() for word in _WORD.findall(text) if len(word) > 2}
    return ("mostly_symbols", f"{letters} letters among {shown} characters") if len(words) < 4 else None


def _contents(text: str) -> Finding | None:
    """Entries that end in page numbers which never go down, or a list of anchors in the page itself."""
    lines = _lines(text)
    headed = bool(lines) and bool(_CONTENTS_HEADING.fullmatch(lines[0]))
    led = [int(page) for page in _CONTENTS_ENTRY.findall(text)]
    entries_only = len(_words(text)) <= _ENTRY_WORDS * len(led) and _share_of_function_words(text) < 0.3
    if len(led) >= (2 if headed else 3) and _ascending(led) and entries_only:
        return "contents", f"{len(led)} entries with page numbers"
    body = lines[1:] if headed else lines
    numbered = [match for line in body if (match := _NUMBERED_ENTRY.fullmatch(line))]
    pages = [int(match["page"]) for match in numbered]
    if len(pages) >= (3 if headed else 4) and len(pages) >= 0.7 * len(body) and _ascending(pages):
        sectioned = any("." in match["number"].rstrip(".") or match["number"][0].isalpha() for match in numbered)
        if headed or sectioned:
            return "contents", f"{len(pages)} numbered entries with page numbers"
    anchors = [line for line in body if _ANCHOR.fullmatch(line)]
    if len(anchors) >= 3 and len(anchors) >= 0.7 * len(body):
        return "contents", f"{len(anchors)} links into the page itself"
    return None


def _links(text: str) -> Finding | None:
    """Most of the text is addresses; prose full of links is prose."""
    links = list(_LINK.finditer(text))
    if len(links) < 3 or (len(_words(text)) > 8 and _share_of_function_words(text) >= 0.25):
        return None
    shown = sum(not character.isspace() for character in text)
    linked = sum(len("".join(link[0].split())) for link in links)
    if linked >= 0.6 * shown:
        return "links", f"{len(links)} links, {100 * linked // shown} % of the text"
    return None


def _references(text: str) -> Finding | None:
    """Years, initials, page ranges, DOIs, publishers: close together, of several kinds, few small words."""
    lines = _lines(text)
    headed = bool(lines) and bool(_REFERENCES_HEADING.fullmatch(lines[0]))
    words = _WORD.findall(text)
    # Without blank lines, which a mark at the start of a line would be looked for across again and again.
    body = "\n".join(lines)
    counts = {kind: len(pattern.findall(body)) for kind, pattern in _CITATION_MARKS.items()}
    kinds = {kind for kind, count in counts.items() if count}
    marks = sum(counts.values())
    # A timeline has years and ranges too.
    if not words or not kinds - {"year", "pages"}:
        return None
    if len(kinds) < (2 if headed else 3) or marks < (3 if headed else 6):
        return None
    density = marks / len(words)
    if density >= (0.1 if headed else 0.22) and _share_of_function_words(text) < 0.28:
        return "references", f"{marks} marks of citations in {len(words)} words"
    return None


def _boilerplate(text: str) -> Finding | None:
    """Most of the text is in sentences or lines of stock phrases, or it is a menu."""
    stock, menu = set[str](), set[str]()
    in_stock = in_either = whole = 0
    for segment in _SEGMENT.split(text):
        phrases = {match.lower() for match in _STOCK_PHRASE.findall(segment)}
        words = {match.lower() for match in _MENU_WORD.findall(segment)}
        stock |= phrases
        menu |= words
        whole += len(segment)
        in_stock += len(segment) if phrases else 0
        in_either += len(segment) if phrases or words else 0
    seen = "; ".join(sorted(stock)[:3] + sorted(menu)[:3])
    if len(stock) >= 2 and in_stock >= 0.6 * whole:
        return "boilerplate", seen
    # Prose about copyright or cookies names such things too, but in sentences.
    if len(stock) + len(menu) >= (3 if stock else 5) and in_either >= 0.6 * whole:
        names = len(stock) + len(_MENU_WORD.findall(text))
        if _share_of_function_words(text) < 0.2 and names >= 0.2 * len(_WORD.findall(text)):
            return "boilerplate", seen
    return None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _ascending(pages: list[int]) -> bool:
    return all(earlier <= later for earlier, later in pairwise(pages)) and pages[-1] > pages[0]


def _words(text: str) -> list[str]:
    """In lower case; of a link its text alone."""
    return _WORD.findall(_LINK.sub(lambda link: link["text"] or " ", text).lower())


def _share_of_function_words(text: str) -> float:
    words = _words(text)
    return sum(word in FUNCTION_WORDS for word in words) / len(words) if words else 0.0
