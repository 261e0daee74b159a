"""Does a query speak of something that it does not name?"""

import re

from ragset.rules.marks import FUNCTION_WORDS

_PRONOUNS = {
    "en": "it its he him his she her hers they them their theirs this these those that such one ones",
    "de": "er ihn ihm sein seine seiner sie ihr ihre ihrer ihnen es dieser diese dieses diesem diesen solche",
    "es": "él ella ello ellos ellas lo la los las le les su sus este esta estos estas esto ese esa esos esas eso",
    "fr": "il elle ils elles le la les lui leur leurs son sa ses celui-ci celle-ci cela ceci",
}
_ARTICLES = {
    "en": r"(?:this|these|those|that|such|one|her|his|its|their)\s+\w|(?:that|one|ones)\b",
    "de": r"(?:sie|es)\b",
    "es": r"(?:lo|la|los|las|le|les|su|sus|este|esta|estos|estas|ese|esa|esos|esas)\s+\w",
    "fr": r"(?:le|la|les|son|sa|ses|leur|leurs|il|elle)\s+\w",
}
"""Forms that are often something else: an article, a possessive that looks ahead, an impersonal subject."""
_ASKING = frozenset(
    """
    what which whose whom how why does did doing can could would should must many much long far old year years time
    explain describe compare state name way ways happens happened

    qué quién quiénes cuál cuáles cuánto cuánta cuántos cuántas cómo cuándo dónde fue año explica describe

    was wer wen wem wessen wie warum wann wo woher wohin welche welcher welches jahr erkläre beschreibe nenne

    que quoi qui quel quelle quels quelles comment pourquoi quand combien est-ce année explique décris
    """.split()  # noqa: SIM905
)
"""Words of asking, which name nothing."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def unnamed(query: str, language: str = "en") -> str | None:
    """The pronoun that comes before anything it could stand for ("How does it differ?"), or None.

    A pronoun after two words of content may stand for them, and is let pass: "When was the clock built that it replaced?".
    """
    pronouns = set(_PRONOUNS.get(language, _PRONOUNS["en"]).split())
    often_else = re.compile(_ARTICLES.get(language, _ARTICLES["en"]), re.IGNORECASE)
    content = 0
    for found in _WORD.finditer(query):
        word = found[0].casefold()
        if word in pronouns and content < 2 and not often_else.match(query, found.start()):
            return found[0]
        if word not in FUNCTION_WORDS and word not in _ASKING and len(word) > 2:
            # A name stands for itself.
            content += 2 if found[0][0].isupper() and found.start() else 1
    return None
