"""Is a query two questions in one?"""

import re
import unicodedata
from typing import Literal, NamedTuple

_LONGEST = 2_000
"""Characters looked at; no query is longer on purpose."""
_SHOWN = 5
"""Words shown of the second question."""
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[\w'’-]+")
_QUOTED = re.compile(
    r"\"[^\"]{1,300}\"|“[^”]{1,300}”|„[^“”]{1,300}[“”]|«[^»]{1,300}»|‘[^’]{1,300}’(?!\w)|(?<![\w'])'[^']{1,300}'(?!\w)"
    r"|`[^`]{1,300}`|\*[^*]{1,300}\*"
)
_TITLE = re.compile(
    r"(?<=[\w,] )(?:Who|What|Where|When|Why|How|Which|Whose)(?: (?:[A-Z][\w'’]*|(?:and|of|the|in|to|a|for)(?= [A-Z])))++"
    r"(?:\?(?: [A-Z][\w'’]*){2,})*+"
)
"""A title in English that is a question: set in capitals, whether or not it is quoted."""
_END = re.compile(r"(?:[?؟]++[^\w\s]*+(?=[\s¿A-ZÀ-Þ])|？)\W*+(?=\w)")
"""Where something follows a question."""
_SENTENCE = re.compile(r"(?:\w{4}|\d|[)\]])[.!]?$")
"""What a full stop must follow to be none of an abbreviation."""
_UNACCENTED = re.compile(
    r"(?P<opens>(?:^|\b[yeou] |, )(?:(?:por|para|en|de|a|con|desde|hasta) )?)"
    r"(?P<asks>que|cual|cuales|quien|quienes|como|cuando|cuanto|cuanta|cuantos|cuantas|donde)\b",
    re.IGNORECASE,
)
"""Words of question in Spanish as they are typed in a hurry."""
_ACCENTS = {
    "que": "qué",
    "cual": "cuál",
    "cuales": "cuáles",
    "quien": "quién",
    "quienes": "quiénes",
    "como": "cómo",
    "cuando": "cuándo",
    "cuanto": "cuánto",
    "cuanta": "cuánta",
    "cuantos": "cuántos",
    "cuantas": "cuántas",
    "donde": "dónde",
}


class _Grammar(NamedTuple):
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
_EN_BE = r"(?:is|are|was|were)"
_EN_SUBJECT = r"(?:it|they|he|she|there|you|we|i|one|this|that|these|those|the|an?|its|their|his|her|any|all|some|each)"
_EN_THING = r"(?:what|which|whose|how (?:much|many|long|often|far|old|big|large|\w+ly|\w+))"

_GRAMMARS = {
    "en": _Grammar(
        asks=r"what|who|whom|whose|which|when|where|why|how|whether",
        joins=r"and|or|but|yet|plus|&|as well as|along with|together with",
        leads=r"in|during|after|before|among|between|without|according to|at|on|by|for|to|from|with|of|since|until|under|into|about|through|within|over|against|up|as"
        r"|also|then|thus|so|therefore|just|exactly|roughly|if so,?|if not,?|if any,?",
        direct=rf"(?:why|how|when|where) {_EN_AUX}\b|{_EN_THING}(?: [\w'’-]+){{0,4}}? (?:do|does|did)(?:n['’]t)?\b"
        rf"|{_EN_THING}(?: [\w'’-]+){{0,4}}? {_EN_AUX} {_EN_SUBJECT}\b|(?:who|whom) (?:do|does|did) {_EN_SUBJECT}\b"
        rf"|(?<=\b(?:in|at|on|by|of|to) )(?:what|which|whom|whose)(?: [\w'’-]+){{0,4}}? {_EN_AUX}\b",
        relative=r"who|whom|whose|which|when|where",
        dependent=r"who|whom|whose|which|when|where|whether",
        adverbial=r"when",
        after_verb=r"know|knows|knew|decides?|determines?|says?|said|shows?|affects?|governs?|explains?|tells?|depends? on"
        r"|change|changes|influences?|matters?|ask|asks|specify|specifies|of|on|about|between|to|for",
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
    "es": _Grammar(
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
    "de": _Grammar(
        asks=r"was|wer|wem|wen|wessen|wie|wieviele?|wo|wann|warum|wieso|weshalb|wozu|woher|wohin|welche[rsmn]?|wodurch"
        r"|womit|worin|woraus|wofür|worauf|wovon|wonach|woran|worüber|inwiefern|inwieweit|ob",
        joins=r"und|oder|aber|sowie",
        leads=r"in|im|an|am|auf|bei|für|von|vom|mit|nach|seit|bis|zu|zum|aus|durch|unter|über|gegen|um|ab|auch|dann"
        r"|wenn ja,|falls ja,|vor|hinter",
        direct=r"(?:\w+)(?: \w+){0,2}? (?:ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|kann|können|muss|müssen|soll"
        r"|darf|dürfen|kommt|kommen|gibt|geht"
        r"|(?!den |dem |seit |mit |hart |oft |weit |alt |kalt |laut |leicht |schlecht |gut |breit |dicht |fest |rot |selten )\w+(?:t|en))"
        r" (?:er|sie|es|man|ich|wir|das|die|der|ein|eine|sich|dies|diese|dieser)\b|was (?:passier|gesch(?:ieht|ah)|ist)\w*",
        relative=r"was|wo",
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
    "fr": _Grammar(
        asks=r"qu'est-ce|que|qu|quoi|qui|quel|quelle|quels|quelles|lequel|laquelle|lesquels|lesquelles|comment|pourquoi"
        r"|quand|où|combien|si",
        joins=r"et|ou|mais|ainsi que",
        leads=r"à|a|au|en|dans|de|d'|pour|par|avec|depuis|sur|sous|selon|contre|vers|chez|jusqu'|aussi|alors|donc"
        r"|si oui,|dans ce cas,",
        direct=r"qu'est-ce|(?:où|quand|que|qui|quoi|comment|pourquoi|combien|quel\w*|lequel)(?: [\w']+){0,6}? ?[\w']*-(?:t-)?"
        r"(?:il|elle|on|ils|elles|ce|je|nous|vous)\b|(?:où|quand) (?:est|sont|fut|furent|était|a|ont|se|peut|doit)\b"
        r"|que (?:signifie|doi[ts]|doivent|peut|peuvent|fait|font|faut|sont|devient|devint|contient|représente|dit)",
        relative=r"que|qu|qui|où|quand",
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


class _Rules(NamedTuple):
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


def _made(g: _Grammar) -> _Rules:
    def plain(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    edge = r"(?P<mark>[,;:.!?)]|\s[–—-]+)?"
    joint = rf"{edge}\s+(?P<join>(?:{g.joins})\s+)"
    return _Rules(
        asks=plain(rf"(?<![\w'-])(?:{g.asks})(?![\w-])"),
        before=plain(
            rf"(?:^|(?:{edge}\s+|\()(?P<join>(?:{g.joins}),?\s+)?)(?P<leads>(?:(?:{g.leads})(?:\s+|(?<=')|(?<=¿))){{0,3}})$"
        ),
        direct=plain(g.direct),
        relative=plain(rf"(?:{g.relative})\b"),
        dependent=plain(rf"(?:{g.dependent})\b"),
        adverbial=plain(rf"(?:{g.adverbial})\b"),
        after_verb=plain(rf"\b(?:{g.after_verb})$"),
        fill=plain(rf"(?:{g.fill}|{g.leads})"),
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


_RULES = {language: _made(grammar) for language, grammar in _GRAMMARS.items()}

_Place = Literal["first", "joined", "follows", "inner"]


class _Ask(NamedTuple):
    """A word of question in its place."""

    place: _Place
    start: int
    """Where its connective begins."""
    led: bool
    """Whether a preposition precedes it."""
    word: int
    end: int


def conjoined(query: str, language: str = "en") -> str | None:
    """The words at which a second question begins, or None where the query is one question.

    Two questions are two things that can be answered apart: "What is kintsugi and where did it begin?", but not
    "When and where was Bach born?". Of a language without a grammar here, only a second question mark counts, and
    a second question in a language that has one.
    """
    shown = _SPACE.sub(" ", unicodedata.normalize("NFC", query[:_LONGEST]).replace("’", "'")).strip()
    shown = _bare(_accented(shown) if language == "es" else shown)
    text = _TITLE.sub(_blank, _QUOTED.sub(_blank, shown))
    for ended in _END.finditer(text):
        if re.search(r"[?？؟]", text[ended.end() :]):
            return _words(shown, ended.end())
    for known in dict.fromkeys((language, "en")) if language in _RULES else _RULES:
        start = _second(text, _RULES[known], sure=known == language)
        if start is not None:
            return _words(shown, start)
    return None


def _bare(text: str) -> str:
    """Without the quotation marks around the whole, and without capitals where every word has them."""
    if _QUOTED.fullmatch(text):
        text = text[1:-1].strip()
    words = [word for word in _WORD.findall(text) if word[0].isalpha()]
    capitals = sum(word[0].isupper() for word in words)
    titled = len(words) > 4 and capitals >= 0.8 * len(words)
    if titled and all(word[0].isupper() for word in words if len(word) > 3):
        return text[:1] + text[1:].lower()
    return text


def _accented(text: str) -> str:
    """With the accents that a query without any must have meant."""
    if re.search(r"[áéíóú¿]", text) or not (opening := _UNACCENTED.match(text)):
        return text
    return _UNACCENTED.sub(lambda found: found["opens"] + _ACCENTS[found["asks"].lower()], text) if opening else text


def _blank(found: re.Match[str]) -> str:
    """As long as what was found, and one word."""
    return "x" * len(found[0])


def _words(text: str, start: int) -> str:
    """The first words from there on."""
    found = [*_WORD.finditer(text, start)][:_SHOWN]
    return text[found[0].start() : found[-1].end()] if found else text[start:].strip()


def _second(text: str, rules: _Rules, *, sure: bool) -> int | None:
    """Where a second question begins."""
    order = rules.opens_order.match(text)
    asks = _asks(text, rules, order.end() if order else 0)
    if not sure and not any(ask.place == "first" for ask in asks):
        return None
    starts = [later.start for number, later in enumerate(asks) if _is_second(text, rules, asks, number, bool(order))]
    starts += _demands(text, rules, asks, bool(order))
    starts += _polar(text, rules, asks, bool(order))
    return min(starts, default=None)


def _asks(text: str, rules: _Rules, opening: int) -> list[_Ask]:
    """The words of question, each with its place."""
    found: list[_Ask] = []
    first = False
    for word in rules.asks.finditer(text):
        floor = max(0, word.start() - 60)
        before = rules.before.search(text, floor, word.start()) if word.start() else None
        opens = word.start() == opening or (before is not None and before.start() == 0 == floor)
        if word[0][0].isupper() and not opens and not re.search(r"[.?!:;¿(–—-]\s*$", text[floor : word.start()]):
            continue
        marked = before is not None and bool(before["mark"])
        joined = before is not None and bool(before["join"])
        place: _Place = "inner"
        if opens:
            place = "inner" if _is_subordinate(text, rules, word) else "first"
        elif joined:
            place = "joined"
        elif marked and before is not None:
            place = "follows" if first or (opening and before["mark"].strip() in ".;?!") else "first"
        first = first or place == "first"
        led = before is not None and bool(before["leads"].strip("¿ "))
        found.append(_Ask(place, before.start() if before else word.start(), led, word.start(), word.end()))
    return found


def _is_subordinate(text: str, rules: _Rules, word: re.Match[str]) -> bool:
    """Whether a word at the beginning opens a clause on which the question hangs: "When it rained, who stayed?"."""
    if not rules.adverbial.match(text, word.start()) or rules.direct.match(text, word.start()):
        return False
    return re.search(r", ", text[word.end() :]) is not None


def _is_second(text: str, rules: _Rules, asks: list[_Ask], number: int, order: bool) -> bool:
    """Whether a word of question opens a question of its own, after another one."""
    ask = asks[number]
    if ask.place not in ("joined", "follows") or rules.named.match(text, ask.word):
        return False
    earlier = asks[:number]
    opened = next((one for one in earlier if one.place == "first"), None)
    direct = rules.direct.match(text, ask.word) is not None
    alone = rules.tail.match(text, ask.end) is not None
    if not _says_something(text, rules, earlier[-1] if earlier else None, ask.start):
        return False
    asking = opened or order or "?" not in text or rules.opens_polar.match(text)
    asking = asking or any(rules.direct.match(text, one.word) for one in earlier)
    if not asking or (opened is not None and opened.led and "?" in text and not _has_verb(text, rules, opened, ask)):
        return False
    if opened is None and not order and rules.subordinate.match(text):
        return False
    if ask.place == "follows":
        mark = text[ask.start : ask.word].strip()[:1]
        if mark in (".", "!"):
            return _SENTENCE.search(text, max(0, ask.start - 4), ask.start) is not None
        return mark in (";", "?", "–", "—", "-") or direct or not rules.dependent.match(text, ask.word)
    if rules.alternative.match(text, ask.start):
        return False
    if direct or alone:
        return True
    asked = opened is not None and not order and "?" in text
    if asked and rules.adverbial.match(text, ask.word):
        return False
    pair = [*rules.pairs.finditer(text, 0, ask.start)]
    if pair and not re.search(r"\b(?:and|y|und|et)\b", text[pair[-1].end() : ask.start]):
        return False
    inner = [one for one in earlier if one.place in ("inner", "follows") and not _is_adverbial(text, rules, one)]
    if not inner:
        return True
    if all(_is_relative(text, rules, one) for one in inner):
        return not rules.relative.match(text, ask.word)
    return False


def _is_relative(text: str, rules: _Rules, ask: _Ask) -> bool:
    """Whether a word of question within a sentence hangs on a noun: "the town where"."""
    if not rules.relative.match(text, ask.word):
        return False
    return not rules.after_verb.search(text, max(0, ask.word - 40), max(0, ask.word - 1))


def _is_adverbial(text: str, rules: _Rules, ask: _Ask) -> bool:
    """Whether a word of question says when or if, and asks nothing."""
    if not rules.adverbial.match(text, ask.word):
        return False
    return not rules.after_verb.search(text, max(0, ask.word - 40), max(0, ask.word - 1))


def _says_something(text: str, rules: _Rules, ask: _Ask | None, end: int) -> bool:
    """Whether more than a bare word of question stands before the next: not in "when and where"."""
    words = [word for word in _WORD.findall(text[ask.end if ask else 0 : end]) if not rules.fill.fullmatch(word)]
    return len(words) > (ask.led if ask else 0)


def _has_verb(text: str, rules: _Rules, opened: _Ask, ask: _Ask) -> bool:
    """Whether a question that opens with a preposition is complete: not in "Under what terms and for whom is"."""
    return rules.verb.search(text, opened.end, ask.start) is not None


def _demands(text: str, rules: _Rules, asks: list[_Ask], order: bool) -> list[int]:
    """Where demands stand that come after a question or after another demand."""
    found: list[int] = []
    opened = next((one for one in asks if one.place == "first"), None)
    begin = opened.end if opened else (m.end() if (m := rules.opens_order.match(text)) else 0)
    for pattern in (rules.order, rules.free_order):
        for one in pattern.finditer(text, 1):
            said = [word for word in _WORD.findall(text[begin : one.start()]) if not rules.fill.fullmatch(word)]
            stops = one[0][0] in ".;?" or one[0].lstrip()[0] in "–—"
            infinitive = re.search(r"\bto (?!the\b|an?\b|[A-Z])", text[: one.start()]) is not None
            allowed = stops or pattern is rules.free_order or (order and not infinitive)
            if allowed and said and (order or opened or rules.opens_polar.match(text)):
                found.append(one.start())
    return found


def _polar(text: str, rules: _Rules, asks: list[_Ask], order: bool) -> list[int]:
    """Where questions for yes or no stand that come after another question."""
    found: list[int] = []
    for one in rules.polar.finditer(text, 1):
        opened = [ask for ask in asks if ask.place == "first" and ask.end < one.start()]
        if not opened and not order and not rules.opens_polar.match(text):
            continue
        joined = (one["join"] or "").strip().lower()
        if joined in ("or", "o", "u", "oder", "ou"):
            continue
        if (
            joined
            and not one["mark"]
            and one.groupdict().get("noun")
            and opened
            and not rules.direct.match(text, opened[0].word)
        ):
            continue  # "Who keeps the books and does the dishes?"
        if not joined and one[0][0] == ",":
            continue
        found.append(one.start())
    return found
