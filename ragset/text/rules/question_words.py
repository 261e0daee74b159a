"""How questions are asked in English, Spanish, German and French: the words that begin one, and patterns of them."""

import re
from typing import NamedTuple


class Grammar(NamedTuple):
    """How a language asks: patterns, to be matched without regard to case."""

    asks: str
    """Words of question."""
    joins: str
    """What connects one clause to the next."""
    leads: str
    """What may stand before a word of question, such as a preposition."""
    direct: str
    """A question word and what follows when the clause cannot be a subordinate one: inversion, in most languages."""
    relative: str
    """Words of question that open relative clauses too."""
    dependent: str
    """Words of question that open a subordinate clause after a comma."""
    adverbial: str
    """Words of question that open adverbial clauses too ("when it rains")."""
    after_verb: str
    """What precedes a word of question that is asked, though within another sentence."""
    fill: str
    """Words that make no clause out of a word of question."""
    tail: str
    """What may follow a word of question that stands for a whole question: "and when exactly?"."""
    polar: str
    """The opening of a question without a word of question."""
    opens_polar: str
    """The same at the beginning of a query, where less is needed."""
    subordinate: str
    """The opening of a clause that precedes what it belongs to."""
    orders: str
    """Demands that stand for a question."""
    free_orders: str
    """Demands that are not anything else, even after a question."""
    polite: str
    """What may stand before a demand and between it and its question."""
    pairs: str
    """Words that take two things together."""
    verb: str
    """What every question has that opens with a preposition; nothing if that is not known."""
    alternative: str
    """What opens the other side of an either-or."""
    named: str
    """Clauses that are names of things ("what Keynes called animal spirits")."""


_EN_AUX = r"(?:is|are|was|were|do|does|did|can|could|will|would|shall|should|may|might|must|has|have|had)(?:n['’]t)?"
_EN_SUBJECT = r"(?:it|they|he|she|there|you|we|i|one|this|that|these|those|the|an?|its|their|his|her|any|all|some|each)"
_EN_THING = r"(?:what|which|whose|how (?:much|many|long|often|far|old|big|large|\w+ly|\w+))"

GRAMMARS = {
    "en": Grammar(
        asks=r"what|who|whom|whose|which|when|where|why|how|whether",
        joins=r"and|or|but|yet|plus|&|as well as|along with|together with",
        leads=r"in|at|on|by|for|to|from|with|of|since|until|under|into|about|through|within|over|against|up|as|during"
        r"|after|before|among|between|without|according to|also|then|thus|so|therefore|just|exactly|roughly|if so,?|if not,?|if any,?",
        direct=rf"(?:why|how|when|where) {_EN_AUX}\b|{_EN_THING}(?: [\w'’-]+){{0,4}}? (?:do|does|did)(?:n['’]t)?\b"
        rf"|{_EN_THING}(?: [\w'’-]+){{0,4}}? {_EN_AUX} {_EN_SUBJECT}\b|(?:who|whom) (?:do|does|did) {_EN_SUBJECT}\b"
        rf"|(?<=\b(?:in|at|on|by|of|to) )(?:what|which|whom|whose)(?: [\w'’-]+){{0,4}}? {_EN_AUX}\b",
        relative=r"who|whom|whose|which|when|where(?! to\b)",
        dependent=r"\w+",
        adverbial=r"when",
        after_verb=r"know|knows|knew|decides?|determines?|says?|said|shows?|affects?|governs?|explains?|tells?|depends? on"
        r"|out|discovers?|learns?|remembers?|sees?|understands?|checks?|indicates?|change|changes|influences?|matters?|ask|asks|specify|specifies|of|on|about|between|to|for",
        fill=r"much|many|long|often|far|kinds?|types?|sorts?|of|exactly|and|or|a|an|the|in|at|on|by|for|to|from|under|with",
        tail=r"exactly|precisely|else|not|or why not|so|roughly|is that|was that|in particular",
        polar=rf"{_EN_AUX} (?:it|they|he|she|there|you|we|i|one)\b"
        r"|(?P<noun>does|can|could|should|must|will|would|may|might) (?:the|an?|its|their|this|these|those|any)\b"
        rf"|(?<=, and ){_EN_AUX} (?:the|an?|its|their|his|her|any|all|some|each|every|other|such|any\w+|some\w+)\b"
        r"|(?<=, and )(?:do|does) (?!not\b)",
        opens_polar=rf"{_EN_AUX}\b",
        subordinate=r"if|when|where|while|after|before|once|since|although|because|as|unless|given|suppose",
        orders=r"(?:explain|describe|discuss|identify|define|summari[sz]e|illustrate|assess|evaluate|justify)(?= \w)"
        r"|(?:list|name|state|outline|report|give|tell|compare|provide|mention|say|specify)"
        r"(?= (?:the|an?|its|their|his|her|one|two|three|four|five|how|why|what|which|who|when|where|whether|each|any|all"
        r"|some|at|me|us|your|examples?)\b)",
        free_orders=r"(?:explain|justify)(?= (?:how|why|what|your|the)\b)|(?:give|provide) (?:an|one|two) \w+",
        polite=r"please|can you|could you|would you|briefly|in detail|me|us|exactly|and|also|then",
        pairs=r"between|compare|contrast|distinguish|relate|both",
        verb=_EN_AUX,
        alternative=r"or whether",
        named=r"what(?: [\w'’.-]+){1,4}? (?:calls?|called|terms|termed|dubbed)\b|what (?:is|are|was|were) (?:called|known as)\b",
    ),
    "es": Grammar(
        asks=r"si|qué|cuál|cuáles|quién|quiénes|cómo|cuándo|cuánto|cuánta|cuántos|cuántas|dónde|adónde",
        joins=r"y|e|o|u|pero|así como|además de|junto con",
        leads=r"en|a|al|de|por|para|con|desde|hasta|ante|bajo|sobre|según|contra|hacia|entre|también|además|entonces"
        r"|si es así,|en ese caso,|cada|¿",
        direct=r"(?!)",
        relative=r"(?!)",
        dependent=r"si",
        adverbial=r"si",
        after_verb=r"sabe|saber|determina|decide|depende de|indica|dice|averiguar|comprobar|influye en",
        fill=r"tan|tipos?|clases?|de|y|e|o|el|la|los|las|un|una|en|a|por|para|con|qué|exactamente",
        tail=r"exactamente|no|más|así",
        polar=r"¿\w",
        opens_polar=r"¿|(?:es|son|hay|puede|pueden|está|están|existe|existen|tiene|debe)\b",
        subordinate=r"si|cuando|mientras|aunque|como|donde|porque|una vez que|después de que|antes de que",
        orders=r"(?:explica|explique|describe|describa|indica|indique|menciona|mencione|enumera|enumere|nombra|nombre"
        r"|compara|compare|señala|señale|define|defina|resume|resuma|justifica|justifique|da|dé|dime|di|detalla)(?= \w)",
        free_orders=r"(?:explica|explique|indica|indique|justifica|justifique) (?:por qué|cómo|qué|cuál)|(?:da|dé) un ejemplo",
        polite=r"por favor,?|puedes|podrías|brevemente|me|también|y|además|exactamente",
        pairs=r"entre|compara|compare|distingue",
        verb=r"",
        alternative=r"o si",
        named=r"(?!)",
    ),
    "de": Grammar(
        asks=r"was|wer|wem|wen|wessen|wie|wieviele?|wo|wann|warum|wieso|weshalb|wozu|woher|wohin|welche[rsmn]?|wodurch"
        r"|womit|worin|woraus|wofür|worauf|wovon|wonach|woran|worüber|inwiefern|inwieweit|ob",
        joins=r"und|oder|aber|sowie",
        leads=r"in|im|an|am|auf|bei|für|von|vom|mit|nach|seit|bis|zu|zum|aus|durch|unter|über|gegen|um|ab|auch|dann"
        r"|wenn ja,|falls ja,|vor|hinter",
        direct=r"(?:\w+)(?: \w+){0,2}? (?:ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|kann|können|muss|müssen|soll"
        r"|darf|dürfen|kommt|kommen|gibt|geht"
        r"|(?!den |dem |seit |mit |hart |oft |weit |alt |kalt |laut |leicht |schlecht |gut |breit |dicht |fest |rot |selten )\w+(?:t|en))"
        r" (?:er|sie|es|man|ich|wir|das|die|der|ein|eine|sich|dies|diese|dieser)\b|was (?:passier|gesch(?:ieht|ah)|ist)\w*",
        relative=r"(?!)",
        dependent=r"\w+",
        adverbial=r"(?!)",
        after_verb=r"(?!)",
        fill=r"viele?|lange|oft|weit|art|arten|von|und|oder|der|die|das|den|dem|ein|eine|einem|in|an|auf|für|mit|genau",
        tail=r"genau|nicht|noch|sonst|das",
        polar=r"(?:ist|sind|war|waren|wird|werden|wurde|kann|können|muss|müssen|soll|darf|dürfen|hat|haben|gilt|gibt|\w+t)"
        r" (?:er|es|man)\b|(?:ist|sind|war|waren|kann|können|muss|müssen|darf|dürfen|hat|haben) (?:sie|das|dies|ich|wir)\b",
        opens_polar=r"(?:ist|sind|war|waren|wird|werden|kann|können|muss|müssen|soll|darf|dürfen|hat|haben|gibt|gilt)\b",
        subordinate=r"wenn|als|falls|sobald|nachdem|bevor|während|obwohl|weil|da|sofern",
        orders=r"(?:erkläre|erklären sie|beschreibe|beschreiben sie|nenne|nennen sie|gib|geben sie|vergleiche|definiere"
        r"|erläutere|erläutern sie|begründe|fasse|skizziere|sag)(?= \w|,)",
        free_orders=r"(?:erkläre|beschreibe|nenne|gib|vergleiche|definiere|erläutere|begründe|skizziere)(?= \w|,)",
        polite=r"bitte|kurz|mir|uns|genau|auch|und",
        pairs=r"(?:da)?zwischen|vergleiche|sowohl",
        verb=r"",
        alternative=r"oder ob",
        named=r"(?!)",
    ),
    "fr": Grammar(
        asks=r"qu'est-ce(?: qu[ei]?)?|que|qu|quoi|qui|quel|quelle|quels|quelles|lequel|laquelle|lesquels|lesquelles|comment|pourquoi"
        r"|quand|où|combien|si",
        joins=r"et|ou|mais|ainsi que",
        leads=r"à|a|au|en|dans|de|d'|pour|par|avec|depuis|sur|sous|selon|contre|vers|chez|jusqu'|aussi|alors|donc"
        r"|si oui,|dans ce cas,",
        direct=r"qu'est-ce|(?:où|quand|que|qui|quoi|comment|pourquoi|combien|quel\w*|lequel)(?: [\w']+){0,6}? ?[\w']*-(?:t-)?"
        r"(?:il|elle|on|ils|elles|ce|je|nous|vous)\b|(?:où|quand) (?:est|sont|fut|furent|était|a|ont|se|peut|doit)\b"
        r"|que (?:signifie|doi[ts]|doivent|peut|peuvent|fait|font|faut|sont|devient|devint|contient|représente|dit)",
        relative=r"que|qu|qui|quand|où(?! \w+(?:er|ir|re)\b)",
        dependent=r"que|qu|qui|où|quand|si",
        adverbial=r"quand|si",
        after_verb=r"savoir|sait|détermine|décide|dépend de|indique|dit|demande",
        fill=r"de|d|temps|types?|sortes?|et|ou|le|la|les|un|une|en|à|dans|pour|par|avec|sur|sous|exactement",
        tail=r"exactement|pas|cela|ça|précisément|donc",
        polar=r"est-ce\b|[\w']+-(?:t-)?(?:il|elle|on|ils|elles|ce)\b",
        opens_polar=r"est-ce\b|(?:[\w']+ ){0,5}[\w']+-(?:t-)?(?:il|elle|on|ils|elles|ce)\b",
        subordinate=r"si|quand|lorsque|lorsqu|après|avant|comme|bien que|puisque|dès que",
        orders=r"(?:expliquez|explique|décrivez|décris|citez|cite|indiquez|indique|donnez|donne|nommez|nomme|énumérez"
        r"|précisez|précise|comparez|compare|définissez|définis|résumez|justifiez|dites)(?= \w)",
        free_orders=r"(?:expliquez|décrivez|citez|indiquez|donnez|nommez|énumérez|précisez|comparez|définissez|justifiez)(?= \w)",
        polite=r"veuillez|brièvement|moi|nous|exactement|et|aussi|puis",
        pairs=r"entre|comparez|compare",
        verb=r"",
        alternative=r"ou si",
        named=r"(?!)",
    ),
}


class Rules(NamedTuple):
    """A grammar made ready."""

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


def _made(g: Grammar) -> Rules:
    def plain(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

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


RULES = {language: _made(grammar) for language, grammar in GRAMMARS.items()}
