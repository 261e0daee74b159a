"""The persona and the sample queries whose style a query imitates. Style alone is taken; rules notice where more came along."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from rapidfuzz import fuzz

from ragset.generation.query_samples import Samples
from ragset.generation.weighted_choice import choose
from ragset.llm.ask import Complaint
from ragset.models import Candidate, Chunk
from ragset.settings import OFFLINE, ContextWritingSettings, Persona, WritingSettings
from ragset.text.languages import guess_language
from ragset.text.rules.content_words import (
    content_words,
    folded_words,
    inflected,
    manner_stems,
    names_in,
    wording_of,
)
from ragset.text.rules.stopwords import small_words

NO_SAMPLES = Samples()
PERSONA = "persona"
"""Name of an input of the drafting prompts, and key of the metadata."""
SAMPLES = "samples"
_COPY = 90
"""Likeness of words, of 100, from which a query copies a sample."""
_RARE = 500
"""A word is rare if one of so many samples has it, or a single sample of fewer."""
_SHORTEST = 3
"""Letters of a word that says what a query is about."""
_NAMED = 5
"""Words that a complaint names."""

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
    """Those that the prompt shows."""
    among: tuple[str, ...] = ()
    """All that they were drawn from; empty: these alone."""

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
    chunk: Chunk, personas: Sequence[Persona], samples: Samples, *, seed: int, model: str
) -> WritingStyle:
    """The style in which `model` asks about `chunk`, drawn from seed and chunk. The offline rules imitate nobody."""
    weights = {persona.name: persona.weight for persona in personas}
    name = choose(weights, seed, PERSONA, chunk.id) if weights else ""
    return _style(name, chunk, personas, samples, model)


def drafted_writing_style(
    candidate: Candidate, personas: Sequence[Persona], samples: Samples, *, model: str
) -> WritingStyle:
    """The style in which the candidate's query was drafted, whatever has become of its chunks since."""
    return _style(candidate.metadata.get(PERSONA, ""), candidate.chunks[0], personas, samples, model)


def _style(name: str, chunk: Chunk, personas: Sequence[Persona], samples: Samples, model: str) -> WritingStyle:
    if model == OFFLINE:
        return PLAIN
    persona = next((persona for persona in personas if persona.name == name), None)
    return WritingStyle(persona, samples.near(chunk.text), samples.queries)


def notice(writing: WritingSettings | ContextWritingSettings, model: str) -> str | None:
    """A line for someone who asks for personas or samples and names no model."""
    if model != OFFLINE or not (writing.personas or writing.samples):
        return None
    return (
        "The offline rules do not imitate personas or samples: queries are worded as always. Name a model with --model."
    )


def complain_of_writing_style(
    query: str | None, style: WritingStyle, passages: Sequence[str], language: str = "en"
) -> Complaint | None:
    """What to mend about a query that took over more than the style."""
    if query and style.persona and _shows(query, style.persona, passages, language):
        return Complaint(
            reason="speaks_of_persona",
            message="The query says who asks. Word it as that person would, and leave out who they are.",
        )
    return _complain_of_samples(query, style, passages, language) if query and style.samples else None


def _shows(query: str, persona: Persona, passages: Sequence[str], language: str) -> bool:
    """Whether it says that the persona asks: it opens with "As a night nurse …", or names it where no passage does.

    A query may well ask about a "customer": of a name of one word only how the query opens counts.
    """
    name = content_words(persona.name, language)
    opening = _AS.match(query.lstrip(" \"'“«¿"))
    if opening and set(name) & set(content_words(opening[1], language)):
        return True
    says_who = _OPENING.get(language)
    if says_who is not None and says_who.match(query):
        return True
    words = content_words(query, language)
    named = any(tuple(words[at : at + len(name)]) == tuple(name) for at in range(len(words)))
    if len(name) < 2 or not named:
        return False
    return not any(set(name) <= set(content_words(passage, language)) for passage in passages)


def _complain_of_samples(query: str, style: WritingStyle, passages: Sequence[str], language: str) -> Complaint | None:
    asked = " ".join(folded_words(query))
    if any(fuzz.ratio(asked, " ".join(folded_words(sample))) >= _COPY for sample in style.samples):
        return Complaint(
            reason="copies_sample",
            message="The query is one of the samples over again. Ask about the passage, in their manner alone.",
        )
    # Of passages in another language than the query none of its words is known.
    if any(guess_language(passage) not in (language, None) for passage in passages):
        return None
    known = {word for passage in passages for word in _stems(passage, language)}
    new = [word for word in dict.fromkeys(_stems(query, language)) if not _known(word, known)]
    subjects = {word for sample in style.samples for word in _taken(new, sample, style, language)}
    taken = [word for word in new if word in subjects]
    if not taken:
        return None
    named = ", ".join(f'"{_as_written(word, query, language)}"' for word in taken[:_NAMED])
    return Complaint(
        reason="copies_sample",
        message=f"The query takes {named} from a sample, and the passage does not have it. Take the manner of the samples "
        "alone, and every subject from the passage.",
    )


def _taken(words: Sequence[str], sample: str, style: WritingStyle, language: str) -> set[str]:
    """Those of these stems that are the sample's subject: a name, a number, a rare word, or two ordinary ones.

    Any two queries may share a single word such as "side".
    """
    times, names, rare = _among(style.among or style.samples, language)
    wording = wording_of(sample, language, names)
    general = manner_stems(language) | set(small_words(language).numbers.values())
    written = set(folded_words(sample))
    found: set[str] = set()
    telling = False
    for word in wording.core.intersection(words) - general:
        if any(map(str.isdigit, word)):
            # A numeral in letters, and a digit by itself, count something.
            if word in written and len(word) > 1:
                found.add(word)
                telling = True
        elif not (word.isascii() and len(word) < _SHORTEST):
            found.add(word)
            named = word in wording.names and not sample.isupper()
            telling = telling or named or times[word] <= rare
    return found if telling or len(found) > 1 else set()


@lru_cache(maxsize=4)
def _among(samples: tuple[str, ...], language: str) -> tuple[Counter[str], frozenset[str], int]:
    """In how many samples each stem is, the names in them, and the most samples that a rare stem is in."""
    times = Counter(word for sample in samples for word in set(content_words(sample, language)))
    return times, names_in(samples), max(1, len(samples) // _RARE)


def _stems(text: str, language: str) -> Sequence[str]:
    return wording_of(text, language, frozenset()).content


def _known(word: str, known: set[str]) -> bool:
    return word in known or any(inflected(word, other) for other in known)


def _as_written(stem: str, query: str, language: str) -> str:
    """The word of the query that has that stem; of a numeral the stem itself."""
    words = re.findall(r"[^\W_]+", query)
    return next((word for word in words if stem in _stems(word, language)), stem)
