"""What a question can be about: a phrase that names its thing; and definitions (`X is a Y`) in four languages."""

import re
from typing import NamedTuple

_UNCLEAR = re.compile(
    r"\b(?:this|that|these|those|it|its|itself|he|his|him|himself|she|her|they|their|them|we|us|our|you|your|i|my|who|whom"
    r"|which|whose|what|when|where|while|if|because|although|though|as|than|such|same|other|others|another|former|latter"
    r"|each|every|both|some|many|most|more|few|fewer|several|all|any|one|no|not|also|only|there|here|then|now|thus|so|but"
    r"|or|nor|yet|however|is|are|was|were|be|been|being|has|have|had|do|does|did|can|could|will|would|may|might|must|should"
    r"|today|later|earlier|next|previous|following|above|below|about|after|before|during|since|until|until|according"
    r"|remaining|rest|result|examples?|case|way|latest|said|second|third)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"(?:in|on|at|by|for|from|with|under|to|of|through|within|among|between|despite|like|unlike|over|into|upon|near|just"
    r"|even|perhaps|often|usually|sometimes|never|always|first|two|three|four|five|six|seven|eight|nine|ten|\d+)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:tion|ment|ing|ity|ance|ence|ship|work|people|thing|time|year|plan|law|life|death|power|trade|war|member|"
    r"student|critic|scholar|historian|government)s?$",
    re.IGNORECASE,
)
_OF_A_PEOPLE = re.compile(r"(?:an|ese|ish|ench|ic|ern|eek|utch)$")
"""How adjectives end that are written with a capital and name no single thing."""
_ENGLISH = re.compile(r"(?P<subject>[^,;:]{2,80}?) (?P<be>is|are|was|were) (?P<told>(?:an?|the|one of the) .+)")
_BARE = re.compile(r"(?P<subject>(?:[A-Z][\w-]+ )?[\w-]+s) (?P<be>are) (?P<told>[a-z]+(?: [a-z]+)? (?:that|which) .+)")
_GENUS = re.compile(
    r"(?:an?|the|one of the)? ?(?:[\w'’-]+ ){0,6}?(?P<genus>[a-z-]+?)(?= (?:that|which|who|whose|in|where|of|for|used|made"
    r"|designed|consisting|containing|located|built|with|by|at|on|to|from|and|known|situated|between|near|under)\b|[,;.]|$)"
)
_EMPTY = re.compile(
    r"\b(?:part|result|reason|example|cause|factor|problem|way|matter|type|kind|sort|form|member|number|lot|question|issue|sign"
    r"|case|success|failure|key|product|one|thing|variety|majority|minority|range|series|set|consequence|function|subject"
    r"|most|more|best|better|time|period|same|only|main|major|first|last|responsibility|source|aspect|feature|point|step)s?\b"
)
"""Words by which it is no definition: a part, a result, one of several."""
_ROLE = re.compile(
    r"\b(?:\w+ian|\w+ist|\w{2,}ogist|writer|author|poet|painter|king|queen|emperor|empress|president|engineer|architect|builder|lawyer"
    r"|bishop|priest|monk|philosopher|explorer|inventor|founder|leader|teacher|theologian|actor|actress|singer|player|composer"
    r"|officer|general|governor|prince|princess|duke|pope|reformer|ruler|commander|clockmaker|astronomer|navigator|carpenter"
    r"|merchant|chair|chairman|student|leader|missionary|judge|soldier|scholar|sculptor|professor|surgeon|lord|daughter|son|wife|man|woman)\b"
)
_POINTING = re.compile(r"\b(?:of that|(?:of|in|into|on|to|for|from|with) (?:this|these|those)|such a|the same)\b")
_FEWEST = 5
"""Words of what is told of it."""

_OTHERS = {
    "es": (re.compile(r"(?P<subject>(?:El|La|Los|Las|Un|Una|[A-ZÀ-Þ][^\s,;:]+)[^,;:]{0,50}?) (?P<be>es|son) (?:un|una|unos|unas|el|la) (?P<told>(?!más\b|mayor\b).+)"), "¿Qué {be} {subject}?"),
    "de": (re.compile(r"(?P<subject>(?:Der|Die|Das|Ein|Eine|[A-ZÀ-Þ][^\s,;:]+)[^,;:]{0,50}?) (?P<be>ist|sind) (?:eine?|der|die|das) (?P<told>.+)"), "Was {be} {subject}?"),
    "fr": (re.compile(r"(?P<subject>(?:Le|La|Les|L['’]|[A-ZÀ-Þ][^\s,;:]+)[^,;:]{0,50}?) (?P<be>est|sont) (?:une?|des|le|la) (?P<told>.+)"), "Qu'est-ce que {subject} ?"),
}  # fmt: skip
_UNCLEAR_ELSEWHERE = re.compile(
    r"\b(?:est[aeo]s?|es[aeo]s?|su|sus|que|otr[oa]s?|mism[oa]s?|primer[oa]?|según|pero|también|no|se|fue|ahora|más|era|cuando|donde"
    r"|dies\w*|sein\w*|ihr\w*|andere\w*|erste\w*|auch|nicht|aber|wenn|war|wurde|er|sie|es|hier|dort|dabei|nur"
    r"|ce|cet|cette|ces|son|sa|ses|leurs?|qui|autres?|même|premi\w+|aussi|mais|il|elle|c['’]|en|on|dans|où|était)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:El|La|Los|Las|Un|Una|Der|Die|Das|Ein|Eine|Le|Les)(?= )|L['’]")


def subject(phrase: str, chunk: str, *, generic: bool = False, defined: bool = False) -> str | None:
    """`phrase`, from the beginning of a sentence of `chunk`, as it stands in a question; None if it is unclear.

    It holds a name; a `generic` one may be of a kind ("a water clock", "steam engines"), a `defined` one any word.
    """
    words = phrase.split()
    if not 1 <= len(words) <= 9 or re.search(r"[,;:?!\"“”«»()\[\]|<>{}#*=@…/]|\. ", phrase):
        return None
    article = words[0].lower() if words[0].lower() in {"the", "a", "an"} else ""
    bare = words[1:] if article else words
    if not bare or _UNCLEAR.search(phrase) or _LEADING.match(phrase):
        return None
    shown = article + phrase[len(article) :]
    named = is_name(bare, chunk, first=not article)
    if named or any(word[0].isupper() for word in bare[1:]):
        names = [word for word in bare if word[0].isupper()]
        peoples = len(names) == 1 and _OF_A_PEOPLE.search(names[0])
        # "The clock in Salisbury Cathedral" is one thing, "a clock in Salisbury" and "the European settlement" are any.
        if article in {"a", "an"} or (article and peoples and not generic):
            return None
        return shown if article or named or bare[0].lower() not in chunk.split() else _lowered(phrase)
    if not generic or (article == "the" and len(bare) < 2):
        return None
    if not article and len(bare) == 1 and _VAGUE.search(bare[0]):
        return None
    if not article and len(bare) == 1 and bare[0].lower() not in chunk.split():
        # A name that stands at the beginning of a sentence alone cannot be told from a kind: it keeps its capital.
        return phrase if defined else None
    return shown if article else _lowered(phrase)


def is_name(words: list[str], chunk: str, *, first: bool = True) -> bool:
    """Whether the words begin with a proper name; at the beginning of a sentence a capital alone proves nothing."""
    word = re.sub(r"['’]s?$", "", words[0])
    if not word[:1].isupper():
        return False
    if not first or word != words[0] or any(letter.isupper() or letter.isdigit() for letter in word[1:]):
        return True
    if re.search(rf"(?<=[a-z,] ){re.escape(word)}\b", chunk):
        return True
    return len(words) > 1 and words[1][0].isupper() and word.lower() not in chunk.split()


def _lowered(phrase: str) -> str:
    return phrase[0].lower() + phrase[1:]


def clear(rest: str) -> bool:
    """Whether the rest of a clause names all that it speaks of."""
    return not re.search(
        r"\b(?:this|that|these|those|it|its|he|his|him|she|hers?|they|theirs?|them|such|same|another|former|latter|others?|there"
        r"|here|then|also|both|which|who|we|our|you|your|the (?:first|second|third|last|only|new|next))\b"
        r"|(?-i:\bthe [a-z-]+(?: (?:in|on|at|to|from|for|with|by|as|and)\b|$))",  # one that was named before: "in the park"
        rest,
        re.IGNORECASE,
    )


class Definition(NamedTuple):
    """`What is a sundial?`, about `a sundial`, which is a kind of `instrument`."""

    query: str
    about: str
    genus: str


def definition(text: str, chunk: str, language: str) -> Definition | None:
    """The question that a defining sentence answers."""
    if language != "en":
        return _other(text, language)
    found = _ENGLISH.match(text) or _BARE.match(text)
    if found is None or len(found["told"].split()) < _FEWEST:
        return None
    genus = _GENUS.match(found["told"])
    if genus is None or _EMPTY.search(genus[0]) or genus["genus"].endswith("est"):
        return None
    if _POINTING.search(found["told"]) or re.match(r"(?:are|were) an? ", f"{found['be']} {found['told']}"):
        return None
    about = subject(found["subject"], chunk, generic=True, defined=True)
    bare = found["subject"].split()
    article = bare[0].lower() in {"the", "a", "an"}
    named = is_name(bare[1:] if article else bare, chunk, first=not article)
    # "The tower is a tall building" tells of one tower that was named before, "heat is the largest error" of one trait.
    if about is None or (bare[0].lower() == "the" and not named):
        return None
    if len(bare) == 1 and not named and found["told"].startswith("the "):
        return None
    person = (
        not article and (named or any(word[0].isupper() for word in bare[1:])) and _ROLE.search(f"{about} {genus[0]}")
    )
    # "Atlanta was an ironclad", "Barker was an epileptic": who does not know the text takes the name for something else.
    if found["be"] == "was" and named and not article and not person:
        return None
    return Definition(f"{'Who' if person else 'What'} {found['be']} {about}?", about, genus["genus"])


def _other(text: str, language: str) -> Definition | None:
    pattern, asked = _OTHERS.get(language, (None, ""))
    found = pattern.match(text) if pattern else None
    if found is None or len(found["told"].split()) < _FEWEST:
        return None
    about = found["subject"]
    article = _ARTICLE.match(about)
    words = about.split()
    if _UNCLEAR_ELSEWHERE.search(about) or len(words) > 5 or (article and len(words) == 2 and words[1][0].islower()):
        return None
    about = about[0].lower() + about[1:] if article else about
    return Definition(asked.format(be=found["be"], subject=about), about, "")
