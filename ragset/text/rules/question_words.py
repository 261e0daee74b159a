"""How questions are asked in English, Spanish, German and French: the words that begin one, and patterns of them."""

import re
from functools import lru_cache
from typing import NamedTuple

from ragset.text.rules.tables import pattern as plain
from ragset.text.rules.tables import table


class Rules(NamedTuple):
    """The patterns of `tables.Question` made ready."""

    asks: re.Pattern[str]
    before: re.Pattern[str]
    direct: re.Pattern[str]
    relative: re.Pattern[str]
    dependent: re.Pattern[str]
    adverbial: re.Pattern[str]
    after_verb: re.Pattern[str]
    fill: re.Pattern[str]
    tail: re.Pattern[str]
    polar: re.Pattern[str]
    opens_polar: re.Pattern[str]
    subordinate: re.Pattern[str]
    opens_order: re.Pattern[str]
    order: re.Pattern[str]
    free_order: re.Pattern[str]
    pairs: re.Pattern[str]
    named: re.Pattern[str]
    verb: re.Pattern[str]
    alternative: re.Pattern[str]


@lru_cache
def rules(language: str) -> Rules:
    """Of one of the languages with a table."""
    g = table(language).question
    edge = r"(?P<mark>[,;:.!?)]|\s[–—-]+)?"
    joint = rf"{edge}\s+(?P<join>(?:{g.joins})\s+)"
    return Rules(
        asks=plain(rf"(?<![\w'-])(?:{g.asks})(?![\w-])"),
        before=plain(
            rf"(?:^|(?:{edge}\s+|\()(?P<join>(?:{g.joins}),?\s+)?)(?P<leads>(?:(?:{g.leads})(?:\s+|(?<=')|(?<=¿))){{0,3}})$"
        ),
        direct=plain(g.direct),
        relative=plain(rf"(?:{g.relative})\b"),
        dependent=plain(rf"(?:{g.dependent})\b"),
        adverbial=plain(rf"(?:{g.adverbial})\b"),
        after_verb=plain(rf"\b(?:{g.after_verb})$"),
        fill=plain(rf"(?:{g.fill}|{g.leads}|{g.asks})"),
        tail=plain(rf"\W*(?:(?:{g.tail})\b\W*)?$"),
        polar=plain(rf"(?:{joint}|[,;.?]\s+|\s[–—-]+\s)(?:(?:{g.leads})\s+){{0,2}}(?:{g.polar})"),
        opens_polar=plain(g.opens_polar),
        subordinate=plain(rf"(?:{g.subordinate})\b"),
        opens_order=plain(rf"(?:(?:{g.polite})\s+)*+(?:{g.orders})\s*(?:(?:{g.polite})\b\s*)*+,?\s*"),
        order=plain(rf"(?:{joint}|[,;.?]\s+|\s[–—-]+\s)(?:(?:{g.leads}|{g.polite})\s+){{0,2}}(?:{g.orders})"),
        free_order=plain(rf"(?:{joint}|,\s+)(?:(?:{g.leads})\s+){{0,2}}(?:{g.free_orders})"),
        pairs=plain(rf"\b(?:{g.pairs})\b"),
        named=plain(g.named),
        verb=plain(rf"\b(?:{g.verb})\b" if g.verb else ""),
        alternative=plain(rf"\W*(?:{g.alternative})\b"),
    )
