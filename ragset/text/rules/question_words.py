"""How questions are asked in English, Spanish, German and French: the words that begin one, and patterns of them."""

from functools import lru_cache

from ragset.text.rules.tables import Question, table
from ragset.text.rules.tables import pattern as plain


class Rules:
    """The patterns of `tables.Question`, made ready."""

    def __init__(self, g: Question) -> None:
        edge = r"(?P<mark>[,;:.!?)]|\s[–—-]+)?"
        joint = rf"{edge}\s+(?P<join>(?:{g.joins})\s+)"
        self.asks = plain(rf"(?<![\w'-])(?:{g.asks})(?![\w-])")
        self.before = plain(
            rf"(?:^|(?:{edge}\s+|\()(?P<join>(?:{g.joins}),?\s+)?)(?P<leads>(?:(?:{g.leads})(?:\s+|(?<=')|(?<=¿))){{0,3}})$"
        )
        self.direct = plain(g.direct)
        self.relative = plain(rf"(?:{g.relative})\b")
        self.dependent = plain(rf"(?:{g.dependent})\b")
        self.adverbial = plain(rf"(?:{g.adverbial})\b")
        self.after_verb = plain(rf"\b(?:{g.after_verb})$")
        self.fill = plain(rf"(?:{g.fill}|{g.leads}|{g.asks})")
        self.tail = plain(rf"\W*(?:(?:{g.tail})\b\W*)?$")
        self.polar = plain(rf"(?:{joint}|[,;.?]\s+|\s[–—-]+\s)(?:(?:{g.leads})\s+){{0,2}}(?:{g.polar})")
        self.opens_polar = plain(g.opens_polar)
        self.subordinate = plain(rf"(?:{g.subordinate})\b")
        self.opens_order = plain(rf"(?:(?:{g.polite})\s+)*+(?:{g.orders})\s*(?:(?:{g.polite})\b\s*)*+,?\s*")
        self.order = plain(rf"(?:{joint}|[,;.?]\s+|\s[–—-]+\s)(?:(?:{g.leads}|{g.polite})\s+){{0,2}}(?:{g.orders})")
        self.free_order = plain(rf"(?:{joint}|,\s+)(?:(?:{g.leads})\s+){{0,2}}(?:{g.free_orders})")
        self.pairs = plain(rf"\b(?:{g.pairs})\b")
        self.named = plain(g.named)
        self.verb = plain(rf"\b(?:{g.verb})\b" if g.verb else "")
        self.alternative = plain(rf"\W*(?:{g.alternative})\b")


@lru_cache
def rules(language: str) -> Rules:
    """Of one of the languages with a table."""
    return Rules(table(language).question)
