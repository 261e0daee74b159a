"""How questions are asked in English, Spanish, German and French: the words that begin one, and patterns of them."""

import re
from functools import cache

from ragset.text.rules.tables import table


class Rules:
    """The patterns of [question] in the table of a language, compiled."""

    def __init__(self, language: str) -> None:
        g = table(language).question
        edge = r"(?P<mark>[,;:.!?)]|\s[–—-]+)?"
        starts = rf"(?:{edge}\s+(?P<join>(?:{g['joins']})\s+)|[,;.?]\s+|\s[–—-]+\s)"
        leads, polite = g["leads"], g["polite"]
        self.asks = _pattern(rf"(?<![\w'-])(?:{g['asks']})(?![\w-])")
        self.before = _pattern(
            rf"(?:^|(?:{edge}\s+|\()(?P<join>(?:{g['joins']}),?\s+)?)(?P<leads>(?:(?:{leads})(?:\s+|(?<=')|(?<=¿))){{0,3}})$"
        )
        self.direct = _pattern(g["direct"])
        self.relative = _pattern(rf"(?:{g['relative']})\b")
        self.dependent = _pattern(rf"(?:{g['dependent']})\b")
        self.adverbial = _pattern(rf"(?:{g['adverbial']})\b")
        self.after_verb = _pattern(rf"\b(?:{g['after_verb']})$")
        self.fill = _pattern(rf"(?:{g['fill']}|{leads}|{g['asks']})")
        self.tail = _pattern(rf"\W*(?:(?:{g['tail']})\b\W*)?$")
        self.polar = _pattern(rf"{starts}(?:(?:{leads})\s+){{0,2}}(?:{g['polar']})")
        self.opens_polar = _pattern(g["opens_polar"])
        self.subordinate = _pattern(rf"(?:{g['subordinate']})\b")
        self.opens_order = _pattern(rf"(?:(?:{polite})\s+)*+(?:{g['orders']})\s*(?:(?:{polite})\b\s*)*+,?\s*")
        self.order = _pattern(rf"{starts}(?:(?:{leads}|{polite})\s+){{0,2}}(?:{g['orders']})")
        self.verb = _pattern(rf"\b(?:{g['verb']})\b" if g["verb"] else "")


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


rules_of = cache(Rules)
