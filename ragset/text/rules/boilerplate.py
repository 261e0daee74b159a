"""What marks text that is not content: patterns made of the tables of all languages."""

import re

from ragset.text.rules import LANGUAGES
from ragset.text.rules.tables import either, table, words_of_all

_PAGES = [table(language).pages for language in LANGUAGES]

LINK = re.compile(
    r"!?\[(?P<text>[^\[\]\n]{0,300})\]\([ \t]*(?:https?://|www\.|/|#|mailto:)[^\s()]{0,500}\)"
    r"|<?https?://[^\s<>()\[\]]+>?|(?<![\w@.])www\.[^\s<>()\[\]]+",
    re.IGNORECASE,
)
"""An address, or a link in Markdown with its text."""
ANCHOR = re.compile(r"(?:[-*+]|\d+[.)])?\s*\[[^\[\]]+\]\(#[^()]*\)")
"""A whole line that is a link into its own page."""

CONTENTS_HEADING = re.compile(rf"#*\s*(?:{either(page.contents for page in _PAGES)})\s*:?\s*", re.IGNORECASE)
CONTENTS_ENTRY = re.compile(r"(?<!\.)(?<!\.[ \t])(?<!…)(?:(?:\.[ \t]?){3,}+|…++)[ \t]*+(\d{1,4})\b")
"""Leader dots and a page number."""
NUMBERED_ENTRY = re.compile(
    rf"(?P<number>(?:{either(page.divisions for page in _PAGES)})"
    r" (?:\d{1,3}|[IVXL]{1,6}|[A-H])|\d{1,2}(?:\.\d{1,2}){0,3})[.:)]?\s++[^\s\d|][^\n|]*?\s(?P<page>\d{1,4})",
    re.IGNORECASE,
)
"""A whole line: a section number, a title, a page number."""

REFERENCES_HEADING = re.compile(
    rf"#*\s*(?:\d+\.?\s+)?(?:{either(page.references for page in _PAGES)})\s*:?\s*", re.IGNORECASE
)
CITATION_MARKS = {
    "year": re.compile(r"(?<![\d.,€$£-])(?:1[6-9]|20)\d\d[a-f]?(?![\d%])"),
    "initial": re.compile(
        r"(?<![^\W\d_])[^\W\d_]{2,}+, (?:[A-ZÀ-Þ]\.[ -]?){1,3}|(?<![\w.])(?:[A-ZÀ-Þ]\. ?){1,3}[A-ZÀ-Þ][^\W\d_]{2,}(?=[,;&.])"
    ),
    "pages": re.compile(r"\b(?:pp?|S)\. ?\d+|(?<![\d-])\d{1,4}[–-]\d{1,4}(?![\d-])"),
    "volume": re.compile(r"\b(?:vol|no|nr|núm|bd|jg|t)\. ?\d+|\bn[º°] ?\d+|\b\d{1,4} ?\(\d{1,3}\)", re.IGNORECASE),
    "identifier": re.compile(r"\bdoi\b|\barxiv\b|\bisbn\b|\bissn\b|\bpmid\b|\b10\.\d{4,9}/", re.IGNORECASE),
    "link": LINK,
    "retrieved": re.compile(rf"\b(?:{either(page.consulted for page in _PAGES)})\b", re.IGNORECASE),
    "publisher": re.compile(
        r"\b(?:et al|u\. ?a|y otros|in press|im Druck|en prensa|sous presse|ibid|ebd|ibíd|eds?|hrsg|dir|Press|Journal|Proceedings|Proc|Verlag|Zeitschrift|Diss|Editorial|Revista|Tesis|Éditions|Revue|Thèse|Publishers?|Springer"
        r"|Elsevier|Wiley|Routledge|Transactions|Trans|Conference|Dissertation|Thesis)\b(?=[.,:;) ])"
    ),
    "number": re.compile(r"^\s*(?:\[\d{1,3}\]|\^|\d{1,3}\.\s(?=[^\W\d_]{2,}, [A-ZÀ-Þ]\.))", re.MULTILINE),
}
"""What a reference is made of; prose has some of these, thinly."""

STOCK_PHRASE = re.compile(
    rf"\b(?:{either(one for page in _PAGES for one in page.stock)})\b|©|\(c\) (?:19|20)\d\d", re.IGNORECASE
)
"""What pages, imprints and licences say of themselves."""
MENU_WORD = re.compile(rf"\b(?:{either(one for page in _PAGES for one in page.menu)})\b", re.IGNORECASE)
"""What menus and imprints consist of, and prose contains as well."""

FUNCTION_WORDS = words_of_all("function")
"""The small words that prose is held together by, and lists are not."""
