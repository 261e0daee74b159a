"""What a question can be about: a phrase that names its thing to somebody who sees the question alone."""

import re

_UNCLEAR = re.compile(
    r"\b(?:this|that|these|those|it|its|itself|he|his|him|himself|she|her|they|their|them|we|us|our|you|your|i|my|who|whom"
    r"|which|whose|what|when|where|while|if|because|although|though|as|than|such|same|other|others|another|former|latter"
    r"|each|every|both|some|many|most|more|few|fewer|several|all|any|one|no|not|also|only|there|here|then|now|thus|so|but"
    r"|or|nor|yet|however|is|are|was|were|be|been|being|has|have|had|do|does|did|can|could|will|would|may|might|must|should"
    r"|today|later|earlier|next|previous|following|above|below|about|after|before|during|since|until|until|according"
    r"|remaining|rest|result|example|case|way|latest|said|second|third)\b",
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
_LONGEST = 9
"""Words."""


def subject(phrase: str, chunk: str, *, generic: bool = False, defined: bool = False) -> str | None:
    """`phrase`, from the beginning of a sentence of `chunk`, as it stands in a question; None if it is unclear.

    It holds a name; a `generic` one may instead be of a kind ("a water clock", "steam engines", "the pendulum clock").
    One that is `defined` by its sentence may be any word alone.
    """
    words = phrase.split()
    if not 1 <= len(words) <= _LONGEST or re.search(r"[,;:?!\"“”«»()\[\]|<>{}#*=@…/]|\. ", phrase):
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
