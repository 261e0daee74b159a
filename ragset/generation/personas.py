"""The persona and the sample queries whose style a query imitates. Style alone is taken; rules notice where more came along."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from rapidfuzz import fuzz

from ragset.generation.query_samples import Samples
from ragset.generation.weighted_choice import choose
from ragset.llm.ask import Complaint
from ragset.models import Candidate
from ragset.settings import OFFLINE, AnyWriting, Persona
from ragset.text.languages import guess_language
from ragset.text.rules.content_words import content_words, folded_words, inflected, names_in, stems, wording_of
from ragset.text.rules.tables import small_words

PERSONA = "persona"
SAMPLES = "samples"

_SAYS_WHO = {
    "en": r"(?:i am|i['’]m|i work as) an?\b|speaking as\b|as an?\b[^.?!]{1,60}?\b(?:i|i['’]\w+|my|me)\b",
    "es": r"soy un[ao]?\b|(?:como|trabajo como)\b[^.?!,]{1,60},[^.?!]{0,20}\b(?:yo|quiero|necesito|quisiera|me|mi)\b",
    "de": r"ich (?:bin|arbeite als) \w+|als (?!was\b|wer\b)[^.?!]{1,60}?\b(?:ich|mich|mir|meine?\w*)\b",
    "fr": r"je suis une?\b|en tant qu|comme\b[^.?!,]{1,60},[^.?!]{0,20}\b(?:je|j['’]\w+|me|ma|mon)\b",
}
"""How a query opens that says who asks it."""
_AS = re.compile(r"(?:as|como|als|comme|en tant qu(?:e|['’]))\s+([^,.?!]{1,60})", re.IGNORECASE)
_OPENING = {language: re.compile(rf"[\W_]*(?:{said})", re.IGNORECASE) for language, said in _SAYS_WHO.items()}


class WritingStyle(NamedTuple):
    """Whom the writer of one query imitates."""

    persona: Persona | None = None
    samples: tuple[str, ...] = ()

    @property
    def inputs(self) -> dict[str, Any]:
        """What a drafting prompt gets beside its passages; nothing of what is not asked for."""
        said: dict[str, Any] = {PERSONA: f"{self.persona.name}: {self.persona.voice}"} if self.persona else {}
        return {**said, SAMPLES: self.samples} if self.samples else said

    @property
    def metadata(self) -> dict[str, str]:
        """The persona's name: samples are somebody's own words, and stay out of datasets."""
        return {PERSONA: self.persona.name} if self.persona else {}


PLAIN = WritingStyle()


def writing_style_of(
    candidate: Candidate, personas: Sequence[Persona], samples: Samples, *, seed: int, model: str
) -> WritingStyle:
    """The style of the candidate's draft, else one drawn by seed and first chunk; the offline rules imitate nobody."""
    if model == OFFLINE:
        return PLAIN
    chunk = candidate.chunks[0]
    name = candidate.metadata.get(PERSONA)
    if personas and name is None:
        name = choose({persona.name: persona.weight for persona in personas}, seed, PERSONA, chunk.id)
    return WritingStyle(next((one for one in personas if one.name == name), None), samples.near(chunk.text))


def notice(writing: AnyWriting, model: str) -> str | None:
    """A line for someone who asks for personas or samples and names no model."""
    if model != OFFLINE or not (writing.personas or writing.samples):
        return None
    said = "The offline rules do not imitate personas or samples: queries are worded as always."
    return f"{said} Name a model with --model."


def complain_of_writing_style(
    query: str | None, style: WritingStyle, passages: Sequence[str], language: str = "en"
) -> Complaint | None:
    """What to mend about a query that took over more than the style."""
    if query and style.persona and _shows(query, style.persona, passages, language):
        message = "The query says who asks. Word it as that person would, and leave out who they are."
        return Complaint(reason="speaks_of_persona", message=message)
    told = _taken(query, style.samples, passages, language) if query and style.samples else ""
    return Complaint(reason="copies_sample", message=told) if told else None


def _shows(query: str, persona: Persona, passages: Sequence[str], language: str) -> bool:
    """Whether the query opens with "As a night nurse …", or holds a persona's name of several words."""
    name = content_words(persona.name, language)
    opening = _AS.match(query.lstrip(" \"'“«¿"))
    says_who = _OPENING.get(language)
    if (opening and set(name) & set(content_words(opening[1], language))) or (says_who and says_who.match(query)):
        return True
    words = content_words(query, language)
    named = len(name) > 1 and any(words[at : at + len(name)] == name for at in range(len(words)))
    return named and not any(set(name) <= set(content_words(passage, language)) for passage in passages)


def _taken(query: str, samples: Sequence[str], passages: Sequence[str], language: str) -> str:
    """What to mend: a copy, or a name, a number or two words that come from one sample and from no passage."""
    asked = " ".join(folded_words(query))
    if any(fuzz.ratio(asked, " ".join(folded_words(sample))) >= 90 for sample in samples):
        return "The query is one of the samples over again. Ask about the passage, in their manner alone."
    # Of passages in another language than the query none of its words is known.
    if any(guess_language(passage) not in (language, None) for passage in passages):
        return ""
    known = {stem for passage in passages for stem in _stems(passage, language)}
    unsaid = set(_stems(query, language)) - known
    new = {stem for stem in unsaid if not any(inflected(stem, other) for other in known)}
    new -= stems(small_words(language).manner, language) | set(small_words(language).numbers.values())
    names = names_in(samples)
    for sample in samples:
        wording = wording_of(sample, language, names)
        taken = wording.core & new
        if len(taken) > 1 or wording.names & taken:
            words = [word for word in re.findall(r"[^\W_]+", query) if taken.intersection(_stems(word, language))]
            named = ", ".join(f'"{word}"' for word in words[:5])
            return (
                f"The query takes {named} from a sample, and the passage does not have it. "
                "Take the manner of the samples alone, and every subject from the passage."
            )
    return ""


def _stems(text: str, language: str) -> Sequence[str]:
    return wording_of(text, language, frozenset()).content
