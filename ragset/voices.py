"""Whose way of writing a query has: a persona's, drawn for each chunk, and that of real queries near to it.

Style alone is taken from either, never what they are about. Rules look for what came along all the same.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from rapidfuzz import fuzz

from ragset.bm25 import tokenise
from ragset.language import guess_language
from ragset.llm.ask import Complaint
from ragset.mix import choose
from ragset.models import Chunk
from ragset.rules.manner import manner_stems
from ragset.rules.wording import Wording, folded_words, inflected, wording_of
from ragset.samples import Samples
from ragset.settings import OFFLINE, ContextWritingSettings, Persona, WritingSettings

NO_SAMPLES = Samples()
PERSONA = "persona"
"""Name of an input of the drafting prompts, and key of the metadata."""
SAMPLES = "samples"
_COPY = 90
"""Likeness of words, of 100, from which a query is a sample over again."""
_NAMED = 5
"""Words that a model is told of at once."""

_SAYS_WHO = {
    "en": r"(?:i am|i['’]m) an?\b|speaking as\b|as an?\b[^.?!]{1,60}?\b(?:i|i['’]\w+|my|me)\b",
    "es": r"soy un[ao]?\b|(?:como|trabajo como)\b[^.?!,]{1,60},[^.?!]{0,20}\b(?:yo|quiero|necesito|quisiera|me|mi)\b",
    "de": r"ich (?:bin|arbeite als) \w+|als (?!was\b|wer\b)[^.?!]{1,60}?\b(?:ich|mich|mir|meine?\w*)\b",
    "fr": r"je suis une?\b|en tant qu|comme\b[^.?!,]{1,60},[^.?!]{0,20}\b(?:je|j['’]\w+|me|ma|mon)\b",
}
"""How a query opens that says who asks it."""
_AS = re.compile(r"(?:as|como|als|comme|en tant qu(?:e|['’]))\s+([^,.?!]{1,60})", re.IGNORECASE)
_OPENING = {language: re.compile(rf"[\W_]*(?:{said})", re.IGNORECASE) for language, said in _SAYS_WHO.items()}


class Voice(NamedTuple):
    """A way to word one query."""

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


PLAIN = Voice()


def voice_of(chunk: Chunk, personas: Sequence[Persona], samples: Samples, *, seed: int, model: str) -> Voice:
    """The voice in which `model` is to ask about `chunk`: the same for the same chunk whatever the order of chunks.

    Rules imitate nobody, so the offline model has none.
    """
    if model == OFFLINE:
        return PLAIN
    by_name = {persona.name: persona for persona in personas}
    weights = {name: persona.weight for name, persona in by_name.items()}
    persona = by_name[choose(weights, seed, PERSONA, chunk.id)] if weights else None
    return Voice(persona, samples.near(chunk.text))


def notice(writing: WritingSettings | ContextWritingSettings, model: str) -> str | None:
    """A line for someone who asks for voices and names no model."""
    if model != OFFLINE or not (writing.personas or writing.samples):
        return None
    return (
        "The offline rules do not imitate personas or samples: queries are worded as always. Name a model with --model."
    )


def complain_of_voice(
    query: str | None, voice: Voice, passages: Sequence[str], language: str = "en"
) -> Complaint | None:
    """What a model should mend about a query that took over more than the style."""
    if not query:
        return None
    return (voice.persona and _complain_of_persona(query, voice.persona, passages, language)) or (
        _complain_of_samples(query, voice.samples, passages, language) if voice.samples else None
    )


def _complain_of_persona(query: str, persona: Persona, passages: Sequence[str], language: str) -> Complaint | None:
    if not _shows(query, persona, passages, language):
        return None
    return Complaint(
        reason="speaks_of_persona",
        message="The query says who asks. Word it as that person would, and leave out who they are.",
    )


def _shows(query: str, persona: Persona, passages: Sequence[str], language: str) -> bool:
    """Whether it says that the persona asks: it names it where no passage does, or opens with "As a night nurse …"."""
    name = tokenise(persona.name)
    if _holds(tokenise(query), name) and not any(_holds(tokenise(passage), name) for passage in passages):
        return True
    opening = _AS.match(query.lstrip(" \"'“«¿"))
    told = set(wording_of(persona.name, language, frozenset()).content)
    if opening and told & set(wording_of(opening[1], language, frozenset()).content):
        return True
    says_who = _OPENING.get(language)
    return says_who is not None and says_who.match(query) is not None


def _holds(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether the words have that run in them; an empty run is nowhere."""
    return bool(run) and any(list(words[at : at + len(run)]) == list(run) for at in range(len(words)))


def _complain_of_samples(
    query: str, samples: Sequence[str], passages: Sequence[str], language: str
) -> Complaint | None:
    asked = " ".join(folded_words(query))
    if any(fuzz.ratio(asked, " ".join(folded_words(sample))) >= _COPY for sample in samples):
        return Complaint(
            reason="copies_sample",
            message="The query is one of the samples over again. Ask about the passage, in their manner alone.",
        )
    # Of passages in another language than the query none of its words is known.
    if any(guess_language(passage) not in (language, None) for passage in passages):
        return None
    ours = _wording(query, language)
    theirs = {word for sample in samples for word in _wording(sample, language).core} - manner_stems(language)
    known = {word for passage in passages for word in _wording(passage, language).content}
    taken = [word for word in dict.fromkeys(ours.content) if word in theirs and not _known(word, known)]
    if not taken:
        return None
    named = ", ".join(f'"{_as_written(word, query, language)}"' for word in taken[:_NAMED])
    return Complaint(
        reason="copies_sample",
        message=f"The query takes {named} from a sample, and the passage does not have it. Take the manner of the samples "
        "alone, and every subject from the passage.",
    )


def _wording(text: str, language: str) -> Wording:
    return wording_of(text, language, frozenset())


def _known(word: str, known: set[str]) -> bool:
    return word in known or any(inflected(word, other) for other in known)


def _as_written(stem: str, query: str, language: str) -> str:
    """The word of the query that has that stem; of a numeral the stem itself."""
    words = re.findall(r"[^\W_]+", query)
    return next((word for word in words if stem in _wording(word, language).content), stem)
