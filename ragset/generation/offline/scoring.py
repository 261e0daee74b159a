"""How much a chunk has to ask about: by what explains, what is linked and what comes again in its sentences."""

import re
from collections import Counter

from ragset.generation.offline.answer import content
from ragset.generation.offline.judge import judge_chunk
from ragset.generation.offline.language import guess_language
from ragset.generation.offline.text import Sentence, sentences, words
from ragset.llm.replies import ChunkScores, Grade

_EXPLAINING = re.compile(
    r"\b(?:because|since|so that|therefore|thus|hence|thereby|owing to|due to|as a result|result(?:s|ed|ing)? in|lead(?:s|ing)? to"
    r"|led to|causes?|caused|depends? on|in order to|means? that|called|known as|defined as|refers? to|consists? of|unless|whereas"
    r"|rather than|instead of|used (?:to|for|as)|allow(?:s|ed|ing)?|enabl(?:es|ed|ing)|prevent(?:s|ed|ing)?|ensur(?:es|ed|ing)"
    r"|by \w+ing|if|when|while|than|although|though|despite|such as|for example|to (?:avoid|reduce|keep|protect|measure|improve|make|help)"
    r"|which (?:is|are|means|makes|made|keeps|led|allows?))\b"
    r"|\b(?:porque|ya que|puesto que|debido a|por lo tanto|por tanto|por eso|gracias a|a causa de|con el fin de|depende de|consiste en"
    r"|se llama|conocid[oa]s? como|se denomina|significa|si|cuando|aunque|mientras que|a pesar de|más que|en lugar de|permit\w+|provoc\w+"
    r"|para (?:que|evitar|reducir|proteger|mejorar|medir)|por ejemplo|como resultado|sirve[n]? para|se (?:utiliza|usa)n? para)\b"
    r"|\b(?:weil|denn|daher|deshalb|dadurch|damit|sodass|wegen|aufgrund|um .{2,60} zu|wenn|obwohl|während|als ob|besteht aus|bestehen aus"
    r"|heißt|bezeichnet|bedeutet|genannt|ermöglicht|verhindert|führt zu|hängt von|statt|anstatt|zum Beispiel)\b"
    r"|\b(?:parce que|car|puisque|donc|grâce à|à cause de|afin (?:de|que)|en raison de|dépend de|consiste|s['’]appelle|signifie|permet\w*"
    r"|empêche\w*|lorsque|quand|bien que|tandis que|au lieu de|par exemple|plutôt que|malgré|conduit à)\b",
    re.IGNORECASE,
)
"""Causes, means, conditions, definitions, contrasts."""
_FIGURE = re.compile(r"\d")
_GOING_ON = re.compile(
    r"(?:it|they|he|she|this|these|that|those|its|their|his|her|such|both|another|however|but|and|so|yet|then|also|instead|therefore"
    r"|thus|hence|moreover|furthermore|later|finally|meanwhile|as a result|in contrast|for example|for instance|because of this|since then"
    r"|este|esta|estos|estas|ese|esa|eso|esto|él|ella|ellos|ellas|su|sus|sin embargo|además|por lo tanto|por eso|así|también|pero"
    r"|más tarde|luego|después|finalmente|por ejemplo|er|sie|es|dies\w*|ihr\w*|sein\w*|jedoch|außerdem|daher|deshalb|aber|auch|dann|später"
    r"|il|elle|ils|elles|ce|cet|cette|ces|son|sa|ses|leur|leurs|cependant|toutefois|ainsi|donc|mais|aussi|ensuite|puis|enfin)\b",
    re.IGNORECASE,
)
"""How a sentence begins that follows from one before."""
_SHORTEST = 4
"""Words of a sentence that counts."""


def score_chunk(chunk: str) -> ChunkScores:
    """Grades from counts of sentences; 2 throughout in a language that there are no rules for."""
    judged = judge_chunk(chunk)
    if not judged.not_metadata:
        return ChunkScores(reason=judged.reason, clarity=1, depth=1, structure=1, relevance=1)
    prose = [one for one in sentences(chunk) if len(words(one.text)) >= _SHORTEST]
    if guess_language(chunk) is None or not prose:
        reason = "By rule: no rule for this language."
        return ChunkScores(reason=reason, clarity=2, depth=2, structure=2, relevance=2)
    explaining = sum(_EXPLAINING.search(one.text) is not None for one in prose)
    figures = sum(_FIGURE.search(one.text) is not None for one in prose)
    linked, about = _linked(prose), _about(prose)
    said = (
        f"By rule: of {len(prose)} sentences {explaining} explain and {figures} hold figures, {_percent(linked)} are linked to"
        f" one before, {_percent(about)} speak of what the passage speaks of most"
    )
    return ChunkScores(
        reason=f"{said}; {judged.reason.removeprefix('By rule: ')}",
        clarity=3 if judged.self_containment else 1,
        depth=_depth(len(prose), explaining, figures),
        structure=_grade(linked, 0.6, 0.25) if len(prose) > 1 else 2,
        relevance=_grade(about, 0.6, 0.3),
    )


def _depth(count: int, explaining: int, figures: int) -> Grade:
    """3 for two explanations, or one in a short passage; 2 for one, or for figures."""
    if explaining >= 2 or (explaining and count <= 3):
        return 3
    return 2 if explaining or figures >= 0.3 * count else 1


def _linked(prose: list[Sentence]) -> float:
    """Share of the sentences after the first that go on from one before, by a word or by what they speak of."""
    if len(prose) < 2:
        return 1.0
    before = set(content(prose[0].text))
    linked = 0
    for one in prose[1:]:
        here = set(content(one.text))
        linked += _goes_on(one) or bool(here & before)
        before |= here
    return linked / (len(prose) - 1)


def _goes_on(sentence: Sentence) -> bool:
    return _GOING_ON.match(sentence.text.lstrip("\"'“”«¿¡(*_ ")) is not None


def _about(prose: list[Sentence]) -> float:
    """Share of the sentences that hold one of the three words of substance that come most often, or go on from one before."""
    held = [set(content(one.text)) for one in prose]
    frequency = Counter(word for found in held for word in sorted(found))
    most = {word for word, times in frequency.most_common(3) if times > 1}
    if len(prose) == 1:
        return 1.0
    return sum(
        bool(found & most) or (place > 0 and _goes_on(one))
        for place, (found, one) in enumerate(zip(held, prose, strict=True))
    ) / len(prose)


def _grade(share: float, fully: float, partly: float) -> Grade:
    return 3 if share >= fully else 2 if share >= partly else 1


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"
