"""Does a query speak of something that it does not name?"""

import re

from ragset.text.rules.blocks import prose
from ragset.text.rules.boilerplate import FUNCTION_WORDS
from ragset.text.rules.phrases import EXPLETIVE

PRONOUNS = {
    "en": "it he him she they them",
    "de": "er ihn ihm ihnen",
    "es": "él ella ellos ellas",
    "fr": "il elle ils elles lui eux",
}
"""Forms that are seldom anything else; `ragset.text.rules.passage_references` knows the wordings of others."""
_ASKING = frozenset(
    """
    what which whose whom how why does did doing can could would should must many much long far old year years time
    explain describe compare state name way ways made makes make

    qué quién quiénes cuál cuáles cuánto cuánta cuántos cuántas cómo cuándo dónde fue año explica describe

    was wer wen wem wessen wie warum wann wo woher wohin welche welcher welches jahr erkläre beschreibe nenne

    que quoi qui quel quelle quels quelles comment pourquoi quand combien est-ce année explique décris
    """.split()  # noqa: SIM905
)
"""Words of asking, which name nothing."""
_NOTHING = {
    "en": re.compile(
        rf"\bit (?:{EXPLETIVE}|(?:called|known|determined|decided|agreed|established|possible|legal|true) "
        r"(?:if|when|that|how|to|who|what|whether)\b)",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:faut|suffit|s['’]agit|s['’]agissait|pleut|neige|gèle|y a-t|y avait|existe-t|convient)-il\b|\bil (?:interdit|permis"
        r"|possible|impossible|nécessaire|obligatoire|important|utile|difficile|facile|dangereux|conseillé|recommandé|préférable"
        r"|vrai|temps|froid|chaud|beau|nuit|jour|arrivé que)\b",
        re.IGNORECASE,
    ),
}
"""Where `it` stands for nothing, or for a clause that follows: "How long does it take to …"."""
_WORD = re.compile(r"[^\W\d_][\w'’]*")


def unnamed(query: str, language: str = "en") -> str | None:
    """The pronoun that comes before anything it could stand for ("In what year did it open?"), or None.

    After a word of content it is let pass: "What happens to water when it freezes?". So is everything in a language
    that has no table here.
    """
    pronouns = PRONOUNS.get(language, "").split()
    for found in _WORD.finditer(prose(query)):
        word = found[0].casefold()
        if word in pronouns and not _stands_for_nothing(found, language):
            return found[0]
        # In German the verb stands before its subject, and nouns have a capital.
        noun = language != "de" or (found[0][0].isupper() and found.start() > 0)
        if noun and word not in FUNCTION_WORDS and word not in _ASKING and len(word) > 2:
            return None
    return None


def _stands_for_nothing(found: re.Match[str], language: str) -> bool:
    if language not in _NOTHING:
        return False
    return any(one.start() <= found.start() < one.end() for one in _NOTHING[language].finditer(found.string))
