"""Wordings with which a query in English leans on a text that its reader does not see."""

from ragset.text.rules.phrases.compiled import compiled

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
EXPLETIVE = r"(?:take|cost|mean (?:to|for|that|when|if)|matter|rain|snow|feel|hurt|help to|seem|appear|happen that|make sense|called|like to|that\b)"

ENGLISH = compiled(
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
        rf"\b(?:the|this|these) (?:code|table|figure|chart|diagram|formula|equation|snippet|{_STRONG}) (?:above|below)\b"
        r"(?! (?:the|a|an|it|which|sea|ground|zero|\d)\b)",
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
        rf"|had|must|might|may) it\b(?! {EXPLETIVE}| (?:be|become|been|have been|have) )",
        rf"^(?:what|why|how|when|where)(?: (?:exactly|long|often|far|old))? (?:is|was) it(?! {EXPLETIVE})"
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
