"""Is a chunk worth asking about? By its opening words, its sentences and what `ragset.text.rules.metadata` sees."""

import re

from ragset.generation.offline.text import Sentence, sentences, tidy, words
from ragset.llm.replies import Bit, ChunkVerdict
from ragset.text.rules.boilerplate import FUNCTION_WORDS
from ragset.text.rules.metadata import metadata_reason

_OPENING = re.compile(
    r"(?:he|she|it|they|him|his|her|hers|its|their|them|this|these|that|those|such|here|there(?! (?:is|are|was|were)\b)"
    r"|however|moreover|furthermore|therefore|thus|hence|consequently|nevertheless|nonetheless|instead|meanwhile"
    r"|additionally|besides|accordingly|similarly|likewise|otherwise|conversely|also|and|but|or|nor|so|yet|then|still"
    r"|the (?:(?:latter|former|same|following|above|other)|(?:second|third)(?! (?:of|in|on|after|before|to|is|was)\b))|another|both|neither|either|as a result|in addition"
    r"|for (?:example|instance)|in contrast|on the other hand|in other words|that is|of these|among (?:these|them)"
    r"|este|esta|estos|estas|ese|esa|eso|esto|ellos|ellas|él|ella|sin embargo|además|por lo tanto|así|también|pero"
    r"|dies(?:e[rsnm]?)?|er|sie|es|jedoch|außerdem|daher|deshalb|aber"
    r"|ce|cette|ces|il|elle|ils|elles|cependant|toutefois|ainsi|donc|mais)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\bas (?:seen|shown|described|discussed|mentioned|noted|explained|stated) (?:above|below|earlier|previously|before)\b"
    r"|\b(?:see|in|from|cf\.?) (?:the )?(?:figure|fig\.|table|section|chapter|appendix|equation|eq\.) ?\d"
    r"|\b(?:the|in) (?:figure|table|section|chapter) (?:above|below)\b|\b(?:previous|preceding|next) (?:section|chapter)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\s*(?:#{1,6}\s|=+ .* =+\s*$)")


def judge_chunk(chunk: str) -> ChunkVerdict:
    """1 and 1 for prose that names its subject and says something."""
    finding = metadata_reason(chunk) or _thin(chunk)
    leaning = _leaning(chunk)
    parts = [leaning or "opens with a sentence that names its subject"]
    parts.append(f"{finding[0].replace('_', ' ')}: {finding[1]}" if finding else "says something in sentences")
    contained: Bit = 0 if leaning else 1
    content: Bit = 0 if finding else 1
    return ChunkVerdict(reason="By rule: " + "; ".join(parts) + ".", self_containment=contained, not_metadata=content)


def _leaning(chunk: str) -> str | None:
    """How the chunk depends on what came before it."""
    prose = [sentence for sentence in sentences(chunk) if _is_full(sentence)]
    if not prose:
        return "holds no full sentence"
    first = next((s for s in sentences(chunk) if not _HEADING.match(s.text)), prose[0])
    opening = first.text.lstrip("\"'“”‘’«»([*_>-•¿¡ \t")
    found = _OPENING.match(opening)
    if found:
        return f'opens with "{tidy(found[0])}", which stands for something said before'
    if opening[:1].islower():
        return "opens in the middle of a sentence"
    pointing = _POINTING.search(chunk)
    if pointing:
        return f'points elsewhere with "{tidy(pointing[0])}"'
    return None


def _is_full(sentence: Sentence) -> bool:
    return len(words(sentence.text)) >= 5 and sentence.text.rstrip("\"'”’»)]*_ ")[-1:] in tuple(".!?…:")


def _thin(chunk: str) -> tuple[str, str] | None:
    """A list of names or numbers: hardly any of the small words that sentences need."""
    found = words(chunk)
    if len(found) < 12:
        return None
    share = sum(word in FUNCTION_WORDS for word in found) / len(found)
    if share < 0.1 and not any(_is_full(sentence) for sentence in sentences(chunk)):
        return "list", f"{round(100 * share)} % of its words hold sentences together"
    return None
