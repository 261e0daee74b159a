"""An English sentence taken apart at its verb: subject, verb, and what follows."""

import re
from typing import NamedTuple

from ragset.llm.offline.nouns import PRONOUNS, full_name, in_sentence, is_capital, standing
from ragset.llm.offline.text import tidy
from ragset.llm.offline.verbs import (
    AUXILIARIES,
    BASES,
    PARTICIPLE,
    PAST,
    PAST_AUXILIARIES,
    SINGULAR,
    is_finite,
    is_participle,
)

MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
YEAR = r"(?:1\d{3}|20\d\d|\d{2,4} (?:BC|AD|BCE|CE))"
DATE = (
    rf"(?:(?:early |late |mid-|the (?:early |late |mid-)?)?(?:(?:\d{{1,2}} )?{MONTH}(?: \d{{1,2}})?,? )?{YEAR}(?![\d,.]\d)s?"
    rf"|the (?:early |late |mid-)?(?:\d{{1,2}}(?:st|nd|rd|th)|[a-z]+(?:th|first|second|third)) century(?: BC| AD| BCE| CE)?"
    rf"|(?:\d{{1,2}} )?{MONTH}(?: \d{{1,2}}(?!\d))?)(?![\w%])"
)
"""A year, a day or a century, as prose writes it."""

_BRACKETS = re.compile(r"\s*(?:\([^()]{0,200}\)|\[[^\[\]]{0,60}\])")
_MARKUP = re.compile(r"^(?:[-*+•>]\s+|\d{1,2}[.)]\s+)|\*\*|__|`")
_CONNECTIVE = re.compile(
    r"^(?:However|Moreover|Furthermore|Therefore|Thus|Hence|Consequently|Nevertheless|Nonetheless|Meanwhile|Additionally"
    r"|Similarly|Likewise|Also|In addition|In fact|For example|For instance|In particular|As a result|In general|Generally"
    r"|In practice|Of course|Indeed|Finally|Eventually|Ultimately|Today|On the other hand|By contrast|In contrast"
    r"|Historically|Traditionally|Typically|Usually|Normally|Originally|Initially|Interestingly|Notably|Officially)\s?, "
)
_TIME_LEAD = re.compile(
    rf"^(?:In|On|Around|About|By|Since|During|As early as) (?P<date>(?:about |around )?{DATE})\s?,? (?=\S)"
)
_LEAD = re.compile(
    r"^(?P<lead>(?:In|At|On|During|After|Before|Under|Between|Following|Within|Among|From|For|With|Throughout|Outside|Until|Across"
    r"|Contrary to|According to|Despite|By|Alongside|Like|Unlike|Besides|Along with|Apart from) [^,;:]{3,80})\s?, (?=\S)"
)
_REASON_LEAD = re.compile(
    r"^(?:Because|(?P<since>Since)|Due to|Because of|As a result of|Thanks to|To (?:avoid|prevent|ensure|reduce|protect|keep|improve)) [^,]{8,120}, (?=\S)"
)
_APPOSITION = re.compile(
    r"(?<=\w)\s?, (?:who|which|whose|an?|the|also|including|such as|like|known|called|then|born|formerly|now) [^,;:]{3,90}\s?, "
)
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
_AFTER_PRESENT = frozenset(
    """the a an to on in from with at by for as into through its their his her this that these those no not all both each
    every one two three four five six more most many several some any only up down out off over under against between
    about around and""".split()  # noqa: SIM905
)
_ADVERBS = frozenset(
    [
        "also",
        "thus",
        "therefore",
        "still",
        "then",
        "now",
        "often",
        "usually",
        "always",
        "never",
        "first",
        "later",
        "soon",
        "only",
        "even",
        "already",
        "once",
        "again",
        "ever",
    ]
)
DROPPED = frozenset(["also", "thus", "therefore", "then", "however", "still", "though"])
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


def plain(sentence: str) -> str:
    """`sentence` on one line, without brackets, list marks and the spaces of tokenised text."""
    text = _MARKUP.sub("", tidy(sentence))
    text = _BRACKETS.sub("", text)
    text = re.sub(r" @(.)@ ", r"\1", text)
    text = re.sub(r" (['’]s\b|[,.;:?!%])", r"\1", text)
    return tidy(text)


_JOINT = re.compile(
    r"; (?:however, |therefore, |thus, )?|, (?:and|but|so|while|whereas) (?=(?:the |an? )?[A-Z]|the |an? )"
)


def clauses(sentence: str, chunk: str) -> list[Clause]:
    """The clauses of `sentence` that can be taken apart; most have one."""
    text = plain(sentence)
    found = [parse(sentence, chunk)]
    for joint in _JOINT.finditer(text):
        if any(is_finite(word) for word in text[: joint.start()].split()):
            ahead = _capital(text[joint.end() :])
            if not re.match(r"(?:Which|Who|With|Including)\b", ahead):
                found.append(parse(ahead, chunk))
    return [clause for clause in found if clause]


def parse(sentence: str, chunk: str) -> Clause | None:
    """The clause that `sentence` opens with; None where its verb or its subject cannot be told for sure."""
    text = plain(sentence)
    if not text or text[-1] not in ".!" or "?" in text or "<unk>" in text or not text[0].isupper():
        return None
    text = text.rstrip(".!").rstrip()
    if text.count('"') % 2 or text.count("“") != text.count("”"):
        return None
    text = _capital(_CONNECTIVE.sub("", text))
    date = place = ""
    time_lead = _TIME_LEAD.match(text)
    if time_lead and not re.match(r"(?:and|to|or|until|–|-|,)", text[time_lead.end() :]):
        if not text.startswith(("By", "Since", "During")):
            date = time_lead["date"]
        else:
            return None
        text = text[time_lead.end() :]
    reason = _REASON_LEAD.match(text)
    if reason and reason["since"] and not any(is_finite(word) for word in reason[0].split()):
        return None
    lead = None if reason or date else _LEAD.match(text)
    if lead:
        opening = lead["lead"]
        if not tail_fits(opening) or any(is_finite(word) and word not in PARTICIPLE for word in opening.split()):
            return None
        if re.search(r"[A-Z0-9]", opening[1:]):
            place = opening[0].lower() + opening[1:]
        text = _capital(text[lead.end() :])
    if reason:
        text = _capital(text[reason.end() :])
    text = _APPOSITION.sub(" ", text, count=1) if _APPOSITION.search(text[:160]) else text
    return _at_verb(text, chunk, date, place, reason is not None)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _at_verb(text: str, chunk: str, date: str, place: str, because: bool) -> Clause | None:
    tokens = list(_TOKEN.finditer(text))
    for index in range(1, min(len(tokens), 14)):
        word = tokens[index][0]
        if word in _CLAUSE_END and word not in {"and", ".", "or"}:
            return None
        following = [token[0] for token in tokens[index + 1 : index + 14]]
        before = tokens[index - 1][0]
        found = _verb_here(word, before, following)
        if found is None:
            continue
        kind, base = found
        subject = text[: tokens[index].start()].split()
        adverb = ""
        while len(subject) > 1 and subject[-1].lower() in _ADVERBS | {
            "usually",
            "generally",
            "typically",
            "originally",
            "mainly",
            "mostly",
            "largely",
            "eventually",
        }:
            adverb, subject = subject[-1] if subject[-1].lower() not in DROPPED else "", subject[:-1]
        rest = text[tokens[index].end() :].strip()
        past = kind == "past" or word in PAST_AUXILIARIES
        plural = word in {"are", "were", "have", "do"} or (kind == "present" and word in BASES)
        rank = 0 if set(subject) & _HELPING else standing(subject, chunk, past=past)
        if kind == "present" and word in SINGULAR and _is_plural(subject):
            return None
        if not rank:
            return None
        shown = in_sentence(subject, chunk)
        if len(subject) == 1 and is_capital(shown) and shown.isalpha():
            shown = full_name(shown, chunk)
        first, _, remaining = rest.partition(" ")
        if first.lower() in DROPPED:
            rest = remaining
        if kind == "aux":
            rest = f"{adverb} {rest}"
        else:
            word, base = f"{adverb} {word}", f"{adverb} {base}"
        return Clause(shown, rank, word.strip(), kind, base.strip(), tidy(rest), past, plural, date, place, because)
    return None


def _is_plural(subject: list[str]) -> bool:
    head = next(
        (subject[place - 1] for place, word in enumerate(subject) if place and word in {"of", "for", "in", "on"}),
        subject[-1],
    )
    return head.endswith("s") and not head.endswith(("ss", "us", "ics", "is", "'s", "’s")) and not is_capital(head)


_HELPING = AUXILIARIES | {"has", "have", "had"}


def _verb_here(word: str, before: str, following: list[str]) -> tuple[str, str] | None:
    """(`aux` | `past` | `present`, base form) if `word` is the finite verb of its clause."""
    if before.lower() in _NOT_BEFORE_VERB:
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
        if after in {"by", "of", ",", "."} or _finite_ahead(following):
            return None
        return "past", PAST[word]
    if word in SINGULAR and not before.lower().endswith("s"):
        return ("present", SINGULAR[word]) if _present_follows(after, following) else None
    if word in BASES and before.endswith("s") and not before.endswith(("ss", "us", "'s", "’s", "is")):
        return ("present", word) if _present_follows(after, following) else None
    return None


def _present_follows(after: str, following: list[str]) -> bool:
    """Nouns look like verbs of the present; what follows tells them apart."""
    if _finite_ahead(following):
        return False
    if after.endswith("ly"):
        return len(following) > 1 and following[1] not in BASES and following[1] not in SINGULAR
    return after.lower() in _AFTER_PRESENT or after.isdigit()


def _finite_ahead(following: list[str]) -> bool:
    """Another finite verb before the clause ends: then the one in question was a participle or a noun."""
    for word in following:
        if word in _CLAUSE_END:
            return False
        if is_finite(word) and word not in PAST:
            return True
    return False


def tail_fits(tail: str, *, limit: int = 14) -> bool:
    """Whether what is kept after the verb is one plain phrase that a question can end with."""
    words = tail.split()
    if len(words) > limit or re.search(r"[,;:\"“”()\[\]<>]|—| – ", tail):
        return False
    lowers = [word.lower() for word in words]
    if set(lowers) & _LOOSE:
        return False
    return not (lowers and lowers[-1] in _DANGLING)


_LOOSE = frozenset(
    """who which whom whose where when while because since although though if unless until whereas he she it they him them this these
    those such former latter however so but another others same i we you us me my our your that""".split()  # noqa: SIM905
) | (PRONOUNS & {"here", "there", "itself", "themselves", "himself", "herself"})
_DANGLING = frozenset(
    """the a an of in on at by for with from to into and or as than very more most less its their his her over about only
    up-to even not just is are also been so because first both was were be been both either that""".split()  # noqa: SIM905
)
