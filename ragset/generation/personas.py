"""Whose way of writing a query has: a persona's, drawn for each chunk, and that of real queries near to it.

Style alone is taken from either, never what they are about. Rules look for what came along all the same.
"""

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
from ragset.text.rules.content_words import Wording, content_words, folded_words, inflected, names_in, wording_of
from ragset.text.rules.stopwords import small_words
from ragset.text.rules.style_words import manner_stems

NO_SAMPLES = Samples()
PERSONA = "persona"
"""Name of an input of the drafting prompts, and key of the metadata."""
SAMPLES = "samples"
_COPY = 90
"""Likeness of words, of 100, from which a query is a sample over again."""
_RARE = 500
"""A word is rare where one of so many samples has it; in fewer samples, where a single one has it."""
_A_PHRASE = 2
"""Words."""
_SHORTEST = 3
"""Letters of a word that says what a query is about."""
_SEVERAL = 2
"""Words that are a subject, however ordinary each is."""
_NAMED = 5
"""Words that a model is told of at once."""

_SAYS_WHO = {
    "en": r"(?:i am|i['’]m|i work as) an?\b|speaking as\b|as an?\b[^.?!]{1,60}?\b(?:i|i['’]\w+|my|me)\b",
    "es": r"soy un[ao]?\b|(?:como|trabajo como)\b[^.?!,]{1,60},[^.?!]{0,20}\b(?:yo|quiero|necesito|quisiera|me|mi)\b",
    "de": r"ich (?:bin|arbeite als) \w+|als (?!was\b|wer\b)[^.?!]{1,60}?\b(?:ich|mich|mir|meine?\w*)\b",
    "fr": r"je suis une?\b|en tant qu|comme\b[^.?!,]{1,60},[^.?!]{0,20}\b(?:je|j['’]\w+|me|ma|mon)\b",
}
"""How a query opens that says who asks it."""
_AS = re.compile(r"(?:as|como|als|comme|en tant qu(?:e|['’]))\s+([^,.?!]{1,60})", re.IGNORECASE)
_OPENING = {language: re.compile(rf"[\W_]*(?:{said})", re.IGNORECASE) for language, said in _SAYS_WHO.items()}


class QueryVoice(NamedTuple):
    """A way to word one query."""

    persona: Persona | None = None
    samples: tuple[str, ...] = ()
    """Those that are shown."""
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


PLAIN = QueryVoice()


def voice_of(chunk: Chunk, personas: Sequence[Persona], samples: Samples, *, seed: int, model: str) -> QueryVoice:
    """The voice in which `model` is to ask about `chunk`: the same for the same chunk whatever the order of chunks.

    Rules imitate nobody, so the offline model has none.
    """
    if model == OFFLINE:
        return PLAIN
    by_name = {persona.name: persona for persona in personas}
    weights = {name: persona.weight for name, persona in by_name.items()}
    persona = by_name[choose(weights, seed, PERSONA, chunk.id)] if weights else None
    return QueryVoice(persona, samples.near(chunk.text), samples.queries)


def voice_kept(candidate: Candidate, personas: Sequence[Persona], samples: Samples, *, model: str) -> QueryVoice:
    """The voice that the candidate's query was drafted in, whatever has become of its chunks since."""
    if model == OFFLINE:
        return PLAIN
    name = candidate.metadata.get(PERSONA)
    persona = next((persona for persona in personas if persona.name == name), None)
    return QueryVoice(persona, samples.near(candidate.chunks[0].text), samples.queries)


def notice(writing: WritingSettings | ContextWritingSettings, model: str) -> str | None:
    """A line for someone who asks for voices and names no model."""
    if model != OFFLINE or not (writing.personas or writing.samples):
        return None
    return (
        "The offline rules do not imitate personas or samples: queries are worded as always. Name a model with --model."
    )


def complain_of_voice(
    query: str | None, voice: QueryVoice, passages: Sequence[str], language: str = "en"
) -> Complaint | None:
    """What a model should mend about a query that took over more than the style."""
    if not query:
        return None
    return (voice.persona and _complain_of_persona(query, voice.persona, passages, language)) or (
        _complain_of_samples(query, voice, passages, language) if voice.samples else None
    )


def _complain_of_persona(query: str, persona: Persona, passages: Sequence[str], language: str) -> Complaint | None:
    if not _shows(query, persona, passages, language):
        return None
    return Complaint(
        reason="speaks_of_persona",
        message="The query says who asks. Word it as that person would, and leave out who they are.",
    )


def _shows(query: str, persona: Persona, passages: Sequence[str], language: str) -> bool:
    """Whether it says that the persona asks: it opens with "As a night nurse …", or names it where no passage does.

    In a name of one word, such as "customer", it may well ask about one: only how it opens counts.
    """
    name = content_words(persona.name, language)
    opening = _AS.match(query.lstrip(" \"'“«¿"))
    if opening and set(name) & set(content_words(opening[1], language)):
        return True
    says_who = _OPENING.get(language)
    if says_who is not None and says_who.match(query):
        return True
    if len(name) < _A_PHRASE or not _holds(content_words(query, language), name):
        return False
    return not any(set(name) <= set(content_words(passage, language)) for passage in passages)


def _holds(words: Sequence[str], run: Sequence[str]) -> bool:
    """Whether the words have that run in them."""
    return any(tuple(words[at : at + len(run)]) == tuple(run) for at in range(len(words)))


def _complain_of_samples(query: str, voice: QueryVoice, passages: Sequence[str], language: str) -> Complaint | None:
    asked = " ".join(folded_words(query))
    if any(fuzz.ratio(asked, " ".join(folded_words(sample))) >= _COPY for sample in voice.samples):
        return Complaint(
            reason="copies_sample",
            message="The query is one of the samples over again. Ask about the passage, in their manner alone.",
        )
    # Of passages in another language than the query none of its words is known.
    if any(guess_language(passage) not in (language, None) for passage in passages):
        return None
    ours = _wording(query, language)
    known = {word for passage in passages for word in _wording(passage, language).content}
    new = [word for word in dict.fromkeys(ours.content) if not _known(word, known)]
    theirs = {word for sample in voice.samples for word in _taken(new, sample, voice, language)}
    taken = [word for word in new if word in theirs]
    if not taken:
        return None
    named = ", ".join(f'"{_as_written(word, query, language)}"' for word in taken[:_NAMED])
    return Complaint(
        reason="copies_sample",
        message=f"The query takes {named} from a sample, and the passage does not have it. Take the manner of the samples "
        "alone, and every subject from the passage.",
    )


def _taken(words: Sequence[str], sample: str, voice: QueryVoice, language: str) -> set[str]:
    """Those of these stems that are the sample's subject: a name, a number, one that hardly any other has, or several.

    Any two queries may share a single word such as "side".
    """
    among = _among(voice.among or voice.samples, language)
    wording = wording_of(sample, language, among.names)
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
            telling = telling or named or among.times[word] <= among.rare
    return found if telling or len(found) >= _SEVERAL else set()


class _Among(NamedTuple):
    """All samples together."""

    times: Counter[str]
    """How many have a stem."""
    names: frozenset[str]
    rare: int
    """The most samples that have a rare one."""


@lru_cache(maxsize=4)
def _among(samples: tuple[str, ...], language: str) -> _Among:
    times = Counter(word for sample in samples for word in set(content_words(sample, language)))
    return _Among(times, names_in(samples), max(1, len(samples) // _RARE))


def _wording(text: str, language: str) -> Wording:
    return wording_of(text, language, frozenset())


def _known(word: str, known: set[str]) -> bool:
    return word in known or any(inflected(word, other) for other in known)


def _as_written(stem: str, query: str, language: str) -> str:
    """The word of the query that has that stem; of a numeral the stem itself."""
    words = re.findall(r"[^\W_]+", query)
    return next((word for word in words if stem in _wording(word, language).content), stem)
