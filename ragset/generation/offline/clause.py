"""An English sentence taken apart at its verb: subject, verb, and what follows."""

import re
from typing import NamedTuple

from ragset.generation.offline.nouns import full_name, in_sentence, is_capital, standing
from ragset.generation.offline.opening import Opening, take_opening
from ragset.generation.offline.prose import capital, plain, without_connective
from ragset.generation.offline.text import tidy
from ragset.generation.offline.verbs import (
    AUXILIARIES,
    BASES,
    PAST,
    PAST_AUXILIARIES,
    SINGULAR,
    is_finite,
    is_participle,
)

_INSERTION = re.compile(r"(?P<subject>[^,;:]{3,70}?), [^;:]{3,110}?, (?P<verb>[a-z]+)\b")
"""Subject, something between commas, verb."""
_TOKEN = re.compile(r"[$€£]?\w[\w'’&/-]*(?:[.,]\w[\w'’&/-]*)*[%°]?|\S")
_CLAUSE_END = frozenset(
    """, ; : . — – ( ) " “ ” and but or nor who which that whose where when while because since although though if unless
    until as after before so whereas than""".split()  # noqa: SIM905
)
_NOT_BEFORE_VERB = frozenset(
    """the a an of in on at by for with from to into and or but as his her its their our my your this that these those
    very more most less no not some any each every all both such other which who whose many several few two three four
    five six seven eight nine ten first second new old same own""".split()  # noqa: SIM905
)
_DETERMINERS = frozenset(
    """the a an of in on at by for with from to into and or but as his her its their our my your this that these those
    very more most less no not every each which who whose""".split()  # noqa: SIM905
)
_AFTER_PRESENT = frozenset(
    """the a an to on in from with at by for as into through its their his her this that these those no not all both each
    every one two three four five six more most many several some any only up down out off over under against between
    about around and seven eight nine ten eleven twelve because when if so where after before until since faster slower
    longer shorter better worse slow fast itself themselves""".split()  # noqa: SIM905
)
_ADVERBS = frozenset(
    """also thus therefore still then now often always never first later soon only even already once again
    ever""".split()  # noqa: SIM905
)
_NO_ADVERBS = frozenset(["family", "assembly", "supply", "monopoly", "anomaly", "reply", "ally"])
_DROPPED = frozenset(["also", "thus", "therefore", "then", "however", "still", "though"])
"""Adverbs that tie a sentence to the one before it."""


class Clause(NamedTuple):
    """`subject verb rest`, as the sentence has it, white space and brackets tidied away."""

    subject: str
    """As written in the middle of a sentence."""
    standing: int
    verb: str
    kind: str
    """`aux`, `past` or `present`."""
    base: str
    """Base form of the verb, where it is no auxiliary."""
    rest: str
    past: bool
    plural: bool
    date: str
    """Of an opening such as "In 1656,"."""
    place: str
    """Of another opening that names something, such as "In London,", beginning in lower case."""
    because: bool
    """The sentence opens with its reason."""
    also: bool
    """It says something beside what was said before ("is also …")."""

    def ask(self, wh: str, tail: str) -> str:
        """`wh`, then the clause turned into a question, with `tail` for what follows the verb."""
        if self.kind == "aux":
            words = (wh, self.verb, self.subject, tail)
        elif self.kind == "past":
            words = (wh, "did", self.subject, self.base, tail)
        else:
            words = (wh, "do" if self.plural else "does", self.subject, self.base, tail)
        return tidy(" ".join(words)) + "?"

    def tell(self, wh: str, tail: str) -> str:
        """`wh`, then the clause in its own order, as it stands after "Explain"."""
        return tidy(" ".join((wh, self.subject, self.verb, tail)))


_JOINT = re.compile(
    r"; (?:however, |therefore, |thus, )?|, (?:and|but|so|while|whereas) (?=(?:the |an? )?[A-Z]|the |an? )"
)


def clauses(sentence: str, chunk: str) -> list[Clause]:
    """The clauses of `sentence` that can be taken apart; most have one."""
    text = plain(sentence)
    found = [parse(sentence, chunk)]
    for joint in _JOINT.finditer(text):
        before = text[: joint.start()]
        # In "in Malindi, Kilifi, and Diani were …" the comma belongs to a list.
        nearest = before.rpartition(",")[2] if joint[0].startswith(", and") else before
        if any(is_finite(word) or word in SINGULAR for word in nearest.split()):
            ahead = capital(text[joint.end() :])
            if re.match(r"(?:Which|Who|With|Including|That)\b", ahead):
                continue
            clause = parse(ahead, chunk)
            # What stands before ", so" is the reason for what follows.
            found.append(clause._replace(because=True) if clause and joint[0].startswith(", so") else clause)
    return [clause for clause in found if clause]


def parse(sentence: str, chunk: str) -> Clause | None:
    """The clause that `sentence` opens with; None where its verb or its subject cannot be told for sure."""
    text = plain(sentence)
    if not text or text[-1] not in ".!" or "?" in text or "<unk>" in sentence or not text[0].isupper():
        return None
    text = text.rstrip(".!").rstrip()
    if text.count('"') % 2 or text.count("“") != text.count("”"):
        return None
    opening = take_opening(without_connective(text))
    if opening is None:
        return None
    text = opening.text
    inserted = _INSERTION.match(text)
    if inserted and (is_finite(inserted["verb"]) or inserted["verb"] in SINGULAR or inserted["verb"] in BASES):
        text = f"{inserted['subject']} {text[inserted.start('verb') :]}"
    return _at_verb(text, chunk, opening)


def _at_verb(text: str, chunk: str, opening: Opening) -> Clause | None:
    tokens = list(_TOKEN.finditer(text))
    for index in range(1, min(len(tokens), 14)):
        word = tokens[index][0]
        if word in _CLAUSE_END and word not in {"and", ".", "or"}:
            return None
        following = [token[0] for token in tokens[index + 1 : index + 14]]
        subject = text[: tokens[index].start()].split()
        found = _verb_here(word, subject, following)
        if found is None:
            continue
        kind, base = found
        adverb = ""
        subject_ends_with_also = subject[-1] == "also"
        while len(subject) > 1 and _is_adverb(subject[-1]):
            adverb, subject = subject[-1] if subject[-1].lower() not in _DROPPED else "", subject[:-1]
        rest = text[tokens[index].end() :].strip()
        past = kind == "past" or word in PAST_AUXILIARIES
        plural = word in {"are", "were", "have", "do"} or (kind == "present" and word in BASES)
        rank = 0 if set(subject) & _HELPING else standing(subject, chunk, past=past)
        if kind == "present" and word in SINGULAR and _is_plural(subject):
            return None
        if plural and kind == "present" and subject[0] in {"A", "An", "Each", "Every"}:
            continue
        if not rank:
            return None
        shown = in_sentence(subject, chunk, plural=plural)
        if len(subject) == 1 and is_capital(shown) and shown.isalpha():
            shown = full_name(shown, chunk)
        first, _, remaining = rest.partition(" ")
        also = first == "also" or adverb == "also" or subject_ends_with_also
        if first.lower() in _DROPPED:
            rest = remaining
        if kind == "aux":
            rest = f"{adverb} {rest}"
        else:
            word, base = f"{adverb} {word}", f"{adverb} {base}"
        return Clause(shown, rank, word.strip(), kind, base.strip(), tidy(rest), past, plural, *opening[1:], also)
    return None


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and word.islower() and word not in _NO_ADVERBS)


def _is_plural(subject: list[str]) -> bool:
    head = next(
        (subject[place - 1] for place, word in enumerate(subject) if place and word in {"of", "for", "in", "on"}),
        subject[-1],
    )
    return head.endswith("s") and not head.endswith(("ss", "us", "ics", "is", "'s", "’s")) and not is_capital(head)


_HELPING = AUXILIARIES | {"has", "have", "had"}


def _verb_here(word: str, subject: list[str], following: list[str]) -> tuple[str, str] | None:
    """(`aux` | `past` | `present`, base form) if `word` is the finite verb of its clause."""
    before = subject[-1]
    if before.lower() in (_DETERMINERS if word in _HELPING else _NOT_BEFORE_VERB):
        return None
    after = following[0] if following else "."
    if word in AUXILIARIES:
        return "aux", ""
    if word in {"has", "have", "had"}:
        nexts = [item for item in following[:3] if item not in _ADVERBS and item != "not" and not item.endswith("ly")]
        if nexts and (
            nexts[0] == "been" or (is_participle(nexts[0]) and nexts[0] not in {"set", "cut", "put", "read"})
        ):
            return "aux", ""
        return ("past" if word == "had" else "present"), "have"
    if word in PAST:
        doer = after == "by" and not re.match(r"about|around|\d|more", following[1] if len(following) > 1 else "")
        if doer or after in {"of", ","} or _finite_ahead(following):
            return None
        return "past", PAST[word]
    if word in {"consists", "consist"} and after == "of":
        return "present", "consist"
    if word in SINGULAR and (not before.endswith("s") or before.endswith("ss") or is_capital(before)):
        # After "a" a noun in -s would be a plural.
        sure = subject[0] in {"A", "An"} and (
            after == "." or (after.isalpha() and after not in _CLAUSE_END and after != "of")
        )
        fits = _present_follows(after, following) or (sure and not _finite_ahead(following))
        return ("present", SINGULAR[word]) if fits else None
    if word in BASES and _is_plural(subject):
        return ("present", word) if _present_follows(after, following) else None
    return None


def _present_follows(after: str, following: list[str]) -> bool:
    """Nouns look like verbs of the present; what follows tells them apart."""
    if _finite_ahead(following):
        return False
    if after.endswith("ly"):
        return len(following) > 1 and following[1] not in BASES and following[1] not in SINGULAR
    return after.lower() in _AFTER_PRESENT or after[0].isdigit()


def _finite_ahead(following: list[str]) -> bool:
    """Another finite verb before the clause ends: then the one in question was a participle or a noun."""
    for word in following:
        if word in _CLAUSE_END:
            return False
        if is_finite(word) and word not in PAST:
            return True
    return False
