"""Definitions: `X is a Y that …`, in four languages."""

import re
from typing import NamedTuple

from ragset.generation.offline.subjects import is_name, subject

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
_POINTING = re.compile(r"\b(?:of that|of this|such a|the same)\b")
_FEWEST = 5
"""Words of what is told of it."""

_OTHERS = {
    "es": (re.compile(r"(?P<subject>(?:El|La|Los|Las|Un|Una|[A-ZÀ-Þ][^\s,;:]+)[^,;:]{0,50}?) (?P<be>es|son) (?:un|una|unos|unas|el|la) (?P<told>(?!más\b|mayor\b).+)"), "¿Qué {be} {subject}?"),
    "de": (re.compile(r"(?P<subject>(?:Der|Die|Das|Ein|Eine|[A-ZÀ-Þ][^\s,;:]+)[^,;:]{0,50}?) (?P<be>ist|sind) (?:eine?|der|die|das) (?P<told>.+)"), "Was {be} {subject}?"),
    "fr": (re.compile(r"(?P<subject>(?:Le|La|Les|L['’]|[A-ZÀ-Þ][^\s,;:]+)[^,;:]{0,50}?) (?P<be>est|sont) (?:une?|des|le|la) (?P<told>.+)"), "Qu'est-ce que {subject} ?"),
}  # fmt: skip
_UNCLEAR = re.compile(
    r"\b(?:est[aeo]s?|es[aeo]s?|su|sus|que|otr[oa]s?|mism[oa]s?|primer[oa]?|según|pero|también|no|se|fue|ahora|más|era|cuando|donde"
    r"|dies\w*|sein\w*|ihr\w*|andere\w*|erste\w*|auch|nicht|aber|wenn|war|wurde|er|sie|es|hier|dort|dabei|nur"
    r"|ce|cet|cette|ces|son|sa|ses|leurs?|qui|autres?|même|premi\w+|aussi|mais|il|elle|c['’]|en|on|dans|où|était)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"(?:El|La|Los|Las|Un|Una|Der|Die|Das|Ein|Eine|Le|Les)(?= )|L['’]")


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
    if _UNCLEAR.search(about) or len(words) > 5 or (article and len(words) == 2 and words[1][0].islower()):
        return None
    about = about[0].lower() + about[1:] if article else about
    return Definition(asked.format(be=found["be"], subject=about), about, "")
