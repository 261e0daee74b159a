"""Wordings with which a query leans on a text that its reader does not see, by language.

Each pattern is searched in the query as it is, without regard to case except where `(?-i:…)` says so. They
are written for precision: a phrase that goes on to say which text is meant ("the text of the treaty", "the
report by the coroner") does not lean.
"""

import re
from collections.abc import Iterable


def _compile(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_END = r"(?=\s*(?:[?.!,;:)]|$))"

# English. STRONG names nothing but the passage at hand; WEAK may also be a thing in the world.
_TEXT = r"(?:source )?text(?! (?:message|editor|box|field|file|format))"
_STRONG = rf"(?:passages?|excerpts?|extracts?|snippets?|paragraphs?|chunks?|{_TEXT})"
_WEAK = (
    r"(?:article|document|report|study|paper|chapter|section|book|table|figure|diagram|chart|graph|list|page|post"
    r"|essay|transcript|source|material|context|author|writer|narrator|speaker|researcher|statement|example)s?"
)
_WHICH = (
    r"(?!(?:'s)? (?:of|by|from|to|through|between|around|into|across|over|under|along|called|titled|entitled|named)\b)"
    r"(?![’'\w-])(?! ?[\"“«‘(])(?! (?-i:[A-Z])| \d)"
)
"""Not followed by words that say which one it is."""
_WHICH_WEAK = _WHICH + r"(?! (?:on|about|for|published|in|at)\b)"
_ADJECTIVES = r"(?:(?:given|above|following|provided|quoted|cited|present|current|same|preceding|previous|original) )?"
_TOLD = (
    r"(?:stated|described|mentioned|noted|discussed|explained|shown|given|reported|defined|outlined|presented|listed"
    r"|referenced|indicated|highlighted|provided|quoted|cited|depicted|referred to|specified|covered)"
)
_FRAME = rf"(?:according to|based on|as per|going by|(?:as )?{_TOLD} (?:in|by)|drawing on|judging (?:by|from))"
_AUTHOR = (
    r"(?:author|writer|narrator|speaker|researcher|article|document|report|study|paper|chapter|section|essay|table|figure"
    r"|chart|graph|diagram|image|map|list)"
)
_TELLS = (
    r"(?:say|state|claim|argue|suggest|mention|describe|conclude|explain|mean|tell|give|show|illustrate|identify|discuss|use"
    r"|define|imply|present|propose|recommend|report|find|found|emphasi[sz]e|note|compare|portray|feel|think|believe|list"
    r"|include|refer|attribute|criticis?ze?|address|provide|indicate|view|characteri[sz]e|highlight|reveal|cite|depict|rest)"
)
_WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
_AUX = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|might|may|must)"
_EXPLETIVE = r"(?:take|cost|mean (?:to|for|that|when|if)|matter|rain|snow|feel|hurt|help to|seem|appear|happen that|make sense|called|like to|that\b)"

_ENGLISH = _compile(
    [
        rf"\b{_FRAME} (?:the|this|that|these|those|your|our) {_ADJECTIVES}{_STRONG}{_WHICH}",
        rf"\b{_FRAME} (?:the|this|that|these|those|your|our) {_ADJECTIVES}{_WEAK}{_WHICH_WEAK}",
        rf"\b(?:in|from|within|throughout|by|of) (?:the|this|that|these|those) {_ADJECTIVES}{_STRONG}{_WHICH}",
        rf"\b(?:in|from|within|throughout|of) this {_ADJECTIVES}{_WEAK}(?![’'\w-])",
        rf"\b{_AUX} (?:the|this|these) {_ADJECTIVES}(?:passage|excerpt|{_TEXT}|paragraph|snippet){_WHICH}(?! (?:on|for|at)\b)",
        rf"\b(?:do|does|did|can|could|would|might|has|have) (?:the|this|these) {_AUTHOR}s?(?: \w+ly)? {_TELLS}\b",
        rf"\b(?:is|are|was|were) (?:the|this) {_AUTHOR}s?(?: \w+ly)? (?:about|trying|arguing|saying|suggesting|describing"
        r"|discussing|referring|addressing|based on)\b",
        r"\bthe (?:author|writer|narrator|speaker)['’]s?(?= )",
        r"\bthe (?:author|writer|narrator|speaker)s? (?:say|state|claim|argue|suggest|mention|describe|conclude)s?\b",
        r"^(?:in|from) the (?:article|document|report|study|paper|chapter|section|experiment|survey|table|list|figure),",
        r"\b(?:of|in|from|by) the (?:article|document|paper|report|study|experiment|survey|chapter|section|author)s?"
        r"(?=\s*[?.!]*\s*$)",
        rf"\b{_TOLD} (?:above|below|here|earlier|previously)\b",
        r"\b(?:above|previously|earlier|afore)-?\s?mentioned\b",
        rf"\bthe (?:above|following|given|provided|aforesaid|preceding) (?:{_STRONG}|{_WEAK}|information|data|scenario"
        r"|case|statements?|sentences?|options?|quote|code|details|facts|description|situation|conversation)\b(?!-)",
        r"\b(?:which|what|any|all|one|each) of the (?:following|above)\b|\b(?:which|one|any) of these\b(?! who)",
        r"\b(?:based on|from|using|considering|according to) the (?:information|context|data|details|facts|evidence|examples?)"
        r" (?:provided|given|above|below|presented|supplied)\b",
        r"^what examples? (?:is|are|was|were) (?:given|provided|used|cited|mentioned)\b",
        r"^what (?:is|are|was|were) [^?]*?(?P<shown>[\w'-]+ (?:mentioned|discussed|described|referenced|highlighted|outlined))(?=\s*\?*\s*$)",
        r"^(?:who|what|which \w+)(?: else)? (?:is|are|was|were) (?:mentioned|referred to)\b(?! (?:in|on|by|at)\b)",
        r"\bdiscussed (?:in the|here\b)" + _WHICH + r"(?= (?:text|passage|article|document|chapter|section|paper))",
        r"\b(?:period|time|era|years|timeframe|topics?|events?|cases?|subjects?|issues?|methods?|process|people|person"
        r"|examples?|places?|changes?|factors?|reasons?|products?|features?|results?|findings?) "
        r"(?:(?:being|that (?:is|are|was|were)) )?(?:discussed|mentioned|described|in question|referred to|referenced)"
        r"(?=\s*(?:[?.!,;]|$)| (?:is|are|was|were|and|here|above|below)\b)",
        r"^(?:what|which|who|how many)\b[^?]* (?:is|are|was|were) (?:\w+ly )?"
        r"(?:mentioned|discussed|stated|referenced|highlighted|outlined|described)(?=\s*\?*\s*$)",
        r"\b(?:figure|fig\.|table|equation|eq\.|diagram|exhibit) ?\(?\d+(?:[.-]\d+)?[a-z]?\)?"
        r"(?! (?:of|in|from) (?:the )?(?-i:[A-Z]))(?! (?:knot|loop|track|race|pattern|shape|skat|bend|tennis))",
        # A pronoun where nothing before it can be what it stands for.
        rf"^(?:and |but |so )?(?:(?:in|at|to|from|by|for|with|on) )?{_WH}(?: (?:else|exactly|long|many|much|often|old|far"
        rf"|year|city|country|place|way|extent|reason))? {_AUX} (?:he|she|his|her|him|their|its|this|these|those)\b"
        r"(?! (?:year|month|week|century|decade|summer|winter|spring|autumn|fall|season|weekend|morning|evening|world"
        r"|majesty|highness|holiness|royal))",
        rf"^{_WH}(?: (?:else|exactly|long|many|much|often|old|far))? {_AUX} they\b(?! (?:call|say|make)\b)",
        rf"^(?:what|why|how|when|where|which)(?: (?:exactly|long|often|far))? (?:do|does|did|can|could|will|would|should|has"
        rf"|had|must|might|may) it\b(?! {_EXPLETIVE}| (?:be|become|been|have been|have) )",
        rf"^(?:what|why|how|when|where)(?: (?:exactly|long|often|far|old))? (?:is|was) it(?! {_EXPLETIVE})"
        r"(?: [\w-]+){0,2}\s*\?*$(?<!time is it)(?<!is it\?)(?<!day is it\?)",
        rf"^(?:{_AUX} )(?:he|she|they|this|these)\b(?! (?:year|month|week|century|season|world))",
        r"^(?:what|why|who|how|when|where)(?: \w+)? (?:wrote|made|caused|happens?|happened|caused|affects?|affected|led to"
        r"|follows?|followed|uses?|used) (?:this|these|him|her|them|it)\b(?= ?\?*\s*$)",
        r"^(?:this|these|he|she|it|they) (?-i:[a-z])",
        r"^(?:what|which|how many|how much) (?-i:[a-z]+) (?:do|does|did|can|could|will|would|should) (?:he|she|this|these)\b"
        r"(?! (?:year|month|week|century|season|world))",
        r"^what (?-i:[a-z]+) (?:do|does|did) it\b(?! take)",
        r"^what (?:happen(?:s|ed)|comes|came) (?:next|then|afterwards?|after (?:this|that))\b",
        r"^(?:describe|explain|summari[sz]e|discuss|compare|analy[sz]e|outline|list|define|identify)"
        r"(?: (?:how|why|what|when|where|briefly|in detail))* (?:this|these|he|she|they|his|her|its|their)\b",
        # A time that only the passage fixes.
        r"^(?!.*(?:\d|\bcentury\b|\bwar\b|\bdynasty\b|\breign\b|\brevolution\b|\bage\b|\bempire\b)).*?"
        rf"(?P<shown>\b(?:during|in|over|throughout) (?:this|that|the) (?:period|era|time|timeframe){_END})",
        r"^(?!.*(?:\d|\bcentury\b|\bwar\b|\bwhen\b|\bduring\b|\bafter\b|\bbefore\b)).*?"
        r"(?P<shown>\bat (?:the|that) time)\s*\?*\s*$",
    ]
)

_SPANISH_WH = r"¿?(?:(?:en|de|a|con|por|para|desde) )?(?:por qué|cómo|cuándo|dónde|qué año|qué|quién|cuáles|cuál|cuánto tiempo|cuánto)"

_SPANISH = _compile(
    [
        r"\b(?:según|de acuerdo con|conforme a|basándo(?:se|te) en|con base en) (?:el|la|los|las|este|esta|estos|estas|dicho) "
        r"(?:texto|pasaje|fragmento|párrafo|artículo|documento|autora?|autores|extracto|estudio|informe|capítulo|sección|tabla)"
        r"\b(?! (?:de|del|sobre|por|publicad[oa]|\d|(?-i:[A-ZÁÉÍÓÚÑ])))",
        r"\ben (?:el|este|dicho) (?:texto|pasaje|fragmento|párrafo|extracto)\b(?! (?:de|del)\b)",
        r"\ben (?:este|esta|dicho|dicha) (?:artículo|documento|estudio|informe|capítulo|sección|apartado|tabla|figura|libro)\b",
        r"\b(?:del|de este) (?:texto|pasaje|fragmento|párrafo|extracto)\b(?! (?:de|del)\b)",
        r"\b(?:mencionad|descrit|citad|discutid|tratad|señalad|indicad|expuest|comentad)[oa]s? "
        r"(?:arriba|aquí|anteriormente|más arriba|antes|a continuación|en el texto|en el pasaje|previamente)\b",
        r"\b(?:arriba|anteriormente|antes) (?:mencionad|citad|descrit|indicad)[oa]s?\b",
        r"\b(?:dice|afirma|explica|menciona|sostiene|describe|señala|opina|concluye) (?:el|la|este) "
        r"(?:texto|pasaje|autora?|fragmento|artículo|documento|párrafo)\b(?! (?:de|del)\b)",
        r"\b(?:el|la) (?:texto|pasaje|fragmento|autora?|párrafo) (?:dice|afirma|explica|menciona|sostiene|describe|señala)",
        r"\b(?:el|la) (?:siguiente|presente|anterior) (?:texto|pasaje|fragmento|párrafo|tabla|figura|artículo|documento)\b",
        r"\b(?:período|periodo|época|tema|caso|proceso|método) (?:mencionado|descrito|tratado|en cuestión|discutido)a?\b"
        r"(?=\s*[?,.;]|\s*$)",
        r"\b(?:se )(?:menciona|mencionan|describe|describen|discute|trata)n?(?=\s*\?*\s*$)",
        r"\b(?:figura|tabla|cuadro|gráfico|ecuación) \d+\b(?! (?:de|del)\b)",
        r"^¿?(?:por qué|cómo|cuándo|dónde|qué|quién|cuál) (?:es|son|fue|era|significa|hizo|dice) (?:esto|eso|él|ella|ellos)\b",
        rf"^{_SPANISH_WH} (?:se )?(?!ha |han |había |habían )\w+ (?:este|esta|estos|estas|dicho|dicha|dichos|dichas)\b"
        r"(?! (?:año|mes|semana|siglo|década|verano|invierno|temporada|mundo))",
        rf"^{_SPANISH_WH} (?:es|son|fue|fueron|era|eran) (?:su|sus)\b(?! (?:majestad|santidad|alteza))",
    ]
)  # fmt: skip

_GERMAN_WH = (
    r"(?:(?:in|an|aus|zu|mit|seit) )?(?:warum|wieso|weshalb|wie|wie lange|wie oft|wie viele|wann|wo|woher|wohin|was|wer|wen|wem"
    r"|womit|wodurch|wofür|welche[rsmn]? \w+)"
)
_GERMAN_AUX = (
    r"(?:ist|sind|war|waren|hat|haben|hatte|hatten|wird|werden|wurde|wurden|kann|können|konnte|muss|soll|tat|tut|macht|machte"
    r"|bedeutet|funktioniert|wirkt|geschah|starb|schrieb|begann|endete|verließ|ging|kam|nutzt|verwendet)"
)
_GERMAN = _compile(
    [
        r"\b(?:laut|gemäß|nach|entsprechend|zufolge|basierend auf|anhand) (?:dem|der|den|diesem|dieser|des|vorliegendem) "
        r"(?:vorliegenden |obigen |gegebenen |folgenden )?(?:text|textes|textstelle|passage|abschnitts?|textabschnitt|absatz"
        r"|artikel|dokuments?|autor|autorin|autoren|verfasser|studie|bericht|kapitel|auszug|tabelle|abbildung)\b"
        r"(?! (?:von|des|der|vom|zu|zur|zum|über|\d|(?-i:[A-ZÄÖÜ])))",
        r"\b(?:im|aus dem|in dem|in diesem|aus diesem) (?:vorliegenden |obigen |gegebenen |folgenden )?"
        r"(?:text|textauszug|textabschnitt|absatz|auszug|abschnitt)\b(?! (?:von|des|der|vom|(?-i:[A-ZÄÖÜ])|\d))",
        r"\bin (?:der|dieser) (?:textstelle|textpassage|passage)\b(?! (?:von|des|der|zwischen|nach)\b)",
        r"\bin (?:diesem|dieser) (?:artikel|dokument|studie|bericht|kapitel|buch|tabelle|abbildung|beitrag)\b",
        r"\b(?:oben|hier|zuvor|vorher|weiter oben|im text|im folgenden|unten) (?:genannt|erwähnt|beschrieben|besprochen|aufgeführt"
        r"|dargestellt|angegeben|behandelt)\w*",
        r"\b(?:obengenannt|obenerwähnt|vorgenannt|besagt)e[nrsm]?\b",
        r"\b(?:sagt|beschreibt|erwähnt|behauptet|erklärt|meint|nennt|schreibt|argumentiert) "
        r"(?:der|die|das|dieser|diese|dieses) (?:text|autor|autorin|verfasser|verfasserin|passage|artikel|abschnitt|dokument)\b"
        r"(?! (?:von|des|der|(?-i:[A-ZÄÖÜ])))",
        r"\b(?:der|die|das) (?:obige|folgende|vorliegende|vorstehende|gegebene)n? "
        r"(?:text|passage|abschnitt|absatz|artikel|dokument|tabelle|abbildung)\b",
        r"\bdes (?:textes|abschnitts|absatzes|auszugs|autors|verfassers)(?=\s*[?,.;]|\s*$)",
        r"\b(?:im|in dem) (?:besprochenen|genannten|beschriebenen|behandelten|erwähnten) \w+",
        r"\b(?:wird|werden|wurde|wurden) (?:erwähnt|genannt|beschrieben|besprochen|thematisiert)(?=\s*\?*\s*$)",
        r"\b(?:abbildung|abb\.|tabelle|tab\.|gleichung) ?\d+\b(?! (?:der|des|in der|im|von)\b)",
        rf"^{_GERMAN_WH} {_GERMAN_AUX} (?:(?-i:er|sie|ihn|ihm|ihnen|sein|seine|seinen|ihr|ihre|ihren)\b|dies(?:e[rsmn]?)?\b"
        r"(?! (?:jahr|woche|monat|tage|jahrzehnt|jahrhundert|sommer|winter|saison|welt)))",
        rf"^{_GERMAN_WH} (?:ist|war|bedeutet|heißt) (?:das|dies|es)(?=\s*\?*\s*$)",
    ]
)  # fmt: skip

_FRENCH = _compile(
    [
        r"(?:\b(?:selon|d['’]après|suivant|conformément à|sur la base de) )(?:le |la |l['’]|les |ce |cet |cette |ces )"
        r"(?:texte|passage|extrait|paragraphe|article|document|auteure?s?|autrice|étude|rapport|chapitre|section|tableau)\b"
        r"(?! (?:de|du|des|d['’]|sur|par|\d|(?-i:[A-ZÉÈÀ])))(?! d['’])",
        r"\bdans (?:le|ce|l['’]|cet) ?(?:texte|passage|extrait|paragraphe)\b(?! (?:de|du|des)\b)(?! d['’])",
        r"\bdans (?:ce|cet|cette) (?:article|document|étude|rapport|chapitre|section|tableau|figure|livre)\b",
        r"\b(?:du|de ce|de cet) (?:texte|passage|extrait|paragraphe)(?=\s*[?,.;]|\s*$)",
        r"\b(?:mentionné|décrit|cité|évoqué|présenté|indiqué|énoncé|abordé|traité)e?s? "
        r"(?:ci-dessus|ici|plus haut|ci-dessous|précédemment|dans le texte|dans le passage)\b",
        r"\b(?:susmentionné|susdit|précité)e?s?\b",
        r"\b(?:ci-dessus|ci-dessous)\b",
        r"\b(?:dit|affirme|explique|mentionne|décrit|soutient|indique|conclut|pense) (?:le |la |l['’]|ce |cet |cette )"
        r"(?:texte|passage|auteure?|autrice|extrait|article|document)\b(?! (?:de|du|des)\b)(?! d['’])",
        r"(?:\b(?:le|ce) (?:texte|passage|extrait)|\bl['’](?:auteure?|autrice|extrait|article)) "
        r"(?:dit|affirme|explique|mentionne|décrit|soutient|indique|conclut|parle|pense)",
        r"\bl['’](?:auteure?|autrice|article|extrait) ?(?:dit|affirme|explique|mentionne|décrit)?-t-(?:il|elle)\b",
        r"\b(?:le texte|le passage|ce texte|ce passage|cet article|cette étude)\b[^?]*-t-(?:il|elle)\b",
        r"\b(?:période|époque|sujet|cas|processus|méthode)s? (?:mentionné|décrit|évoqué|en question|abordé)e?s?(?=\s*[?,.;]|\s*$)",
        r"\b(?:figure|tableau|équation|graphique) \d+\b(?! (?:de|du)\b)",
        r"^(?:pourquoi|comment|quand|où|qui|que|qu['’]|quel est|quelle est) ?(?:est|a|fait|fut|était|avait|fit|dit|peut|doit|va)"
        r"-(?:t-)?(?:il|elle|ils|elles|ce)\b"
        r"(?<!est-ce)(?! (?:qu['’]|(?:que|possible|important|nécessaire|arrivé|interdit|permis|de|froid|chaud"
        r"|beau|nuit|jour|plus|si|mieux|préférable)\b))",
        r"^(?:pourquoi|comment|quand|où|en quelle année|depuis quand) (?:(?:cela|ceci|ça)\b|(?:ce|cet|cette|ces) "
        r"(?!(?:qui|que|année|mois|semaine|siècle|saison|été|hiver|monde)\b))",
        r"^qu['’]est-ce que (?:cela|ceci|ça)(?: [\w'’]+)?(?=\s*\?*\s*$)",
    ]
)  # fmt: skip

LEANING = {"en": _ENGLISH, "es": _SPANISH, "de": _GERMAN, "fr": _FRENCH}
"""Patterns by language; the part called `shown` is the phrase, where it is not the whole match."""
